import type { FastifyRequest, onSendHookHandler, preHandlerHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import { realNow } from '../../db/clock.ts'
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

/** The writes that arrive after a quiet second, until one of them succeeds. They wait for one checkpoint. */
interface Burst {
  /** Ends when the checkpoint is taken. Never rejects. */
  ready: Promise<void>
  /** Until it is kept or discarded; undefined also if none could be taken. */
  checkpoint: Checkpoint | undefined
  /** Those that are not answered yet. */
  inFlight: number
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
      const burst: Burst = { ready: copy().catch(report), checkpoint: undefined, inFlight: 0 }
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
      if (!activity.burst) {
        if (realNow() - activity.lastWriteAt < QUIET_MS || world.isRetired) return done()
        activity.burst = startBurst(request, labelOf(request))
      }
      const { burst } = activity
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
        if (hasWritten || burst.inFlight === 0) endBurst(burst, request, hasWritten)
      }
      done(null, payload)
    }

    /** `isKept`: the write of `request` has succeeded; otherwise all have failed. */
    function endBurst(burst: Burst, request: FastifyRequest, isKept: boolean): void {
      const { checkpoint } = burst
      burst.checkpoint = undefined
      if (checkpoint && isKept) {
        // The write that it was taken for may have failed.
        checkpoint.label = labelOf(request)
        checkpoints.keep(checkpoint, max)
      } else if (checkpoint) checkpoints.discard(checkpoint)
      const activity = activityOf(request.world)
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

/** Without values: they may be secrets, or text of users. */
const labelOf = ({ method, routeOptions: { url = '' } }: FastifyRequest): string =>
  `${method} ${url.replace(/:(\w+)/g, '{$1}')}`
