import { realNow } from '../../db/clock.ts'
import { clearTimeout, setTimeout } from '../../db/timers.ts'
import type { Generation, World } from '../../db/world.ts'
import type { Checkpoint, Worlds } from '../../db/worlds.ts'

/** Real time without a successful write, after which the next one takes a checkpoint. */
const QUIET_MS = 1000
/** Real time after which the checkpoint of writes that have all failed is too old for the next one. */
const MAX_AGE_MS = 1000

/** The writes that arrive after a quiet second, until one of them succeeds. They wait for one checkpoint. */
export interface Burst {
  /** Ends when the checkpoint is taken. Never rejects. */
  ready: Promise<void>
  /** Until it is kept or discarded; undefined also if none could be taken. */
  checkpoint: Checkpoint | undefined
  /** Real time, ms. */
  startedAt: number
  /** Changing calls before it. */
  changes: number
  /** Those that are not answered yet. */
  inFlight: number
  /** Ends the burst; set while none is in flight. */
  timer: NodeJS.Timeout | undefined
}

/** The writes of programs in a world. */
interface Activity {
  /** Real time, ms, of the last successful answer. */
  lastWriteAt: number
  burst: Burst | undefined
}

interface BurstOptions {
  checkpoints: Worlds['checkpoints']
  /** Checkpoints that are kept of one world. */
  max: number
  onError: (error: Error) => void
}

/** Decides for which writes of the emulated API a checkpoint is taken, and which of them are kept. */
export function createWriteBursts({ checkpoints, max, onError }: BurstOptions) {
  function startBurst(world: World, take: () => Promise<Checkpoint | undefined>): Burst {
    const setCheckpoint = (checkpoint: Checkpoint | undefined) => {
      burst.checkpoint = checkpoint
    }
    const burst: Burst = {
      ready: take().then(setCheckpoint).catch(onError),
      checkpoint: undefined,
      startedAt: realNow(),
      changes: changesOf(world),
      inFlight: 0,
      timer: undefined,
    }
    return burst
  }

  function discard(burst: Burst, activity: Activity): void {
    clearTimeout(burst.timer)
    if (burst.checkpoint) checkpoints.discard(burst.checkpoint)
    burst.checkpoint = undefined
    if (activity.burst === burst) activity.burst = undefined
  }

  /** All writes have failed: another one soon would copy the same state again. */
  function startTimer(burst: Burst, activity: Activity): void {
    const left = burst.startedAt + MAX_AGE_MS - realNow()
    if (left <= 0) discard(burst, activity)
    else burst.timer = setTimeout(() => discard(burst, activity), left).unref()
  }

  return {
    /** The burst of a write that begins, for which `take` takes the checkpoint; undefined: it needs none. */
    join(world: World, take: () => Promise<Checkpoint | undefined>): Burst | undefined {
      const activity = activityOf(world)
      const idle = activity.burst?.timer && activity.burst
      // What else has changed the world is not to be taken back with the write.
      if (idle && idle.changes !== changesOf(world)) discard(idle, activity)
      if (!activity.burst) {
        if (realNow() - activity.lastWriteAt < QUIET_MS || world.isRetired) return undefined
        activity.burst = startBurst(world, take)
      }
      const { burst } = activity
      clearTimeout(burst.timer)
      burst.timer = undefined
      burst.inFlight++
      return burst
    },
    /** A write has succeeded, in a burst or not. */
    recordWrite(world: World): void {
      activityOf(world).lastWriteAt = realNow()
    },
    /** A write of a burst is answered; `label` undefined: it has failed. */
    leave(burst: Burst, world: World, label: string | undefined): void {
      const activity = activityOf(world)
      burst.inFlight--
      if (label === undefined) {
        if (burst.inFlight === 0) startTimer(burst, activity)
        return
      }
      const { checkpoint } = burst
      burst.checkpoint = undefined
      if (checkpoint) {
        // The write that it was taken for may have failed.
        checkpoint.label = label
        checkpoints.keep(checkpoint, max)
      }
      if (activity.burst === burst) activity.burst = undefined
    },
  }
}

const activities = new WeakMap<Generation, Activity>()

function activityOf({ generation }: World): Activity {
  const existing = activities.get(generation)
  if (existing) return existing
  const created: Activity = { lastWriteAt: Number.NEGATIVE_INFINITY, burst: undefined }
  attach(created, generation)
  return created
}

/** A world stays quiet, or not, when its state is replaced; but the next writes begin with another state. */
function attach(activity: Activity, generation: Generation): void {
  activities.set(generation, activity)
  generation.onEnd.push((_change, next) => {
    activity.burst = undefined
    if (next) attach(activity, next)
  })
}

const changesOf = ({ generation: { counts } }: World): number => counts.writes + counts.controlCalls
