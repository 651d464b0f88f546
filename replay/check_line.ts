import { METHODS } from 'node:http'
import { FORMAT, FORMAT_VERSION, type Line, PART_CHARACTERS } from '../control/recording/format.ts'

/** A line of a recording is wrong; the message says what. */
export class InvalidLine extends Error {}

type Check = (value: unknown) => string | undefined

const text =
  (maxCharacters: number, pattern?: RegExp): Check =>
  (value) =>
    typeof value === 'string' && value.length <= maxCharacters && (!pattern || pattern.test(value))
      ? undefined
      : `must be a text of at most ${maxCharacters} characters${pattern ? ` that matches ${pattern.source}` : ''}`
const integer =
  (min: number, max = Number.MAX_SAFE_INTEGER): Check =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max
      ? undefined
      : `must be an integer from ${min} to ${max}`
const one =
  (...values: unknown[]): Check =>
  (value) =>
    values.includes(value) ? undefined : `must be ${values.map((one) => JSON.stringify(one)).join(' or ')}`
const nullable =
  (check: Check): Check =>
  (value) =>
    value === null ? undefined : check(value)
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined ? undefined : check(value)
const instant: Check = (value) =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) &&
  !Number.isNaN(Date.parse(value))
    ? undefined
    : 'must be an instant such as 2026-03-02T12:00:00.000Z'

const FORBIDDEN_HEADERS =
  /^(host|connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade|expect|cookie|proxy-.*|x-forwarded-.*)$/
const isHeader = ([name, value]: [string, unknown]) =>
  /^[a-z0-9-]{1,100}$/.test(name) &&
  typeof value === 'string' &&
  value.length <= 100_000 &&
  /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
const headers =
  (isAllowed: (name: string) => boolean): Check =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.entries(value).every((entry) => isHeader(entry) && isAllowed(entry[0]))
      ? undefined
      : 'must be an object of headers that a call may have'
const texts: Check = (value) =>
  typeof value === 'object' && value !== null && Object.values(value).every((one) => typeof one === 'string')
    ? undefined
    : 'must be an object of texts'

const MAX_BODY = 32 * 1024 * 1024
/** Worlds are numbered by nine digits in addresses. */
const world = integer(1, 999_999_999)
const base64 = optional(text(MAX_BODY, /^[A-Za-z0-9+/]*={0,2}$/))
const call = {
  n: integer(1),
  world: nullable(world),
  at: instant,
  ms: integer(0),
  method: one(...METHODS),
  target: text(1024 * 1024, /^[\x21-\xff]+$/),
  headers: headers((name) => !FORBIDDEN_HEADERS.test(name)),
  body: optional(text(MAX_BODY)),
  body_base64: base64,
  status: nullable(integer(100, 999)),
  answer_headers: nullable(headers(() => true)),
  answer: optional(text(MAX_BODY)),
  answer_base64: base64,
  caller: optional(integer(1)),
  overlaps: optional(one(true)),
  compare: optional(one('whole', 'prefix', 'status', 'not')),
  incomplete: optional(one(true)),
  why: optional(text(1000)),
}
const MEMBERS: Record<Line['kind'], Record<string, Check>> = {
  header: {
    format: one(FORMAT),
    version: one(FORMAT_VERSION),
    mercadito: text(100),
    created_at: instant,
    source: one('recording', 'journal', 'upstream'),
    upstream: optional(text(300)),
  },
  state: {
    world,
    at: instant,
    clock: one('real', 'shifted', 'frozen'),
    scenario: text(100),
    seed: integer(0),
    assumptions: texts,
    deterministic: one(true, false),
  },
  part: { text: text(PART_CHARACTERS) },
  'state end': {},
  call,
  control: call,
  delivery: {
    world,
    at: instant,
    id: integer(1),
    attempt: integer(1),
    topic: text(100),
    resource: text(1000),
    ms: integer(0),
    http_code: nullable(integer(0, 999)),
    headers: texts,
    body: text(1024 * 1024),
    error: nullable(text(10_000)),
  },
  end: { why: text(1000) },
}

/** Parses a line. Throws InvalidLine. */
export function parseLine(json: string): Line {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    throw new InvalidLine('is not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new InvalidLine('is not a JSON object')
  const { kind } = value as { kind?: unknown }
  if (typeof kind !== 'string' || !Object.hasOwn(MEMBERS, kind))
    throw new InvalidLine(`kind: must be one of ${Object.keys(MEMBERS).join(', ')}`)
  const members = MEMBERS[kind as Line['kind']]
  for (const name of Object.keys(value))
    if (name !== 'kind' && !Object.hasOwn(members, name))
      throw new InvalidLine(`${name.slice(0, 50)}: is an unknown member`)
  for (const [name, check] of Object.entries(members)) {
    const problem = check((value as Record<string, unknown>)[name])
    if (problem !== undefined) throw new InvalidLine(`${name}: ${problem}`)
  }
  return value as Line
}
