import { isDiskFull } from '../../../db/disk.ts'
import { type Q, yieldToEventLoop } from '../../../db/engine.ts'
import { clearTimeout, endsWithin, MAX_TIMER_MS, setTimeout } from '../../../db/timers.ts'
import type { World } from '../../../db/world.ts'
import type { Worlds } from '../../../db/worlds.ts'
import type { OnFault } from '../../../http/errors/error_handler.ts'
import type { TimedSteps } from '../../due.ts'
import type { Inboxes } from '../inbox/inboxes.ts'
import type { NetworkPolicy } from '../outbound/network_policy.ts'
import { openSender } from '../outbound/sender.ts'
import { earliestDue, listSettings, type SettingRow } from '../queries.ts'
import { DISK_FULL_RETRY_MS, deliver, type InterceptAttempt, type SwitchedOff } from './deliver.ts'
import { type ClaimedNotification, claimDue, releaseClaims } from './operations.ts'

export interface Dispatcher {
  /** Scans a world for due steps and notifications: after an event, a clock move or a new setting. */
  wake(id: number): void
  /** Delivers for a world that was opened: its pending notifications now, new ones when they are published. */
  watch(world: World): void
  /** Delivers the pending notifications of worlds that are not open yet, one world after the other. */
  resume(ids: number[]): Promise<void>
  /** Resolves when no notification of a world is in flight or can be delivered now. */
  whenIdle(id: number): Promise<void>
  /** World time of the next step of any domain, ms; null if there is none. */
  nextStep(q: Q): Promise<number | null>
  /** Attempts that wait for a response, in all worlds. */
  inFlight(): number
  /**
   * Starts nothing new, gives attempts in flight a moment to end, then aborts them; the next start of the server
   * repeats those without a response.
   */
  close(): Promise<void>
}

/** Bounds what one application with a slow receiver can occupy. */
const MAX_IN_FLIGHT_PER_APPLICATION = 16
const SHUTDOWN_GRACE_MS = 700

export interface DispatcherOptions {
  worlds: Worlds
  /** What time brings about in the domains. */
  steps: readonly TimedSteps[]
  networkPolicy: NetworkPolicy
  /** Receivers of the target `inbox:`. */
  inboxes: Inboxes
  onFault: OnFault
  /** An attempt has ended and is committed. */
  onAttempt: (world: World) => void
  onSwitchedOff: (world: World, off: SwitchedOff) => void
  interceptAttempt?: InterceptAttempt | undefined
}

/** Delivers the notifications of all worlds, as each application's profile says. */
export function openDispatcher(options: DispatcherOptions): Dispatcher {
  const { worlds, onFault, onAttempt, onSwitchedOff } = options
  const sender = openSender()
  const tasks = createTasks(onFault)
  const scans = createScans(tasks, scan)
  const wake = scans.start
  const timers = createTimers(wake)
  const inFlight = createCounters()
  const releaseLeftClaims = createClaimRecovery()
  const { nextStep, runSteps } = createSteps(options.steps)
  let isClosed = false
  let isAborted = false

  /** Starts what is due in a world, and sets a timer for the next time. */
  async function scan(id: number): Promise<void> {
    const world = isClosed ? undefined : await worlds.acquire(id)
    if (!world) return
    try {
      await runSteps(world)
      const scannedAt = world.clock.now()
      const settings = await listSettings(world.read)
      if (settings.length > 0) await releaseLeftClaims(world)
      for (const setting of settings) await startDue(world, setting)
      // Attempts that were due and were not claimed wait for a free slot.
      timers.set(world, earliest([await earliestDue(world.read, scannedAt), await nextStep(world.read)]))
    } catch (error) {
      if (isDiskFull(error as Error)) timers.setDelay(id, DISK_FULL_RETRY_MS)
      throw error
    } finally {
      worlds.release(world)
    }
  }

  async function startDue(world: World, setting: SettingRow): Promise<void> {
    const key = `${world.id} ${setting.application_id}`
    const freeSlots = MAX_IN_FLIGHT_PER_APPLICATION - inFlight.get(key)
    if (freeSlots <= 0) return
    const { claimed, hasRescheduled } = await claimDue(world, setting, freeSlots)
    if (hasRescheduled) scans.repeat(world.id)
    for (const notification of claimed) startAttempt(key, notification)
  }

  function startAttempt(key: string, notification: ClaimedNotification): void {
    const { world } = notification
    const attempt = async () => {
      const result = await deliver({ ...options, sender, isAborted: () => isAborted }, notification)
      if (result) onAttempt(world)
      if (result?.switchedOff) onSwitchedOff(world, result.switchedOff)
    }
    // The world stays open until the result is committed to it.
    worlds.retain(world)
    inFlight.add(key, 1)
    void tasks.start(world.id, attempt, () => {
      worlds.release(world)
      inFlight.add(key, -1)
      void wake(world.id)
    })
  }

  return {
    wake,
    watch(world) {
      world.onEvents(() => wake(world.id))
      void wake(world.id)
    },
    resume: (ids) => wakeEach(ids, (id) => (isClosed ? Promise.resolve() : wake(id))),
    whenIdle: tasks.whenIdle,
    nextStep,
    inFlight: inFlight.total,
    async close() {
      isClosed = true
      timers.clear()
      await endsWithin(SHUTDOWN_GRACE_MS, tasks.whenSettled())
      isAborted = true
      await sender.close()
      await tasks.whenSettled()
    },
  }
}

