import type { FastifyRequest, onSendHookHandler, preHandlerHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import { NoSuchWorld, type Worlds } from '../../db/worlds.ts'
import type { OnFault } from '../../http/errors/error_handler.ts'
import { isWriteRoute } from '../../http/journal/enter_cause.ts'
import { stateOf } from '../../http/request_state.ts'
import type { Templates } from '../../scenarios/templates.ts'
import { describeState } from './checkpoints.ts'
import type { UndoCounter } from './undo_counter.ts'
import { type Burst, createWriteBursts } from './write_bursts.ts'

interface Options {
  worlds: Worlds
  templates: Templates
  undoCounter: UndoCounter
  /** Checkpoints of one world; 0: none are taken, and no route has a hook. */
  max: number
  onFault: OnFault
}

/** Takes a checkpoint of the world before the first write of the emulated API after a quiet second. */
export default fp<Options>(
  async (app, { worlds: { checkpoints }, templates, undoCounter, max, onFault }) => {
    if (max === 0) return
    // The write is answered as it would be without a checkpoint.
    const onError = (error: Error) => {
      if (!(error instanceof NoSuchWorld)) onFault(error)
    }
    const bursts = createWriteBursts({ checkpoints, max, onError })
    const joined = new WeakMap<FastifyRequest, Burst>()

    async function takeCheckpoint(request: FastifyRequest) {
      const { world } = request
      const state = await describeState(world, { templates, undoCounter })
      return checkpoints.take(world.id, { kind: 'program', label: labelOf(request), ...state })
    }

    const take: preHandlerHookHandler = (request, _reply, done) => {
      const { world, raw } = request
      if (stateOf(raw).isInternal) return done()
      const burst = bursts.join(world, () => takeCheckpoint(request))
      if (!burst) return done()
      joined.set(request, burst)
      void burst.ready.then(() => done())
    }

    function leave(request: FastifyRequest, label?: string): void {
      const burst = joined.get(request)
      if (burst && joined.delete(request)) bursts.leave(burst, request.world, label)
    }

    const settle: onSendHookHandler = (request, reply, payload, done) => {
      const hasWritten = (stateOf(request.raw).scriptStatus ?? reply.statusCode) < 400
      // A call of an unknown world fails, and has no world.
      if (hasWritten) bursts.recordWrite(request.world)
      leave(request, hasWritten ? labelOf(request) : undefined)
      done(null, payload)
    }

    app.addHook('onRoute', (route) => {
      if (!isWriteRoute(route) || route.config?.keepsState) return
      route.preHandler = [take, ...[route.preHandler ?? []].flat()]
      route.onSend = [...[route.onSend ?? []].flat(), settle]
      // A call that is answered elsewhere has no onSend hook.
      route.onError = [
        ...[route.onError ?? []].flat(),
        (request, _reply, _error, done) => {
          leave(request)
          done()
        },
      ]
    })
  },
  { name: 'program checkpoints', dependencies: ['worlds', 'jsonp'] },
)

/** Without values: they may be secrets, or text of users. */
const labelOf = ({ method, routeOptions: { url = '' } }: FastifyRequest): string =>
  `${method} ${url.replace(/:(\w+)/g, '{$1}')}`
