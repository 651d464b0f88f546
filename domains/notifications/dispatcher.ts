import { realNow } from '../../db/clock.ts'
import { turn } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import type { Worlds } from '../../db/worlds.ts'
import type { OnFault } from '../../plugins/errors.ts'
import { isMoody } from './chances.ts'
import { type Claimed, deliver, type SwitchedOff } from './delivery.ts'
import { putOff } from './lateness_operations.ts'
import { claim, release } from './operations.ts'
import { profileOf } from './profiles.ts'
import { earliestDue, nextDue, type SettingRow, settings } from './queries.ts'
import { openSender } from './sender.ts'
import type { Reach } from './targets.ts'

export interface Dispatcher {
  /** Something may be due in this world: a fact was written, its clock was moved, an application wants to be told. */
  wake(id: number): void
  /** Looks after a world that was opened: whatever is written in it from now on, and what was left to do. */
  watch(world: World): void
  /** Looks once at worlds that nobody has opened yet, one after the other, for what was left to do in them. */
  resume(ids: number[]): Promise<void>
  /** Answers when nothing of a world is due that can be done now, nor under way. */
  settled(id: number): Promise<void>
  /** Attempts that wait for their answer, of all worlds. */
  underWay(): number
  /**
   * Begins nothing more, gives what is under way a moment to end, and ends it then; what was not answered is tried
   * again by the next start.
   */
  close(): Promise<void>
}

/** Attempts under way at a time for one application: a slow receiver holds back nobody else. */
const MOST_AT_ONCE = 16
/** Real ms for which a claim holds beyond the receiver's limit. */
const GRACE = 30_000
/** Real ms that what is under way has left when the server stops. */
const LAST_MOMENT = 700
/** Timers take no longer. */
const LONGEST_TIMER = 2 ** 31 - 1

export interface DispatcherOptions {
  worlds: Worlds
  reach: Reach
  onFault: OnFault
  /** One is over, and written. */
  onAttempt: (world: World) => void
  onSwitchedOff: (world: World, off: SwitchedOff) => void
}

/** Delivers what the worlds of a server have to tell, as each application's profile says. */
export function openDispatcher({ worlds, reach, onFault, onAttempt, onSwitchedOff }: DispatcherOptions): Dispatcher {
  const sender = openSender()
  /** Worlds that are looked at just now, and whether they must be looked at once more. */
  const looking = new Map<number, boolean>()
  const timers = new Map<number, NodeJS.Timeout>()
  /** What is under way, with its world. */
  const running = new Map<Promise<void>, number>()
  /** Attempts under way, by world and application. */
  const atOnce = new Map<string, number>()
  const known = new WeakSet<World>()
  /** Nothing more is begun. */
  let closed = false
  /** What has not been answered by now never will be. */
  let cut = false

  async function wake(id: number): Promise<void> {
    if (closed) return
    if (looking.has(id)) return void looking.set(id, true)
    looking.set(id, false)
    const done = look(id)
      .catch(onFault)
      .finally(() => {
        running.delete(done)
        const again = looking.get(id)
        looking.delete(id)
        if (again) wake(id)
      })
    running.set(done, id)
    await done
  }

  /** Begins what is due in a world, and sets a timer for what will be. */
  async function look(id: number): Promise<void> {
    const world = await worlds.hold(id)
    if (!world) return
    try {
      const told = await settings(world.read)
      // Nobody is at anything in a world that was opened just now: such claims are of a server that was killed.
      if (told.length > 0 && !known.has(world)) await world.tx(release)
      known.add(world)
      for (const setting of told) await begin(world, setting)
      schedule(world, await earliestDue(world.read))
    } finally {
      worlds.letGo(world)
    }
  }

  function schedule(world: World, next: number | null): void {
    clearTimeout(timers.get(world.id))
    timers.delete(world.id)
    // What is due already waits for a place, and a clock that stands brings nothing.
    const wait = next === null ? 0 : next - world.clock.now()
    if (next === null || wait <= 0 || world.clock.mode === 'frozen') return
    timers.set(world.id, setTimeout(() => wake(world.id), Math.min(wait, LONGEST_TIMER)).unref())
  }

  async function begin(world: World, setting: SettingRow): Promise<void> {
    const { application_id } = setting
    const key = `${world.id} ${application_id}`
    const free = MOST_AT_ONCE - (atOnce.get(key) ?? 0)
    if (free <= 0) return
    const profile = profileOf(setting)
    const real = realNow()
    const now = world.clock.now()
    const due = await nextDue(world.read, application_id)
    if (due === null || due > now) return
    const until = real + profile.limit_ms + GRACE
    const rows = await world.tx(async (q) => {
      if (isMoody(profile) && (await putOff(q, world, profile, { application_id, now }))) {
        looking.set(world.id, true)
        return []
      }
      return claim(q, { application_id, now, real, until, most: free })
    })
    atOnce.set(key, MOST_AT_ONCE - free + rows.length)
    for (const row of rows) run(key, { world, setting, profile, row, sent: now })
  }

  function run(key: string, claimed: Claimed): void {
    const { world } = claimed
    // Held for as long as the attempt takes: what comes of it is written where it was taken from.
    worlds.keep(world)
    const done = deliver({ sender, reach, isOver: () => cut }, claimed)
      .then((written) => {
        if (!written) return
        onAttempt(world)
        if (written.switchedOff) onSwitchedOff(world, written.switchedOff)
      })
      .catch(onFault)
      .finally(() => {
        running.delete(done)
        worlds.letGo(world)
        atOnce.set(key, atOnce.get(key)! - 1)
        wake(world.id)
      })
    running.set(done, world.id)
  }

  return {
    wake,
    watch(world) {
      world.onFacts(() => wake(world.id))
      wake(world.id)
    },
    async resume(ids) {
      for (const id of ids) {
        if (closed) return
        await wake(id)
        await turn()
      }
    },
    async settled(id) {
      for (;;) {
        const own = [...running].flatMap(([done, world]) => (world === id ? [done] : []))
        if (own.length === 0) return
        await Promise.allSettled(own)
      }
    },
    underWay: () => [...atOnce.values()].reduce((sum, n) => sum + n, 0),
    async close() {
      closed = true
      for (const timer of timers.values()) clearTimeout(timer)
      await within(LAST_MOMENT, Promise.allSettled([...running.keys()]))
      cut = true
      await sender.close()
      await Promise.allSettled([...running.keys()])
    },
  }
}

/** Answers when the work is done, or after so many ms. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([work, promise])
  clearTimeout(timer)
}
