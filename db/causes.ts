import { AsyncLocalStorage } from 'node:async_hooks'
import type { EventIds } from './engine.ts'
import { Ring, RingBudget } from './ring.ts'

/** What changes a world, such as a request; the caller knows what it is. */
export interface Cause {
  /** The events that it has published: runs of ids, the latest of them. */
  readonly events: EventIds[]
}

/** Runs of events that a cause remembers. */
const MAX_RUNS = 100
/** Runs of events whose cause is known: of one world, and of all. */
const MAX_WORLD_RUNS = 2000
const MAX_TOTAL_RUNS = 20_000

const running = new AsyncLocalStorage<Cause>()

/** Runs a function: units that it starts, now or later, have this cause. */
export const runWithCause = <T>(cause: Cause, run: () => T): T => running.run(cause, run)

/** The cause of the running code; undefined if it has none. */
export const currentCause = (): Cause | undefined => running.getStore()

const budget = new RingBudget(MAX_TOTAL_RUNS)

/** The causes of the latest events of one generation of a world, in memory. */
export class CauseLog {
  /** In the order of the ids. */
  readonly #runs = new Ring<EventIds & { cause: Cause }>(MAX_WORLD_RUNS, { budget })

  /** Stores the cause of committed events; their ids are above all earlier ones. */
  add(cause: Cause, { first, last }: EventIds): void {
    const latest = this.#runs.get(this.#runs.next - 1)
    if (latest?.cause === cause && latest.last === first - 1) {
      latest.last = last
      return
    }
    const run = { first, last, cause }
    this.#runs.append(run)
    if (cause.events.length === MAX_RUNS) cause.events.shift()
    cause.events.push(run)
  }

  /** The cause of an event; undefined if it had none or is no longer known. */
  of(event: number): Cause | undefined {
    let low = this.#runs.first
    let high = this.#runs.next - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (this.#runs.get(middle)!.first <= event) low = middle
      else high = middle - 1
    }
    const run = this.#runs.get(low)
    return run && run.first <= event && event <= run.last ? run.cause : undefined
  }
}
