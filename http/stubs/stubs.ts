import type { FastifyRequest } from 'fastify'
import { keptFor } from '../../db/kept.ts'
import type { StubRow, World } from '../../db/world.ts'
import { parseBody } from '../bodies.ts'
import { decoded } from '../paths.ts'
import { matchesCall, matchesPattern } from '../patterns.ts'
import { stateOf } from '../request_state.ts'
import { compareValues, type Difference, difference, queryTexts } from './expected_values.ts'

/** The calls that a stub answers. */
export interface StubMatch {
  method: string | null
  /** `/orders/{order_id}`, `/orders/*`. */
  path: string
  /** Parameters that a call must have; `*` in a text matches anything. */
  query?: Record<string, unknown> | undefined
  /** Members that objects of its body must have, and all elements of arrays. */
  body?: unknown
}

export interface StubAnswer {
  status: number
  /** Names in lower case. */
  headers?: Record<string, string>
  /** A text is sent as it is, any other value as JSON. */
  body?: unknown
  /** The texts of the body are templates. */
  template?: true
}

/** What decides whether a stub answers a call. */
export interface StubRule extends StubMatch {
  id: number
  access: 'public' | 'token'
  /** It also answers calls that the API has. */
  override: boolean
  /** How often it may answer; null for no limit. */
  times: number | null
  /** It was made for a call that nothing answered, and is not accepted yet. */
  proposed?: boolean | undefined
}

export const parseRule = ({ id, method, path, match, access, override, times }: StubRow): StubRule => ({
  ...{ id, method, path, access, times },
  ...JSON.parse(match),
  override: override === 1,
})

const parseAll = keptFor((rows: readonly StubRow[]): readonly StubRule[] => rows.map(parseRule))

/** The stubs of a world that may answer calls, in the order in which they are matched. */
export const stubsOf = ({ stubs }: World): readonly StubRule[] => parseAll(stubs)

/** What decides which stub answers a call. */
export interface StubCall {
  method: string
  /** As sent, without the query. */
  path: string
  query: Record<string, unknown>
  /** JSON, the members of a form, or a text; null without a body. */
  readonly body: unknown
}

/** A call whose body has been read. */
export function receivedCall({ method, url, query, raw }: FastifyRequest): StubCall {
  const { jsonpBody, rawBody, contentType } = stateOf(raw)
  return {
    method,
    path: url.split('?', 1)[0]!,
    query: query as Record<string, unknown>,
    get body() {
      return parseBody(jsonpBody ?? rawBody, contentType)
    },
  }
}

/** Parameters of the path, by name; that of a trailing `*` is `*`. */
export type PathParameters = Record<string, string>

/** The parameters of a path that a pattern such as `/orders/{order_id}` or `/orders/*` matches; undefined if it does not. */
export function matchPath(pattern: string, path: string): PathParameters | undefined {
  const expected = segmentsOf(pattern)
  const sent = segmentsOf(path)
  const isOpen = expected.at(-1) === '*'
  if (isOpen ? sent.length < expected.length : sent.length !== expected.length) return undefined
  const parameters: PathParameters = {}
  for (const [n, segment] of expected.entries()) {
    if (isOpen && n === expected.length - 1) parameters['*'] = sent.slice(n).map(decoded).join('/')
    else if (isParameter(segment)) parameters[segment.slice(1, -1)] = decoded(sent[n]!)
    else if (segment !== decoded(sent[n]!)) return undefined
  }
  return parameters
}

const segmentsOf = (path: string): string[] => path.replace(/(?<=.)\/$/, '').split('/')
const isParameter = (segment: string): boolean => segment.startsWith('{') && segment.endsWith('}')

/** OPTIONS is matched only if a stub names it. */
export const matchesMethod = ({ method }: Pick<StubMatch, 'method'>, sent: string): boolean =>
  matchesCall({ method }, { method: sent, path: '' }) && (sent !== 'OPTIONS' || method === 'OPTIONS')

/** The parameters of the path if a stub matches a call. Reads the body only if all else matches. */
export function matchStub(rule: StubRule, call: StubCall): PathParameters | undefined {
  if (!matchesMethod(rule, call.method)) return undefined
  const parameters = matchPath(rule.path, call.path)
  const isMatch = parameters && queryDifferences(rule, call).length === 0 && bodyDifferences(rule, call).length === 0
  return isMatch ? parameters : undefined
}

/** The members of a call that keep a stub from matching it. */
export const stubDifferences = (rule: StubMatch, call: StubCall): Difference[] => [
  ...(matchesMethod(rule, call.method) ? [] : [difference('method', rule.method, call.method)]),
  ...(matchPath(rule.path, call.path) ? [] : [difference('path', rule.path, call.path)]),
  ...queryDifferences(rule, call),
  ...bodyDifferences(rule, call),
]

function queryDifferences({ query = {} }: StubMatch, call: StubCall): Difference[] {
  const found: Difference[] = []
  for (const [name, value] of Object.entries(query)) {
    const sent = Object.hasOwn(call.query, name) ? call.query[name] : undefined
    const expected = queryTexts(value)
    if (!matchesText(expected, sent)) compareValues(`query.${name}`, expected, sent, found)
  }
  return found
}

function bodyDifferences({ body }: StubMatch, call: StubCall): Difference[] {
  const found: Difference[] = []
  if (body !== undefined) compareValues('body', body, call.body, found)
  return found
}

/** A text may have `*`, and matches one of several values of a parameter. */
const matchesText = (expected: string | string[], sent: unknown): boolean =>
  typeof expected === 'string' && [sent].flat().some((one) => typeof one === 'string' && matchesPattern(expected, one))
