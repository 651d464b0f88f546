import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { worldOfToken } from '../db/ids.ts'
import type { World } from '../db/world.ts'
import type { Worlds } from '../db/worlds.ts'
import { routeNotFound } from '../http/errors/errors.ts'
import { stateOf } from '../http/request_state.ts'
import { acquireOrDefault, releaseWorld } from '../http/request_world.ts'
import { readToken } from '../http/tokens.ts'

interface WorldsOptions {
  worlds: Worlds
}

/**
 * Sets `request.world` and keeps it open until the handler has finished. The emulated API finds it by what clients send
 * anyway: the address `/w/{number}`, else the number in the token, else it is the default world
 * [spec: http.worlds.address, http.worlds.token].
 */
export const worldsByToken = fp<WorldsOptions>(
  async (app, { worlds }) =>
    useWorld(app, worlds, (request) => {
      const token = readToken(request)
      return token === undefined ? undefined : worldOfToken(token)
    }),
  { name: 'worlds', dependencies: ['cors'] },
)

/** The same for control calls: the address alone selects the world. */
export const worldsByAddress = fp<WorldsOptions>(
  async (app, { worlds }) => {
    if (worlds.refresh) app.addHook('onRequest', () => worlds.refresh!())
    useWorld(app, worlds, () => undefined)
  },
  { name: 'worlds', dependencies: ['control access'] },
)

/** `numberOf` is called for every request, but an address with a world wins. */
function useWorld(
  app: FastifyInstance,
  worlds: Worlds,
  numberOf: (request: FastifyRequest) => number | undefined,
): void {
  app.decorateRequest('world', null as unknown as World)

  app.addHook('onRequest', (request, _reply, done) => {
    const number = numberOf(request)
    const { chosenWorld, worldNumber } = stateOf(request.raw)
    const world =
      worldNumber === undefined
        ? acquireOrDefault(worlds, chosenWorld ?? number)
        : worlds.acquire(chosenWorld ?? worldNumber)
    const onWorld = (world: World | undefined) => {
      if (world) request.world = world
      done(world ? undefined : routeNotFound('http.worlds.address'))
    }
    if (world instanceof Promise) world.then(onWorld, done)
    else onWorld(world)
  })

  // Not at the end of the response: a client that disconnects ends the response, but not the handler.
  app.addHook('onSend', (request, _reply, payload, done) => {
    releaseWorld(worlds, request)
    done(null, payload)
  })
}
