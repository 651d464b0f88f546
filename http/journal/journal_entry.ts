import type { FastifyRequest } from 'fastify'
import { realNow } from '../../db/clock.ts'
import type { Violation } from '../errors/answered_error.ts'
import { pathOf } from '../patterns.ts'
import { stateOf } from '../request_state.ts'
import { firstBytes } from '../utf8.ts'
import type { CallCause, CountedWrite } from './call_cause.ts'

/** The first 8 KiB of a text. */
export interface Excerpt {
  readonly text: string
  readonly isComplete: boolean
  /** Estimated memory, bytes. */
  readonly size: number
}

const asExcerpt = (text: string, isComplete: boolean): Excerpt => ({ text, isComplete, size: 2 * text.length })

/** The beginning of a long text, as bytes: with an emoji in it all characters would take twice the memory. */
class Beginning implements Excerpt {
  readonly isComplete = false
  readonly #bytes: string
  constructor(text: string, most: number) {
    this.#bytes = firstBytes(text, most)
  }
  get text() {
    return Buffer.from(this.#bytes, 'latin1').toString()
  }
  get size() {
    return this.#bytes.length
  }
}

/** One call with its answer as sent, secrets included: redact it before it is shown. */
export interface Entry {
  /** Counts from 1 in each generation of the world, in the order of the answers. */
  id: number
  /** Real time, ms, of the request. */
  at: number
  /** World time, ms, of the answer. */
  world_time: number
  method: string
  url: string
  headers: Record<string, string>
  body: Excerpt | null
  user_id: number | null
  application_id: number | null
  /** The token of a refused call whose caller is not known, for its explanation; never shown. */
  rejected_token: string | undefined
  fault_ids: number[]
  /** The stub that answered it. */
  stub_id: number | null
  /** null: no answer was sent. */
  status: number | null
  answer: Excerpt | null
  /** Duration, ms. */
  ms: number
  /** Present if it may have changed the world. */
  cause: CallCause | undefined
  /** Present if it was answered with an error. */
  violation: Violation | undefined
  /** Present if it is one of the `writes` that its history counts. */
  write: CountedWrite | undefined
  /** Estimated memory, bytes. */
  size: number
}

/** The user agent of calls that an agent makes itself: reviews leave them out, because no program has made them. */
export const AGENT = 'mercadito-mcp'

/** Whether an agent has made the call itself, with the tool `call_api`. */
export const isByAgent = ({ headers }: Entry): boolean => headers['user-agent'] === AGENT

const MAX_TEXT_BYTES = 8 * 1024
/** Memory of an entry without its texts, bytes. */
const ENTRY_OVERHEAD_BYTES = 600
/** Memory of a violation, bytes. */
const VIOLATION_BYTES = 120

/** Runs on every call: keeps references to short texts and copies the beginning of long ones. */
export function createEntry(
  request: FastifyRequest,
  { id, status, answer, write }: Pick<Entry, 'id' | 'status' | 'write'> & { answer: unknown },
): Entry {
  const { raw, caller, world } = request
  const {
    receivedAt: at,
    jsonpBody,
    rawBody,
    bodySummary,
    contentType,
    faultIds,
    stubId,
    cause,
    violation,
    token,
  } = stateOf(raw)
  if (cause) cause.id = id
  const now = realNow()
  const { method = 'GET', url = '/' } = raw
  const body = bodySummary === undefined ? excerptOf(jsonpBody ?? rawBody) : asExcerpt(bodySummary, false)
  const answerExcerpt = method === 'HEAD' ? null : excerptOf(answer)
  const headers: Record<string, string> = {}
  const rejected_token = violation && !caller && token !== undefined ? truncateHeader(token) : undefined
  let characters = url.length
  if (rejected_token) characters += rejected_token.length
  for (const name of RECORDED_HEADERS) {
    const sent = raw.headers[name]
    if (sent === undefined) continue
    headers[name] = REDACTED_HEADERS[name] ?? truncateHeader(String(sent))
    characters += headers[name].length
  }
  const sizeOfTexts = (body?.size ?? 0) + (answerExcerpt?.size ?? 0)
  if (contentType !== undefined) headers['content-type'] = truncateHeader(contentType)
  return {
    id,
    at,
    world_time: world.clock.peek(),
    method,
    url,
    headers,
    body,
    user_id: caller?.user_id ?? null,
    application_id: caller?.application_id ?? null,
    rejected_token,
    fault_ids: faultIds,
    stub_id: stubId,
    status,
    answer: answerExcerpt,
    ms: now - at,
    cause,
    violation,
    write,
    size: sizeOfTexts + ENTRY_OVERHEAD_BYTES + (violation ? VIOLATION_BYTES : 0) + 2 * characters,
  }
}

/** Of headers with secrets only their presence is recorded. */
const RECORDED_HEADERS = ['authorization', 'cookie', 'accept', 'user-agent', 'origin', 'x-sandbox', 'x-sandbox-fault']
const REDACTED_HEADERS: Record<string, string> = { authorization: '***', cookie: '***' }
const MAX_HEADER_BYTES = 200

const truncateHeader = (text: string): string =>
  text.length > MAX_HEADER_BYTES ? new Beginning(text, MAX_HEADER_BYTES).text : text

function excerptOf(sent: unknown): Excerpt | null {
  if (typeof sent !== 'string' || sent === '') return null
  return isShort(sent) ? asExcerpt(sent, true) : new Beginning(sent, MAX_TEXT_BYTES)
}
/** A UTF-16 unit takes one to three bytes, so that most texts need not be measured. */
const isShort = (text: string): boolean =>
  text.length * 3 <= MAX_TEXT_BYTES || (text.length <= MAX_TEXT_BYTES && Buffer.byteLength(text) <= MAX_TEXT_BYTES)

/** The path of a call, as patterns match it. */
export const pathOfEntry = ({ url }: Entry): string => pathOf(url)
