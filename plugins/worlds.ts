import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { worldOfToken } from '../db/ids.ts'
import type { World } from '../db/world.ts'
import type { Worlds } from '../db/worlds.ts'
import { unknownRoute } from './errors.ts'

declare module 'http' {
  interface IncomingMessage {
    /** The token as the client sent it; undefined for none. */
    token?: string
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    world: World
  }
}

/**
 * Finds the world of a request by what clients already send: the address `/w/{id}`, else the number inside the token,
 * else the default world. A token of another world than the address names is then simply unknown there.
 */
export default fp(
  async (app, { worlds }: { worlds: Worlds }) => {
    app.decorateRequest('world', null as unknown as World)
    app.addHook('onRequest', (request, _reply, done) => {
      const { raw } = request
      raw.token = sentToken(request)
      const named = raw.world_number
      const world = named === undefined ? worldOf(worlds, raw.token) : worlds.find(named)
      // Set in any case: whoever words the refusal may look at it.
      request.world = world ?? worlds.home
      done(world ? undefined : unknownRoute())
    })
  },
  { name: 'worlds' },
)

function worldOf(worlds: Worlds, token: string | undefined): World {
  const id = token === undefined ? undefined : worldOfToken(token)
  return (id !== undefined && worlds.find(id)) || worlds.home
}

/** The header wins over the query; empty counts as none. */
function sentToken(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization
  if (header) return /^bearer +/i.test(header) ? header.slice('bearer '.length).trim() || undefined : header
  const sent = (request.query as { access_token?: string | string[] }).access_token
  return (Array.isArray(sent) ? sent[0] : sent) || undefined
}
