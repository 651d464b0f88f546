import { READ_BY_POST } from '../capture/personal_members.ts'
import type { CallLine } from '../control/recording/format.ts'
import { pathOf } from '../http/patterns.ts'
import type { FindRoute, Route } from './routes.ts'

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
  path: string
  query: URLSearchParams
  route: Route
  answer: Answer
  /** World time, ms. */
  at: number
  isWrite: boolean
  /** Name of its token. */
  token: string | undefined
}

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
export function readCall(line: CallLine, findRoute: FindRoute): RecordedCall | undefined {
  const path = pathOf(line.target)
  const query = new URLSearchParams(line.target.split('?').slice(1).join('?'))
  const route = findRoute(path)
  const named = query.has('callback') ? query.get('_method')?.toUpperCase() : undefined
  const method = named ?? line.method
  const routed = method === 'HEAD' ? 'GET' : method
  if (!route || (method !== 'OPTIONS' && !route.methods.has(routed))) return undefined
  const [, bearer] = /^bearer\s+(\S+)$/i.exec(line.headers.authorization ?? '') ?? []
  const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(method) || READ_BY_POST.test(path)
  return {
    ...{ line, method, path, query, route, at: Date.parse(line.at), isWrite: !isRead },
    answer: readAnswer(line.status!, line.answer, line.answer_headers ?? {}),
    token: bearer ?? (query.get('access_token') || undefined),
  }
}
