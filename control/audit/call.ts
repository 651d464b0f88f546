import type { RouteOptions } from 'fastify'
import { splitCommaLists } from '../../domains/shared/schemas.ts'
import { isObject, parseJson } from '../../http/bodies.ts'
import { type Entry, pathOfEntry } from '../../http/journal/journal_entry.ts'
import type { Path } from '../../http/paths.ts'
import { redactedPath } from '../requests/schemas.ts'

/** The parts of a JSON schema that findings read. */
export interface MemberSchema {
  properties?: Readonly<Record<string, MemberSchema>>
  minimum?: number
  maximum?: number
  default?: unknown
}

type Members = Readonly<Record<string, unknown>>

/** A recorded call as findings read it. It has secrets: they must not get into texts. */
export class Call {
  readonly entry: Entry
  /** `GET /questions/:question_id`; undefined if there is no such route. HEAD counts as GET. */
  readonly route: string | undefined
  /** Number of resets and restores before it: what was seen in an earlier state need not be true any more. */
  readonly state: number
  readonly path: string
  readonly query: URLSearchParams
  readonly #options: RouteOptions | undefined
  #body: { value?: unknown } | undefined
  #answer: { value: unknown } | undefined

  constructor(entry: Entry, matched: Path | undefined, state: number) {
    this.entry = entry
    this.state = state
    const method = entry.method === 'HEAD' ? 'GET' : entry.method
    this.#options = matched?.routes.get(method)
    this.route = this.#options && `${method} ${matched!.url}`
    this.path = pathOfEntry(entry)
    const start = entry.url.indexOf('?')
    this.query = new URLSearchParams(start < 0 ? '' : entry.url.slice(start + 1))
  }

  get id(): number {
    return this.entry.id
  }

  /** Whether it reads only. */
  get isRead(): boolean {
    return this.entry.method === 'GET' || this.entry.method === 'HEAD'
  }

  get isSuccess(): boolean {
    const { status } = this.entry
    return status !== null && status >= 200 && status < 300
  }

  /** Whose token and program it is. */
  get caller(): string {
    const { application_id, user_id, headers } = this.entry
    return JSON.stringify([application_id, user_id, headers['user-agent']])
  }

  /** The same for the same request of the same caller; a body that was cut is like no other. */
  get key(): string {
    const { id, method, url, body } = this.entry
    return `${this.caller} ${method} ${url} ${body?.isComplete === false ? id : body?.text}`
  }

  /** Whether it was answered without state [spec: fallback.no_state]. */
  get isTyped(): boolean {
    return this.#options?.config?.typed === true
  }

  /** Real time at which its answer was sent, ms. */
  get endedAt(): number {
    return this.entry.at + this.entry.ms
  }

  /** The schemas of the query and the body. */
  get schemas(): { query: MemberSchema; body: MemberSchema } {
    const { querystring = {}, body = {} } = this.#options?.schema ?? {}
    return { query: querystring as MemberSchema, body: body as MemberSchema }
  }

  /** A query parameter; an empty one counts as absent. */
  parameter(name: string): string | undefined {
    return this.query.get(name) || undefined
  }

  /** The ids in a list of the query. */
  ids = (name: string): number[] => splitCommaLists(this.query.getAll(name)).map(Number)

  /** The members of a complete JSON body. */
  get body(): Members | undefined {
    this.#body ??= this.entry.body?.isComplete ? parseJson(this.entry.body.text) : {}
    return isObject(this.#body.value) ? this.#body.value : undefined
  }

  /** The answer as JSON; of a cut one what was recorded. */
  get answer(): unknown {
    this.#answer ??= { value: this.entry.answer ? parsePartialJson(this.entry.answer.text) : undefined }
    return this.#answer.value
  }
}

/** Ms between two calls, from the answer to the first: of real time, or of world time if more of it has passed. */
export const gapBetween = (first: Call, second: Call): number =>
  Math.max(second.entry.at - first.endedAt, second.entry.world_time - first.entry.world_time)

/** The route of a call, or its path, without secrets. */
export const nameOf = ({ route, entry }: Call): string => route ?? `${entry.method} ${redactedPath(entry)}`

export const isClientError = (status: number | null): boolean => status !== null && status >= 400 && status < 500

/**
 * Parses JSON, or the beginning of one: members and elements that are incomplete are left out. Undefined if the text is
 * neither.
 */
export function parsePartialJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return parseBeginning(text)
  }
}

const CLOSING: Record<string, string> = { '{': '}', '[': ']' }

function parseBeginning(text: string): unknown {
  const open: string[] = []
  let complete = 0
  for (let n = 0; n < text.length; n++) {
    const c = text[n]!
    if (c === '"') {
      n = endOfString(text, n)
      continue
    }
    if (CLOSING[c]) open.push(CLOSING[c])
    else if (c === '}' || c === ']') open.pop()
    else if (c !== ',') continue
    complete = c === ',' ? n : n + 1
  }
  try {
    return JSON.parse(text.slice(0, complete) + open.reverse().join(''))
  } catch {
    return undefined
  }
}

/** The position of the closing quote; the text's length without one. */
function endOfString(text: string, start: number): number {
  let n = start + 1
  while (n < text.length && text[n] !== '"') n += text[n] === '\\' ? 2 : 1
  return n
}
