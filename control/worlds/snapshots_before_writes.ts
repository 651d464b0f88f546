import type { FastifyRequest, preHandlerHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import { realNow } from '../../db/clock.ts'
import type { Generation } from '../../db/world.ts'
import { NoSuchWorld, type Worlds } from '../../db/worlds.ts'
import type { OnFault } from '../../http/errors/error_handler.ts'
import { isWriteRoute } from '../../http/journal/enter_cause.ts'
import { stateOf } from '../../http/request_state.ts'
import type { UndoCounter } from './undo_counter.ts'

/** Real time without writes, after which the next one takes a snapshot. */
const QUIET_MS = 1000

/** Snapshots that are being taken, for all parts of the API; they never reject. */
const inFlight = new WeakMap<Generation, Promise<void>>()

interface Options {
  worlds: Worlds
  undoCounter: UndoCounter
  /** Snapshots of one world; 0: none are taken, and no route has a hook. */
  max: number
  onFault: OnFault
}

/** Takes a snapshot of the world before the first write of the emulated API after a quiet second; the first success keeps it. */
export default fp<Options>(
  async (app, { worlds: { automaticSnapshots }, undoCounter, max, onFault }) => {
    if (max === 0) return
    async function takeSnapshot({ world, method, routeOptions }: FastifyRequest): Promise<void> {
      const { id, generation } = world
      // Without values: they may be secrets, or text of users.
      const label = `${method} ${routeOptions.url?.replace(/:(\w+)/g, '{$1}')}`
      try {
        const state = await undoCounter.describeState(world)
        const snapshot = await automaticSnapshots.take(id, { automatic: 'program', label, ...state })
        generation.onWrite = snapshot && (() => automaticSnapshots.keep(snapshot, max))
      } catch (error) {
        // The write is answered as it would be without a snapshot.
        if (!(error instanceof NoSuchWorld)) onFault(error as Error)
      }
      inFlight.delete(generation)
    }

    const take: preHandlerHookHandler = (request, _reply, done) => {
      const { world, raw } = request
      if (stateOf(raw).isInternal || world.isRetired) return done()
      const { generation } = world
      const isQuiet = realNow() - generation.lastWriteAt >= QUIET_MS
      generation.lastWriteAt = realNow()
      if (isQuiet && !inFlight.has(generation)) inFlight.set(generation, takeSnapshot(request))
      const copy = inFlight.get(generation)
      if (copy) void copy.then(() => done())
      else done()
    }

    app.addHook('onRoute', (route) => {
      if (!isWriteRoute(route) || route.config?.keepsState) return
      route.preHandler = [take, ...[route.preHandler ?? []].flat()]
    })
  },
  { name: 'snapshots before writes', dependencies: ['worlds', 'journal'] },
)