async function wakeEach(ids: number[], wake: (id: number) => Promise<void>): Promise<void> {
  for (const id of ids) {
    await wake(id)
    await yieldToEventLoop()
  }
}

/** What time brings about in the domains. */
function createSteps(steps: readonly TimedSteps[]) {
  const nextStep = async (q: Q) => earliest(await Promise.all(steps.map(({ next }) => next(q))))
  /** Runs the steps that are due, one instant after the other. */
  async function runSteps(world: World): Promise<void> {
    for (let at = await nextStep(world.read); at !== null && at <= world.clock.now(); at = await nextStep(world.read)) {
      const until = at
      await world.tx(async (q) => {
        for (const { run } of steps) await run(q, world, until)
      })
    }
  }
  return { nextStep, runSteps }
}

/** The earliest of some instants; null if there is none. */
const earliest = (instants: readonly (number | null)[]): number | null => {
  const some = instants.filter((one) => one !== null)
  return some.length === 0 ? null : Math.min(...some)
}

/** Claims in a world that was just opened are left over from a server that was killed. */
function createClaimRecovery() {
  const recovered = new WeakSet<World>()
  return async (world: World): Promise<void> => {
    if (recovered.has(world)) return
    await world.tx(releaseClaims)
    recovered.add(world)
  }
}

/** Runs one scan of a world at a time; a start during a scan makes it run once more. */
function createScans(tasks: Tasks, scan: (id: number) => Promise<void>) {
  const scanning = new Set<number>()
  const repeated = new Set<number>()
  async function start(id: number): Promise<void> {
    if (scanning.has(id)) return void repeated.add(id)
    scanning.add(id)
    const onEnd = () => {
      scanning.delete(id)
      if (repeated.delete(id)) void start(id)
    }
    await tasks.start(id, () => scan(id), onEnd)
  }
  return { start, repeat: (id: number) => void repeated.add(id) }
}

/** One timer for each world. */
function createTimers(onDue: (id: number) => void) {
  const timers = new Map<number, NodeJS.Timeout>()
  const setDelay = (id: number, ms: number) => {
    clearTimeout(timers.get(id))
    timers.set(id, setTimeout(onDue, Math.min(ms, MAX_TIMER_MS), id).unref())
  }
  return {
    setDelay,
    /** `dueAt`: world time, ms; null: never. */
    set({ id, clock }: World, dueAt: number | null): void {
      clearTimeout(timers.get(id))
      timers.delete(id)
      if (dueAt === null || clock.mode === 'frozen') return
      // Something may have become due during the scan.
      setDelay(id, Math.max(0, dueAt - clock.now()))
    },
    clear(): void {
      for (const timer of timers.values()) clearTimeout(timer)
    },
  }
}

function createCounters() {
  const counters = new Map<string, number>()
  const get = (key: string): number => counters.get(key) ?? 0
  return {
    get,
    add(key: string, by: number): void {
      const count = get(key) + by
      if (count === 0) counters.delete(key)
      else counters.set(key, count)
    },
    total: (): number => [...counters.values()].reduce((sum, count) => sum + count, 0),
  }
}

/** Work in flight, each with the world that it belongs to. */
interface Tasks {
  /** `onEnd` runs while the task still counts as in flight: waiting includes the tasks that it starts. */
  start(worldId: number, work: () => Promise<void>, onEnd: () => void): Promise<void>
  /** Resolves when no task of the world is in flight. */
  whenIdle(worldId: number): Promise<void>
  /** Resolves when the tasks that are in flight now have ended. */
  whenSettled(): Promise<unknown>
}

function createTasks(onFault: OnFault): Tasks {
  const tasks = new Map<Promise<void>, number>()
  return {
    start(worldId, work, onEnd) {
      const task = work()
        .catch(onFault)
        .finally(() => {
          tasks.delete(task)
          onEnd()
        })
      tasks.set(task, worldId)
      return task
    },
    async whenIdle(worldId) {
      for (;;) {
        const pending = [...tasks].flatMap(([task, id]) => (id === worldId ? [task] : []))
        if (pending.length === 0) return
        await Promise.allSettled(pending)
      }
    },
    whenSettled: () => Promise.allSettled(tasks.keys()),
  }
}
