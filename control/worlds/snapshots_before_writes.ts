import type { FastifyRequest, onSendHookHandler, preHandlerHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import { realNow } from '../../db/clock.ts'
import type { Generation } from '../../db/world.ts'
import { type AutomaticSnapshot, NoSuchWorld, type Worlds } from '../../db/worlds.ts'
import type { OnFault } from '../../http/errors/error_handler.ts'
import { isWriteRoute } from '../../http/journal/enter_cause.ts'
import { stateOf } from '../../http/request_state.ts'
import type { UndoCounter } from './undo_counter.ts'

/** Real time without writes, after which the next one takes a snapshot. */
const QUIET_MS = 1000

interface Options {
  worlds: Worlds
  undoCounter: UndoCounter
  /** Snapshots of one world; 0: none are taken, and no route has a hook. */
  max: number
  onFault: OnFault
}

/** The latest snapshot of a state, until a write after it has succeeded. */
interface Pending {
  /** Set until it is taken, which writes wait for. Never rejects. */
  taking: Promise<void> | undefined
  snapshot: AutomaticSnapshot | undefined
}

/** Takes a snapshot of the world before the first write of the emulated API after a quiet second. */
export default fp<Options>(
  async (app, { worlds: { automaticSnapshots }, undoCounter, max, onFault }) => {
    if (max === 0) return
    const pending = new WeakMap<Generation, Pending>()

    async function takeSnapshot(request: FastifyRequest): Promise<AutomaticSnapshot | undefined> {
      const { world, method, routeOptions } = request
      // Without values: they may be secrets, or text of users.
      const label = `${method} ${routeOptions.url?.replace(/:(\w+)/g, '{$1}')}`
      const state = await undoCounter.describeState(world)
      return automaticSnapshots.take(world.id, { automatic: 'program', label, ...state })
    }
    // The write is answered as it would be without a snapshot.
    const onError = (error: Error) => {
      if (!(error instanceof NoSuchWorld)) onFault(error)
    }
    function start(request: FastifyRequest): Pending {
      const started: Pending = { taking: undefined, snapshot: undefined }
      const setSnapshot = (snapshot: AutomaticSnapshot | undefined) => {
        started.snapshot = snapshot
      }
      started.taking = takeSnapshot(request)
        .then(setSnapshot)
        .catch(onError)
        .finally(() => {
          started.taking = undefined
        })
      pending.set(request.world.generation, started)
      return started
    }

    const take: preHandlerHookHandler = (request, _reply, done) => {
      const { world, raw } = request
      if (stateOf(raw).isInternal || world.isRetired) return done()
      const { generation } = world
      const isQuiet = realNow() - generation.lastWriteAt >= QUIET_MS
      generation.lastWriteAt = realNow()
      let { taking } = pending.get(generation) ?? {}
      if (isQuiet) taking ??= start(request).taking
      if (taking) void taking.then(() => done())
      else done()
    }

    const settle: onSendHookHandler = ({ world, raw }, reply, payload, done) => {
      // A call of an unknown world fails, and has no world.
      const snapshot = world && pending.get(world.generation)?.snapshot
      if (snapshot && (stateOf(raw).scriptStatus ?? reply.statusCode) < 400) {
        pending.delete(world.generation)
        automaticSnapshots.keep(snapshot, max)
      }
      done(null, payload)
    }

    app.addHook('onRoute', (route) => {
      if (!isWriteRoute(route) || route.config?.keepsState) return
      route.preHandler = [take, ...[route.preHandler ?? []].flat()]
      route.onSend = [...[route.onSend ?? []].flat(), settle]
    })
  },
  { name: 'snapshots before writes', dependencies: ['worlds', 'jsonp'] },
)
