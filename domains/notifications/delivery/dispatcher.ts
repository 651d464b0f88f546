import { realNow } from '../../../db/clock.ts'
import { yieldToEventLoop } from '../../../db/engine.ts'
import type { World } from '../../../db/world.ts'
import type { Worlds } from '../../../db/worlds.ts'
import type { OnFault } from '../../../http/errors.ts'
import type { NetworkPolicy } from '../outbound/network_policy.ts'
import { openSender } from '../outbound/sender.ts'
import { earliestDue, listSettings, nextDue, type SettingRow } from '../queries.ts'
import { profileOf } from '../settings/profiles.ts'
import { type ClaimedNotification, deliver, type SwitchedOff } from './deliver.ts'
import { scheduleFirstAttempts } from './first_attempt_operations.ts'
import { claim, releaseClaims } from './operations.ts'
import { hasRandomFirstAttempt } from './seeded_random.ts'

export interface Dispatcher {
  /** Something may be due in this world: a fact was written, its clock was moved, an application wants to be told. */
  wake(id: number): void
  /** Looks after a world that was opened: whatever is written in it from now on, and what was left to do. */
  watch(world: World): void
  /** Looks once at worlds that nobody has opened yet, one after the other, for what was left to do in them. */
  resume(ids: number[]): Promise<void>
  /** Answers when nothing of a world is due that can be done now, nor under way. */
  whenIdle(id: number): Promise<void>
  /** Attempts that wait for their answer, of all worlds. */
  inFlight(): number
  /**
   * Begins nothing more, gives what is under way a moment to end, and ends it then; what was not answered is tried
   * again by the next start.
   */
  close(): Promise<void>
}

/** Attempts under way at a time for one application: a slow receiver holds back nobody else. */
const MAX_IN_FLIGHT_PER_APPLICATION = 16
/** Real ms for which a claim holds beyond the receiver's limit. */
const CLAIM_GRACE_MS = 30_000
/** Real ms that what is under way has left when the server stops. */
const SHUTDOWN_GRACE_MS = 700
/** Timers take no longer. */
const MAX_TIMER_MS = 2 ** 31 - 1

export interface DispatcherOptions {
  worlds: Worlds
  networkPolicy: NetworkPolicy
  onFault: OnFault
  /** One is over, and written. */
  onAttempt: (world: World) => void
  onSwitchedOff: (world: World, off: SwitchedOff) => void
}

/** Delivers what the worlds of a server have to tell, as each application's profile says. */
export function openDispatcher({
  worlds,
  networkPolicy,
  onFault,
  onAttempt,
  onSwitchedOff,
}: DispatcherOptions): Dispatcher {
  const sender = openSender()
  /** Worlds that are looked at just now, and whether they must be looked at once more. */
  const scans = new Map<number, boolean>()
  const timers = new Map<number, NodeJS.Timeout>()
  /** What is under way, with its world. */
  const tasks = new Map<Promise<void>, number>()
  /** Attempts under way, by world and application. */
  const inFlightByApplication = new Map<string, number>()
  const recovered = new WeakSet<World>()
  /** Nothing more is begun. */
  let isClosed = false
  /** What has not been answered by now never will be. */
  let isAborted = false

  async function wake(id: number): Promise<void> {
    if (isClosed) return
    if (scans.has(id)) return void scans.set(id, true)
    scans.set(id, false)
    const task = scan(id)
      .catch(onFault)
      .finally(() => {
        tasks.delete(task)
        const needsRescan = scans.get(id)
        scans.delete(id)
        if (needsRescan) wake(id)
      })
    tasks.set(task, id)
    await task
  }

  /** Begins what is due in a world, and sets a timer for what will be. */
  async function scan(id: number): Promise<void> {
    const world = await worlds.acquire(id)
    if (!world) return
    try {
      const subscribers = await listSettings(world.read)
      // Nobody is at anything in a world that was opened just now: such claims are of a server that was killed.
      if (subscribers.length > 0 && !recovered.has(world)) await world.tx(releaseClaims)
      recovered.add(world)
      for (const setting of subscribers) await startDue(world, setting)
      schedule(world, await earliestDue(world.read))
    } finally {
      worlds.release(world)
    }
  }

  function schedule(world: World, nextDueAt: number | null): void {
    clearTimeout(timers.get(world.id))
    timers.delete(world.id)
    // What is due already waits for a place, and a clock that stands brings nothing.
    const waitMs = nextDueAt === null ? 0 : nextDueAt - world.clock.now()
    if (nextDueAt === null || waitMs <= 0 || world.clock.mode === 'frozen') return
    timers.set(world.id, setTimeout(() => wake(world.id), Math.min(waitMs, MAX_TIMER_MS)).unref())
  }

  async function startDue(world: World, setting: SettingRow): Promise<void> {
    const { application_id } = setting
    const key = `${world.id} ${application_id}`
    const freeSlots = MAX_IN_FLIGHT_PER_APPLICATION - (inFlightByApplication.get(key) ?? 0)
    if (freeSlots <= 0) return
    const profile = profileOf(setting)
    const realMs = realNow()
    const now = world.clock.now()
    const due = await nextDue(world.read, application_id)
    if (due === null || due > now) return
    const leaseUntil = realMs + profile.limit_ms + CLAIM_GRACE_MS
    const rows = await world.tx(async (q) => {
      if (hasRandomFirstAttempt(profile) && (await scheduleFirstAttempts(q, world, profile, { application_id, now }))) {
        scans.set(world.id, true)
        return []
      }
      return claim(q, { application_id, now, real: realMs, until: leaseUntil, most: freeSlots })
    })
    inFlightByApplication.set(key, MAX_IN_FLIGHT_PER_APPLICATION - freeSlots + rows.length)
    for (const row of rows) startAttempt(key, { world, setting, profile, row, sent: now })
  }

  function startAttempt(key: string, claimed: ClaimedNotification): void {
    const { world } = claimed
    // Held for as long as the attempt takes: what comes of it is written where it was taken from.
    worlds.retain(world)
    const task = deliver({ sender, networkPolicy, isAborted: () => isAborted }, claimed)
      .then((result) => {
        if (!result) return
        onAttempt(world)
        if (result.switchedOff) onSwitchedOff(world, result.switchedOff)
      })
      .catch(onFault)
      .finally(() => {
        tasks.delete(task)
        worlds.release(world)
        inFlightByApplication.set(key, inFlightByApplication.get(key)! - 1)
        wake(world.id)
      })
    tasks.set(task, world.id)
  }

  return {
    wake,
    watch(world) {
      world.onEvents(() => wake(world.id))
      wake(world.id)
    },
    async resume(ids) {
      for (const id of ids) {
        if (isClosed) return
        await wake(id)
        await yieldToEventLoop()
      }
    },
    async whenIdle(id) {
      for (;;) {
        const pending = [...tasks].flatMap(([task, world]) => (world === id ? [task] : []))
        if (pending.length === 0) return
        await Promise.allSettled(pending)
      }
    },
    inFlight: () => [...inFlightByApplication.values()].reduce((sum, n) => sum + n, 0),
    async close() {
      isClosed = true
      for (const timer of timers.values()) clearTimeout(timer)
      await waitAtMost(SHUTDOWN_GRACE_MS, Promise.allSettled([...tasks.keys()]))
      isAborted = true
      await sender.close()
      await Promise.allSettled([...tasks.keys()])
    },
  }
}

/** Answers when the work is done, or after so many ms. */
async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([work, promise])
  clearTimeout(timer)
}
