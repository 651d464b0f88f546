import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Validity } from '../db/clock.ts'
import { worldOfToken } from '../db/ids.ts'
import { keptFor } from '../db/kept.ts'
import type { World } from '../db/world.ts'
import { DEFAULT_WORLD } from '../db/worlds.ts'
import { type CountedRequest, REQUEST_ID } from './connections/traffic.ts'
import { EXPLAIN_HEADER } from './errors/explain_address.ts'
import { FAULT_HEADER } from './faults/faults.ts'
import type { Entry } from './journal/journal_entry.ts'
import type { Journals } from './journal/journals.ts'
import { isWordForId } from './paths.ts'
import { type Known, stateOf } from './request_state.ts'
import { sentAs } from './utf8.ts'

/** The answers to requests that came several times, each the same with all its headers. */
export interface ResponseCache {
  /** What is known of earlier requests that were the same; `target`: path and query without the world. */
  find(raw: IncomingMessage, target: string): KnownRequest | undefined
  /** The stored answer, if nothing has changed that it was built from. Otherwise `note` may store the next one. */
  answerOf(known: KnownRequest, world: World, raw: IncomingMessage): StoredAnswer | undefined
  /** Notes an answer as it is sent, and stores that to the second request: most requests are never repeated. */
  note(request: FastifyRequest, reply: FastifyReply, answer: unknown): void
}

export interface KnownRequest extends Known {
  /** In its address. */
  readonly worldNumber: number | undefined
  /** Names and values, as they arrived. */
  readonly headers: readonly string[]
  answer: StoredAnswer | undefined
  /** Bytes. */
  readonly size: number
}

export interface StoredAnswer {
  validity: Validity
  status: number
  headers: OutgoingHttpHeaders
  /** The UTF-8 bytes of the answer. As characters (latin1) Node writes them together with the head. */
  payload: string | Buffer
  /** As sent; it must still be valid. */
  token: string | undefined
  /** What the journal has of the request. */
  entry: Entry
  /** What logs show of it. */
  request: Pick<CountedRequest, 'method' | 'routeOptions' | 'params' | 'query'>
}

/** Bytes of all worlds together. */
const MAX_CACHE_BYTES = 8 * 1024 * 1024
/** Characters of one answer; a longer one would evict many. */
const MAX_TEXT_LENGTH = 256 * 1024
/** Requests to one address with different headers; of more, those that came last. */
const MAX_SENDERS = 32
/** Memory of an entry without its headers and text, and of a header without its characters, bytes. */
const ENTRY_OVERHEAD_BYTES = 200
const HEADER_OVERHEAD_BYTES = 20
const ANSWER_OVERHEAD_BYTES = 600
/** Of requests with a body, or a fault. */
const UNREPEATED_HEADERS = [FAULT_HEADER, 'content-length', 'transfer-encoding']
const JSON_TYPE = 'application/json; charset=utf-8'

