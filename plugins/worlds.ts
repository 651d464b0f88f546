import { Readable } from 'node:stream'
import type { DoneFuncWithErrOrRes, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { worldOfToken } from '../db/ids.ts'
import type { World } from '../db/world.ts'
import type { Worlds } from '../db/worlds.ts'
import { errorBody } from '../http/error_handler.ts'
import { routeNotFound, unavailable } from '../http/errors.ts'
import { stateOf } from '../http/request_state.ts'
import { acquireOrDefault, releaseWorld } from '../http/request_world.ts'
import { readToken } from '../http/tokens.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

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
    const { sharing } = worlds
    if (sharing) app.addHook('onRequest', () => sharing.refresh())
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
    const { sentOnWorld, worldNumber } = stateOf(request.raw)
    const world =
      worldNumber === undefined
        ? acquireOrDefault(worlds, sentOnWorld ?? number)
        : worlds.acquire(sentOnWorld ?? worldNumber)
    const onWorld = (world: World | undefined) => {
      if (world) request.world = world
      done(world ? undefined : routeNotFound('http.worlds.address'))
    }
    if (world instanceof Promise) world.then(onWorld, done)
    else onWorld(world)
  })

  const { sharing } = worlds
  // Not at the end of the response: a client that disconnects ends the response, but not the handler.
  app.addHook('onSend', (request, reply, payload, done) => {
    releaseWorld(worlds, request)
    if (sharing) sendWhenStored(request, reply, payload, done)
    else done(null, payload)
  })
}

/**
 * Has an answer wait until the commits that it has seen are stored: another server may continue without others. Only
 * where servers share their worlds.
 */
function sendWhenStored(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: DoneFuncWithErrOrRes,
): void {
  const { world } = request
  const stored = world?.whenStored()
  const answer = () => done(null, world?.isBroken() ? refuse(request, reply, payload) : payload)
  if (stored) stored.then(answer, answer)
  else answer()
}

/** Answers with 503 in place of an answer that another server may contradict. Returns the body. */
function refuse(request: FastifyRequest, reply: FastifyReply, payload: unknown): string {
  if (payload instanceof Readable) payload.destroy()
  const error = unavailable()
  stateOf(request.raw).violation = error.violation
  reply.code(error.statusCode).headers(error.headers!).removeHeader('content-length').type(JSON_TYPE)
  return JSON.stringify(errorBody(request, error))
}
