import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Reading, Span } from '../db/clock.ts'
import type { World } from '../db/world.ts'
import './auth.ts'
import { openShelf } from './shelf.ts'

declare module 'http' {
  interface IncomingMessage {
    /** The handler makes an answer that may be given again. */
    making?: Making
    /** The answer that is given again. */
    again?: Kept
  }
}

/** What an answer is made from. */
interface Making {
  key: string
  version: number
  switches: World['switches']
  reading: Reading
}

/**
 * An answer that was given, and as long as nothing has changed is given again; without a text it was asked for once.
 */
interface Kept {
  version: number
  switches: World['switches']
  span?: Span
  text?: string
  /** The same as it goes out, where that is long: made once. */
  sent?: Buffer | undefined
}

/** Bytes that are kept, of all worlds together. */
const MOST_BYTES = 8 * 1024 * 1024
/** Bytes of one: larger ones would drive out many. */
const LARGEST = 256 * 1024
/** Letters from which on it pays to have the bytes as well. */
const LONG = 4096
/** What one costs beside its text. */
const OVERHEAD = 200

/**
 * Gives the finished text of a GET again when it is asked for once more by the same caller and nothing was written in
 * its world meanwhile, nor the time has come on that it was read from: what a handler answers comes from the world's
 * data, clock and switches, from who asks, the address and the headers that its schema names, and from nothing else. It
 * stands behind faults and the check of the token, and before all that is done to an answer, so that a kept one is
 * treated like any other.
 */
export default fp(
  async (app) => {
    const shelf = openShelf<Kept>(MOST_BYTES)
    /** A world that is opened anew is another: its file may have changed. */
    const serials = new WeakMap<World, number>()
    let last = 0

    function serialOf(world: World): number {
      const known = serials.get(world)
      if (known !== undefined) return known
      serials.set(world, ++last)
      return last
    }

    app.addHook('onRoute', (route) => {
      if (route.method !== 'GET' || route.config?.aside || route.config?.access === 'control') return
      const declared = route.schema?.headers as { properties?: object } | undefined
      const names = Object.keys(declared?.properties ?? {})
      route.onRequest = [
        (request, reply, done) => {
          const { world, raw } = request
          const { clock, switches } = world
          const key = keyOf(serialOf(world), request, names)
          const version = world.version()
          const known = shelf.get(key)
          const isSame = known?.version === version && known.switches === switches
          if (isSame && known.text !== undefined && clock.isIn(known.span!)) {
            raw.again = known
            reply.header('content-type', JSON_TYPE).send(known.text)
            return
          }
          // What nobody asks for twice is not worth its place.
          if (isSame) raw.making = { key, version, switches, reading: clock.watch() }
          else shelf.keep(key, { version, switches }, 2 * key.length + OVERHEAD)
          done()
        },
        ...[route.onRequest ?? []].flat(),
      ]
      // After all that is done to an answer.
      route.onSend = [
        ...[route.onSend ?? []].flat(),
        (request, _reply, payload, done) => {
          const { again } = request.raw
          done(null, again?.sent && payload === again.text ? again.sent : payload)
        },
      ]
    })

    app.addHook('onSend', (request, reply, payload, done) => {
      const { making } = request.raw
      if (!making) return done(null, payload)
      request.raw.making = undefined
      const { world } = request
      const { key, version, switches, reading } = making
      const isFinished = reply.statusCode === 200 && typeof payload === 'string' && payload.length <= LARGEST
      if (isFinished && world.version() === version && reply.getHeader('content-type') === JSON_TYPE) {
        const span = world.clock.holds(reading)
        const sent = payload.length > LONG ? Buffer.from(payload) : undefined
        const size = 2 * (key.length + payload.length) + (sent?.length ?? 0) + OVERHEAD
        if (span) shelf.keep(key, { version, switches, span, text: payload, sent }, size)
      }
      done(null, payload)
    })
  },
  { name: 'finished', dependencies: ['worlds'] },
)

const JSON_TYPE = 'application/json; charset=utf-8'

function keyOf(serial: number, { raw, caller, headers }: FastifyRequest, names: string[]): string {
  let key = `${serial} ${caller?.user_id} ${caller?.application_id} ${raw.url}`
  for (const name of names) key += `\n${headers[name] ?? ''}`
  return key
}
