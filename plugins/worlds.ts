import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { worldOfToken } from '../db/ids.ts'
import { Remembered } from '../db/remembered.ts'
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
      const sent = by === 'token' ? sentToken(request) : undefined
      raw.token = sent?.token
      const world = worlds.hold(raw.world_number ?? numberIn(worlds, sent))
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

const numberIn = (worlds: Worlds, sent: Sent | undefined): number =>
  sent?.world !== undefined && worlds.has(sent.world) ? sent.world : HOME

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

/** A token as it was sent, and the number of the world that it carries. */
interface Sent {
  token: string
  world: number | undefined
}

/** What was read before: most clients send the same header with every call. */
const read = new Remembered<string, Sent>(1000)
/** Letters; longer ones are none of ours. */
const LONGEST = 200

/** The header wins over the query; empty counts as none. */
function sentToken(request: FastifyRequest): Sent | undefined {
  const header = request.headers.authorization
  if (!header) {
    const sent = (request.query as { access_token?: string | string[] }).access_token
    return readToken((Array.isArray(sent) ? sent[0] : sent) || undefined)
  }
  const known = read.get(header)
  if (known) return known
  const sent = readToken(/^bearer +/i.test(header) ? header.slice('bearer '.length).trim() || undefined : header)
  if (!sent || header.length > LONGEST) return sent
  read.set(header, sent)
  return sent
}

const readToken = (token: string | undefined): Sent | undefined =>
  token === undefined ? undefined : { token, world: worldOfToken(token) }
