import { AsyncLocalStorage } from 'node:async_hooks'
import { randomInt } from 'node:crypto'
import { RingBudget } from './ring.ts'

/** Consecutive events, by their ids in the outbox. */
export interface EventIds {
  first: number
  last: number
}

/** What changes a world, such as a request; the caller knows what it is. */
export interface Cause {
  /** Stored with the events that it publishes; undefined until the first. */
  key?: number
  /** The events that it has published: runs of ids, the latest of them. */
  readonly events: EventIds[]
}

/** Runs of events that a cause remembers. */
const MAX_RUNS = 100
/** Causes that are known: of one world, and of all. */
const MAX_WORLD_CAUSES = 2000
const MAX_TOTAL_CAUSES = 20_000

const running = new AsyncLocalStorage<Cause>()

/** Runs a function: units that it starts, now or later, have this cause. */
export const runWithCause = <T>(cause: Cause, run: () => T): T => running.run(cause, run)

/** The cause of the running code; undefined if it has none. */
export const currentCause = (): Cause | undefined => running.getStore()

/** Begins at random: a file may have keys of other processes, whose causes must not be found. */
let lastKey = randomInt(2 ** 48 - 1) * 32

/** The key that events of a cause are stored with. */
export function keyOf(cause: Cause): number {
  cause.key ??= ++lastKey
  return cause.key
}

const budget = new RingBudget(MAX_TOTAL_CAUSES)

/**
 * The causes of the latest events of a world, in memory. States whose journal continues share one. Events have the key of
 * their cause, so that a restored state has its own causes, whatever happened since.
 */
export class CauseLog {
  /** By key, in the order of their first commits. */
  readonly #causes = new Map<number, Cause>()

  get isEmpty(): boolean {
    return this.#causes.size === 0
  }

  /** Adds committed events to their cause; the ids are above all earlier ones of the state. */
  add(cause: Cause, { first, last }: EventIds): void {
    const key = keyOf(cause)
    if (!this.#causes.has(key)) {
      if (this.#causes.size === MAX_WORLD_CAUSES) this.dropOldest()
      this.#causes.set(key, cause)
      budget.resize(this, 1)
    }
    const latest = cause.events.at(-1)
    if (latest?.last === first - 1) {
      latest.last = last
      return
    }
    if (cause.events.length === MAX_RUNS) cause.events.shift()
    cause.events.push({ first, last })
  }

  /** Removes the oldest cause; there must be one. */
  dropOldest(): void {
    const [oldest] = this.#causes.keys()
    this.#causes.delete(oldest!)
    budget.resize(this, -1)
  }

  /** The cause with a key; undefined if it is no longer known. */
  of(key: number): Cause | undefined {
    return this.#causes.get(key)
  }
}
