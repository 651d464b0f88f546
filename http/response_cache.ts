import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { keptFor } from '../db/kept.ts'
import type { World } from '../db/world.ts'
import { type CachedResponse, stateOf } from './request_state.ts'

export interface ResponseCache {
  /**
   * The stored answer, if nothing has changed that it was built from. Otherwise the request is noted: the answer to the
   * second one is stored, because most requests are never repeated. `headerNames`: headers that the answer depends on.
   */
  find(request: FastifyRequest, headerNames: readonly string[]): CachedResponse | undefined
  /** Stores an answer that `find` has marked as pending, unless its world has changed meanwhile. */
  store(request: FastifyRequest, text: string): void
}

/** Bytes of all worlds together. */
const MAX_CACHE_BYTES = 8 * 1024 * 1024
/** Characters of one answer; a longer one would evict many. */
const MAX_TEXT_LENGTH = 256 * 1024
/** Characters from which on encoding the text for each request costs more than the memory for its bytes. */
const MIN_BUFFERED_LENGTH = 4096
/** Memory of an entry without its key and text, bytes. */
const ENTRY_OVERHEAD_BYTES = 200

export function createResponseCache(maxBytes = MAX_CACHE_BYTES): ResponseCache {
  const cache = new LRUCache<string, CachedResponse>({ maxSize: maxBytes })
  let lastSerial = 0
  /** A world that is reopened gets a new number, because its file may have changed. */
  const serialOf = keptFor((_: World) => ++lastSerial)

  function keyOf({ world, raw, caller, headers }: FastifyRequest, headerNames: readonly string[]): string {
    let key = `${serialOf(world)} ${caller?.user_id} ${caller?.application_id} ${raw.url}`
    for (const name of headerNames) key += `\n${headers[name] ?? ''}`
    return key
  }

  return {
    find(request, headerNames) {
      const { world } = request
      const { clock, switches } = world
      const key = keyOf(request, headerNames)
      const version = world.version()
      const cached = cache.get(key)
      if (cached?.version !== version || cached.switches !== switches) {
        cache.set(key, { version, switches }, { size: 2 * key.length + ENTRY_OVERHEAD_BYTES })
        return undefined
      }
      if (cached.text !== undefined && clock.isValidNow(cached.validity!)) return cached
      stateOf(request.raw).pending = { key, version, switches, reads: clock.trackReads() }
      return undefined
    },
    store({ world, raw }, text) {
      const { key, version, switches, reads } = stateOf(raw).pending!
      if (text.length > MAX_TEXT_LENGTH || world.version() !== version) return
      const validity = world.clock.validitySince(reads)
      if (!validity) return
      const buffer = text.length > MIN_BUFFERED_LENGTH ? Buffer.from(text) : undefined
      const size = 2 * (key.length + text.length) + (buffer?.length ?? 0) + ENTRY_OVERHEAD_BYTES
      cache.set(key, { version, switches, validity, text, buffer }, { size })
    },
  }
}