export function createResponseCache(journals: Journals, maxBytes = MAX_CACHE_BYTES): ResponseCache {
  const cache = new LRUCache<string, readonly KnownRequest[]>({ maxSize: maxBytes })
  let lastSerial = 0
  const serialOf = keptFor((_: World) => ++lastSerial)

  const stateNow = (world: World) => ({
    worldId: world.id,
    serial: serialOf(world),
    version: world.version(),
    switches: world.switches,
  })

  function remember(target: string, { raw, world }: FastifyRequest, answer?: StoredAnswer): void {
    const { worldNumber } = stateOf(raw)
    const { rawHeaders: headers } = raw
    let size = 2 * target.length + ENTRY_OVERHEAD_BYTES
    for (const text of headers) size += 2 * text.length + HEADER_OVERHEAD_BYTES
    if (answer) size += ANSWER_OVERHEAD_BYTES + 2 * answer.payload.length + answer.entry.size
    const all: KnownRequest[] = [{ worldNumber, headers, ...stateNow(world), answer, size }]
    for (const other of cache.get(target) ?? []) {
      if (all.length === MAX_SENDERS || size + other.size > maxBytes || isOf(other, raw)) continue
      size += other.size
      all.push(other)
    }
    cache.set(target, all, { size })
  }

  return {
    find(raw, target) {
      const state = stateOf(raw)
      // For the router a HEAD is a GET, and a JSONP write none.
      if (raw.method !== 'GET' || state.isHead || state.isUncounted || raw.httpVersion !== '1.1') return undefined
      const known = cache.get(target)?.find((one) => isOf(one, raw))
      state.repeat = { target, known, basis: undefined }
      return known
    },
    answerOf(known, world, raw) {
      const { clock, switches } = world
      const version = world.version()
      if (known.version !== version || known.switches !== switches || known.serial !== serialOf(world)) return undefined
      if (known.answer && clock.isValidNow(known.answer.validity)) return known.answer
      stateOf(raw).repeat!.basis = { world, version, switches, reads: clock.trackReads() }
      return undefined
    },
    note(request, reply, text) {
      const { world, raw } = request
      const { repeat, journalId } = stateOf(raw)
      // There is no world with the number of some requests.
      if (!repeat || !world || typeof text !== 'string') return
      const { target, known, basis } = repeat
      // After a write. Its size stays that of the forgotten answer, until it is stored again or evicted.
      if (known && !basis) return void Object.assign(known, stateNow(world), { answer: undefined })
      if (!isStorable(request, reply)) return
      const isSame = basis?.world === world && basis.version === world.version() && basis.switches === world.switches
      const validity = isSame ? world.clock.validitySince(basis.reads) : undefined
      const entry = validity && journals.of(world.generation).requests.get(journalId)
      if (!entry || text.length > MAX_TEXT_LENGTH || isStandIn(world, raw)) return remember(target, request)
      remember(target, request, { ...answerOf(request, reply, text), validity, entry })
    },
  }
}

/** Whether a request is the same. One string of all headers as a key would take longer than a small answer. */
function isOf({ worldNumber, headers }: KnownRequest, raw: IncomingMessage): boolean {
  const { rawHeaders } = raw
  if (worldNumber !== stateOf(raw).worldNumber || headers.length !== rawHeaders.length) return false
  for (let n = 0; n < headers.length; n++) if (headers[n] !== rawHeaders[n]) return false
  return true
}

/** Whether it is the default world in place of that of the token, which may still come. */
function isStandIn({ id }: World, raw: IncomingMessage): boolean {
  const { worldNumber, token } = stateOf(raw)
  return id !== (worldNumber ?? (token && worldOfToken(token)) ?? DEFAULT_WORLD)
}

/** An answer that only the state of its world decides, without a header of its request only. */
function isStorable(request: FastifyRequest, reply: FastifyReply): boolean {
  const { raw, world } = request
  const { callback, callbackViolation, stubId } = stateOf(raw)
  if (callback !== undefined || callbackViolation || stubId !== null) return false
  if (UNREPEATED_HEADERS.some((name) => raw.headers[name] !== undefined) || world.faults.length > 0) return false
  if (reply.statusCode !== 200 && !isMissing(request, reply)) return false
  return reply.getHeader('content-type') === JSON_TYPE && !reply.hasHeader('connection')
}

/** An id that the caller has asked for is not there. Other unknown calls may become stubs. */
const isMissing = ({ raw, caller, routeOptions, url }: FastifyRequest, reply: FastifyReply): boolean =>
  reply.statusCode === 404 &&
  caller !== null &&
  stateOf(raw).violation !== undefined &&
  !isWordForId(routeOptions, url) &&
  !reply.hasHeader(EXPLAIN_HEADER)

function answerOf(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
): Omit<StoredAnswer, 'validity' | 'entry'> {
  const { method, routeOptions, params, query } = request
  const sent = sentAs(text)
  const length = Buffer.byteLength(sent)
  const isPlain = sent.length === length
  const { [REQUEST_ID]: _, ...headers } = reply.getHeaders() as OutgoingHttpHeaders
  return {
    status: reply.statusCode,
    headers: { ...headers, 'content-length': length },
    payload: isPlain ? sent : Buffer.from(sent).toString('latin1'),
    token: stateOf(request.raw).token,
    request: { method, routeOptions, params, query },
  }
}
