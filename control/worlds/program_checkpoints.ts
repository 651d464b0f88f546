import type { FastifyRequest, onSendHookHandler, preHandlerHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import { realNow } from '../../db/clock.ts'
import { clearTimeout, setTimeout } from '../../db/timers.ts'
import type { Generation, World } from '../../db/world.ts'
import { type Checkpoint, NoSuchWorld, type Worlds } from '../../db/worlds.ts'
import { isWriteRoute } from '../../http/enter_cause.ts'
import type { OnFault } from '../../http/error_handler.ts'
import { stateOf } from '../../http/request_state.ts'
import type { Templates } from '../../scenarios/templates.ts'
import { populateAsCreated } from './create_world.ts'
import type { UndoCounter } from './undo_counter.ts'

/** Real time without a successful write, after which the next one takes a checkpoint. */
const QUIET_MS = 1000

interface Options {
  worlds: Worlds
  templates: Templates
  undoCounter: UndoCounter
  /** Checkpoints of one world; 0: none are taken, and no route has a hook. */
  max: number
  onFault: OnFault
}

/** Real time after which the checkpoint of writes that have all failed is too old for the next one. */
const MAX_AGE_MS = 1000

/** The writes that arrive after a quiet second, until one of them succeeds. They wait for one checkpoint. */
interface Burst {
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

/** Takes a checkpoint of the world before the first write of the emulated API after a quiet second. */
export default fp<Options>(
  async (app, { worlds: { checkpoints }, templates, undoCounter, max, onFault }) => {
    if (max === 0) return
    const bursts = new WeakMap<FastifyRequest, Burst>()

    function startBurst({ world }: FastifyRequest, label: string): Burst {
      const copy = async () => {
        const position = await undoCounter.positionOf(world)
        const populate = populateAsCreated(world, templates)
        const note = { kind: 'program', label, now: world.clock.now(), populate, ...position } as const
        burst.checkpoint = await checkpoints.take(world.id, note)
      }
      const burst: Burst = {
        ready: copy().catch(report),
        checkpoint: undefined,
        startedAt: realNow(),
        changes: changesOf(world),
        inFlight: 0,
        timer: undefined,
      }
      return burst
    }
    // The write is answered as it would be without a checkpoint.
    const report = (error: Error) => {
      if (!(error instanceof NoSuchWorld)) onFault(error)
    }

    const take: preHandlerHookHandler = (request, _reply, done) => {
      const { world, raw } = request
      if (stateOf(raw).isInternal) return done()
      const activity = activityOf(world)
      const idle = activity.burst?.timer && activity.burst
      // What else has changed the world is not to be taken back with the write.
      if (idle && idle.changes !== changesOf(world)) discard(idle, activity)
      if (!activity.burst) {
        if (realNow() - activity.lastWriteAt < QUIET_MS || world.isRetired) return done()
        activity.burst = startBurst(request, labelOf(request))
      }
      const { burst } = activity
      clearTimeout(burst.timer)
      burst.timer = undefined
      burst.inFlight++
      bursts.set(request, burst)
      void burst.ready.then(() => done())
    }

    const settle: onSendHookHandler = (request, reply, payload, done) => {
      // A call of an unknown world fails, and has no world.
      const hasWritten = (stateOf(request.raw).scriptStatus ?? reply.statusCode) < 400
      if (hasWritten) activityOf(request.world).lastWriteAt = realNow()
      const burst = bursts.get(request)
      if (burst && bursts.delete(request)) {
        burst.inFlight--
        if (hasWritten) keep(burst, request)
        else if (burst.inFlight === 0) startTimer(burst, activityOf(request.world))
      }
      done(null, payload)
    }

    function keep(burst: Burst, request: FastifyRequest): void {
      const { checkpoint } = burst
      burst.checkpoint = undefined
      if (checkpoint) {
        // The write that it was taken for may have failed.
        checkpoint.label = labelOf(request)
        checkpoints.keep(checkpoint, max)
      }
      const activity = activityOf(request.world)
      if (activity.burst === burst) activity.burst = undefined
    }

    /** All writes have failed: another one soon would copy the same state again. */
    function startTimer(burst: Burst, activity: Activity): void {
      const left = burst.startedAt + MAX_AGE_MS - realNow()
      if (left <= 0) discard(burst, activity)
      else burst.timer = setTimeout(() => discard(burst, activity), left).unref()
    }

    function discard(burst: Burst, activity: Activity): void {
      clearTimeout(burst.timer)
      if (burst.checkpoint) checkpoints.discard(burst.checkpoint)
      burst.checkpoint = undefined
      if (activity.burst === burst) activity.burst = undefined
    }

    app.addHook('onRoute', (route) => {
      if (!isWriteRoute(route) || route.config?.keepsState) return
      route.preHandler = [take, ...[route.preHandler ?? []].flat()]
      route.onSend = [...[route.onSend ?? []].flat(), settle]
    })
  },
  { name: 'program checkpoints', dependencies: ['worlds', 'jsonp'] },
)

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

/** Without values: they may be secrets, or text of users. */
const labelOf = ({ method, routeOptions: { url = '' } }: FastifyRequest): string =>
  `${method} ${url.replace(/:(\w+)/g, '{$1}')}`
