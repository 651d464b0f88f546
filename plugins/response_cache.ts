import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { ClockReads, Validity } from '../db/clock.ts'
import type { World } from '../db/world.ts'
import './auth.ts'
import { createLruCache } from './lru_cache.ts'

declare module 'http' {
  interface IncomingMessage {
    /** The handler makes an answer that may be given again. */
    pending?: PendingResponse | undefined
    /** The answer that is given again. */
    hit?: CachedResponse
  }
}

/** What an answer is made from. */
interface PendingResponse {
  key: string
  version: number
  switches: World['switches']
  reads: ClockReads
}

/**
 * An answer that was given, and as long as nothing has changed is given again; without a text it was asked for once.
 */
interface CachedResponse {
  version: number
  switches: World['switches']
  validity?: Validity
  text?: string
  /** The same as it goes out, where that is long: made once. */
  buffer?: Buffer | undefined
}

/** Bytes that are kept, of all worlds together. */
const MAX_CACHE_BYTES = 8 * 1024 * 1024
/** Bytes of one: larger ones would drive out many. */
const MAX_ENTRY_BYTES = 256 * 1024
/** Letters from which on it pays to have the bytes as well. */
const MIN_BUFFERED_LENGTH = 4096
/** What one costs beside its text. */
const ENTRY_OVERHEAD_BYTES = 200

/**
 * Gives the finished text of a GET again when it is asked for once more by the same caller and nothing was written in
 * its world meanwhile, nor the time has come on that it was read from: what a handler answers comes from the world's
 * data, clock and switches, from who asks, the address and the headers that its schema names, and from nothing else. It
 * stands behind faults and the check of the token, and before all that is done to an answer, so that a kept one is
 * treated like any other.
 */
export default fp(
  async (app) => {
    const cache = createLruCache<CachedResponse>(MAX_CACHE_BYTES)
    /** A world that is opened anew is another: its file may have changed. */
    const worldSerials = new WeakMap<World, number>()
    let lastSerial = 0

    function serialOf(world: World): number {
      const existing = worldSerials.get(world)
      if (existing !== undefined) return existing
      worldSerials.set(world, ++lastSerial)
      return lastSerial
    }

    app.addHook('onRoute', (route) => {
      if (route.method !== 'GET' || route.config?.internal || route.config?.access === 'control') return
      const declared = route.schema?.headers as { properties?: object } | undefined
      const names = Object.keys(declared?.properties ?? {})
      route.onRequest = [
        (request, reply, done) => {
          const { world, raw } = request
          const { clock, switches } = world
          const key = cacheKey(serialOf(world), request, names)
          const version = world.version()
          const cached = cache.get(key)
          const isCurrent = cached?.version === version && cached.switches === switches
          if (isCurrent && cached.text !== undefined && clock.isValidNow(cached.validity!)) {
            raw.hit = cached
            reply.header('content-type', JSON_TYPE).send(cached.text)
            return
          }
          // What nobody asks for twice is not worth its place.
          if (isCurrent) raw.pending = { key, version, switches, reads: clock.trackReads() }
          else cache.set(key, { version, switches }, 2 * key.length + ENTRY_OVERHEAD_BYTES)
          done()
        },
        ...[route.onRequest ?? []].flat(),
      ]
      // After all that is done to an answer.
      route.onSend = [
        ...[route.onSend ?? []].flat(),
        (request, _reply, payload, done) => {
          const { hit } = request.raw
          done(null, hit?.buffer && payload === hit.text ? hit.buffer : payload)
        },
      ]
    })

    app.addHook('onSend', (request, reply, payload, done) => {
      const { pending } = request.raw
      if (!pending) return done(null, payload)
      request.raw.pending = undefined
      const { world } = request
      const { key, version, switches, reads } = pending
      const isCacheable = reply.statusCode === 200 && typeof payload === 'string' && payload.length <= MAX_ENTRY_BYTES
      if (isCacheable && world.version() === version && reply.getHeader('content-type') === JSON_TYPE) {
        const validity = world.clock.validitySince(reads)
        const buffer = payload.length > MIN_BUFFERED_LENGTH ? Buffer.from(payload) : undefined
        const size = 2 * (key.length + payload.length) + (buffer?.length ?? 0) + ENTRY_OVERHEAD_BYTES
        if (validity) cache.set(key, { version, switches, validity, text: payload, buffer }, size)
      }
      done(null, payload)
    })
  },
  { name: 'finished', dependencies: ['worlds'] },
)

const JSON_TYPE = 'application/json; charset=utf-8'

function cacheKey(serial: number, { raw, caller, headers }: FastifyRequest, headerNames: string[]): string {
  let key = `${serial} ${caller?.user_id} ${caller?.application_id} ${raw.url}`
  for (const name of headerNames) key += `\n${headers[name] ?? ''}`
  return key
}
