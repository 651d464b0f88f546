import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { worldOfToken } from '../db/ids.ts'
import type { World } from '../db/world.ts'
import { HOME, type Worlds } from '../db/worlds.ts'
import { unknownRoute } from './errors.ts'

declare module 'http' {
  interface IncomingMessage {
    /** The token as the client sent it; undefined for none. */
    token?: string
    /** The handler has answered: the world is not held for it any more. */
    let_go?: boolean
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
      if (by === 'token') raw.token = sentToken(request)
      const world = worlds.hold(raw.world_number ?? numberIn(worlds, raw.token))
      const found = (world: World | undefined) => {
        if (world) request.world = world
        done(world ? undefined : unknownRoute())
      }
      if (world instanceof Promise) world.then(found, done)
      else found(world)
    })
    // Not at the end of the response: a client that goes away ends that, but not the handler.
    app.addHook('onSend', (request, _reply, payload, done) => {
      release(worlds, request)
      done(null, payload)
    })
  },
  { name: 'worlds' },
)

/** Lets the world of a request go, once; whoever ends one without an answer calls it. */
export function release(worlds: Worlds, { raw, world }: FastifyRequest): void {
  if (!world || raw.let_go) return
  raw.let_go = true
  worlds.letGo(world)
}

function numberIn(worlds: Worlds, token: string | undefined): number {
  const id = token === undefined ? undefined : worldOfToken(token)
  return id !== undefined && worlds.has(id) ? id : HOME
}

/**
 * Goes over to another world, where only the body says which one a request is for; stays where there is none of that
 * number.
 */
export async function enter(worlds: Worlds, request: FastifyRequest, id: number): Promise<World> {
  const before = request.world
  if (id === before.id) return before
  const world = await worlds.hold(id)
  if (!world) return before
  request.world = world
  worlds.letGo(before)
  return world
}

/** The header wins over the query; empty counts as none. */
function sentToken(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization
  if (header) return /^bearer +/i.test(header) ? header.slice('bearer '.length).trim() || undefined : header
  const sent = (request.query as { access_token?: string | string[] }).access_token
  return (Array.isArray(sent) ? sent[0] : sent) || undefined
}
