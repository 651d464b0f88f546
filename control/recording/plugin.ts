import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { worldOfToken } from '../../db/ids.ts'
import { DEFAULT_WORLD, type Worlds } from '../../db/worlds.ts'
import { stateOf } from '../../http/request_state.ts'
import { readToken } from '../../http/tokens.ts'
import type { Recorder } from './recorder.ts'

interface Options {
  recorder: Recorder
  worlds: Worlds
}

/** Records the calls of all routes. Only a server that records has its hooks. */
export default fp<Options>(
  async (app, { recorder, worlds }) => {
    recorder.connect(worlds)
    // Before any other hook: nothing of the call has happened yet.
    app.addHook('onRequest', (request, reply, done) => {
      const wait = recorder.begin(request, reply, worldNumberOf(request))
      if (wait) wait.then(() => done())
      else done()
    })
    app.addHook('preHandler', (request, _reply, done) => {
      recorder.start(request)
      done()
    })
    // Before the worlds close.
    app.addHook('onClose', () => recorder.close())
  },
  { name: 'recording', dependencies: [] },
)

/** The number of a request's world, before the plugin that acquires it. */
function worldNumberOf(request: FastifyRequest): number {
  const { worldNumber, isControl } = stateOf(request.raw)
  const token = worldNumber === undefined && !isControl ? readToken(request) : undefined
  return worldNumber ?? (token === undefined ? undefined : worldOfToken(token)) ?? DEFAULT_WORLD
}
