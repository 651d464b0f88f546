import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { BoundedCache } from '../db/bounded_cache.ts'
import { worldOfToken } from '../db/ids.ts'
import type { World } from '../db/world.ts'
import { DEFAULT_WORLD, type Worlds } from '../db/worlds.ts'
import { routeNotFound } from '../http/errors.ts'

declare module 'http' {
  interface IncomingMessage {
    /** The token as the client sent it; undefined for none. */
    token?: string | undefined
    /** The handler has answered: the world is not held for it any more. */
    isReleased?: boolean
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    world: World
  }
}

/**
 * Finds the world of a request and holds it until the handler has answered; what it streams afterwards holds the world
 * itself. `by: 'token'`, the emulated API: by what clients already send, the address `/w/{id}`, else the number inside
 * the token, else the default world; a token of another world than the address names is then simply unknown there. `by:
 * 'address'`, control calls: by the address alone.
 */
export default fp(
  async (app, { worlds, by }: { worlds: Worlds; by: 'token' | 'address' }) => {
    if (!app.hasRequestDecorator('world')) app.decorateRequest('world', null as unknown as World)

    app.addHook('onRequest', (request, _reply, done) => {
      const { raw } = request
      const sent = by === 'token' ? sentToken(request) : undefined
      raw.token = sent?.token
      const world = worlds.acquire(raw.worldNumber ?? worldNumberOf(worlds, sent))
      const onWorld = (world: World | undefined) => {
        if (world) request.world = world
        done(world ? undefined : routeNotFound())
      }
      if (world instanceof Promise) world.then(onWorld, done)
      else onWorld(world)
    })
    // Not at the end of the response: a client that goes away ends that, but not the handler.
    app.addHook('onSend', (request, _reply, payload, done) => {
      releaseWorld(worlds, request)
      done(null, payload)
    })
  },
  { name: 'worlds' },
)

/** Lets the world of a request go, once; whoever ends one without an answer calls it. */
export function releaseWorld(worlds: Worlds, { raw, world }: FastifyRequest): void {
  if (!world || raw.isReleased) return
  raw.isReleased = true
  worlds.release(world)
}

const worldNumberOf = (worlds: Worlds, sent: SentToken | undefined): number =>
  sent?.world !== undefined && worlds.has(sent.world) ? sent.world : DEFAULT_WORLD

/**
 * Goes over to another world, where only the body says which one a request is for; stays where there is none of that
 * number.
 */
export async function switchWorld(worlds: Worlds, request: FastifyRequest, id: number): Promise<World> {
  const before = request.world
  if (id === before.id) return before
  const world = await worlds.acquire(id)
  if (!world) return before
  request.world = world
  worlds.release(before)
  return world
}

/** A token as it was sent, and the number of the world that it carries. */
interface SentToken {
  token: string
  world: number | undefined
}

/** What was read before: most clients send the same header with every call. */
const tokensByHeader = new BoundedCache<string, SentToken>(1000)
/** Letters; longer ones are none of ours. */
const MAX_CACHED_HEADER = 200

/** The header wins over the query; empty counts as none. */
function sentToken(request: FastifyRequest): SentToken | undefined {
  const header = request.headers.authorization
  if (!header) {
    const sent = (request.query as { access_token?: string | string[] }).access_token
    return parseToken((Array.isArray(sent) ? sent[0] : sent) || undefined)
  }
  const cached = tokensByHeader.get(header)
  if (cached) return cached
  const sent = parseToken(/^bearer +/i.test(header) ? header.slice('bearer '.length).trim() || undefined : header)
  if (!sent || header.length > MAX_CACHED_HEADER) return sent
  tokensByHeader.set(header, sent)
  return sent
}

const parseToken = (token: string | undefined): SentToken | undefined =>
  token === undefined ? undefined : { token, world: worldOfToken(token) }
