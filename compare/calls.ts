import type { RouteOptions } from 'fastify'
import type { CallLine } from '../control/recording/format.ts'
import { READS } from '../http/journal/enter_cause.ts'
import { isDescribed, type Paths } from '../http/paths.ts'
import { pathOf } from '../http/patterns.ts'

/** An answer: of JSONP that inside it. */
export interface Answer {
  status: number
  /** Undefined: not JSON. */
  json: unknown
  headers: Record<string, string>
}

/** A recorded call of the emulated API. */
export interface RecordedCall {
  line: CallLine
  method: string
  query: URLSearchParams
  /** That of GET for HEAD; any of the path for OPTIONS. */
  route: RouteOptions
  /** Its path as in the OpenAPI document: `/items/{item_id}`. */
  template: string
  params: Record<string, string>
  answer: Answer
  /** World time, ms. */
  at: number
  isWrite: boolean
  /** Name of its token. */
  token: string | undefined
}

/** Members of a JSON object, or of one thing. */
// biome-ignore lint/suspicious/noExplicitAny: each kind of object knows the types of its members
export type Members = Record<string, any>
export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const membersOf = (value: unknown): Members => (isObject(value) ? value : {})

const JSONP = /^[\w$.]+\((.*)\);?$/s

export function readAnswer(status: number, text: string | undefined, headers: Record<string, string>): Answer {
  const [, wrapped] = JSONP.exec(text ?? '') ?? []
  const json = parseJson(wrapped ?? text)
  if (wrapped === undefined || !Array.isArray(json)) return { status, json, headers }
  return { status: Number(json[0]), json: json[2], headers: {} }
}

/** Undefined: it is not JSON. */
export function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

/** Undefined: the emulated API does not have the path, or not with that method. */
export function readCall(line: CallLine, paths: Paths): RecordedCall | undefined {
  const path = pathOf(line.target)
  const query = new URLSearchParams(line.target.split('?').slice(1).join('?'))
  const named = query.has('callback') ? query.get('_method')?.toUpperCase() : undefined
  const method = named ?? line.method
  const routed = method === 'HEAD' ? 'GET' : method
  const found = paths.match(path, routed)
  const route = method === 'OPTIONS' ? found?.routes.values().next().value : found?.routes.get(routed)
  if (!found || !route || !isDescribed(found) || route.config?.internal) return undefined
  const segments = path.split('/')
  const names = route.url.split('/').flatMap((segment, n) => (segment.startsWith(':') ? [[segment.slice(1), n]] : []))
  const [, bearer] = /^bearer\s+(\S+)$/i.exec(line.headers.authorization ?? '') ?? []
  return {
    ...{ line, method, query, route, at: Date.parse(line.at) },
    template: route.url.replace(/:(\w+)/g, '{$1}'),
    params: Object.fromEntries(names.map(([name, n]) => [name, segments[Number(n)]])),
    answer: readAnswer(line.status!, line.answer, line.answer_headers ?? {}),
    isWrite: route.config?.writes || !(READS.has(method) || route.config?.keepsState),
    token: bearer ?? (query.get('access_token') || undefined),
  }
}
