import type { RequestMade, Schemas } from '../../lib/types.ts'
import { fillPath, queryString } from '../../lib/urls.ts'
import { pairsOf } from '../world/address.ts'

type FixedRequest = NonNullable<Schemas['Explanation']['fix']>['request']

/** Text with values that an earlier call of the same program has answered. */
export type Text = (string | { variable: string })[]

/** An HTTP call to show as a command or as a program. */
export interface HttpCall {
  method: string
  url: Text
  /** Without the token. */
  headers: Record<string, string>
  body: Text | null
  /** Environment variable with the bearer token: tokens do not belong into texts that are passed on. */
  tokenVariable: string | null
}

/** A call of a test, with what it must answer. */
export interface TestedCall {
  title: string
  call: HttpCall
  status: number
  /** Members of a JSON answer. */
  members: Record<string, unknown>
  /** A member of the answer that later calls use. */
  capture?: { variable: string; member: string }
}

/** Headers that every client sends on its own. */
const OWN_HEADERS = /^(authorization|host|user-agent|accept|accept-.*|connection|content-length|sec-.*)$/

type CallMade = Pick<RequestMade, 'method' | 'path' | 'query' | 'headers' | 'body' | 'user_id'>

/** A recorded call, to make it again at `base`. */
export function callOf({ method, path, query, headers, body, user_id }: CallMade, base: string): HttpCall {
  const sent = pairsOf(query).filter(([name]) => name !== 'access_token')
  return {
    method,
    url: [`${base}${encodePath(path)}${sent.length === 0 ? '' : `?${new URLSearchParams(sent)}`}`],
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.test(name))),
    body: body === null ? null : [body],
    tokenVariable: user_id !== null || headers.authorization !== undefined ? 'MERCADITO_TOKEN' : null,
  }
}

/** A request that an explanation proposes. The variable has the token that it names. */
export function fixedCall(
  { method, path, headers: { authorization, ...headers }, body }: FixedRequest,
  base: string,
): HttpCall {
  return {
    ...{ method, headers, url: [base + path] },
    body: body === null ? null : [body],
    tokenVariable: authorization === undefined ? null : 'MERCADITO_TOKEN',
  }
}

/** Recorded paths are decoded. */
const encodePath = (path: string): string => encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23')

/** Members that differ from run to run. */
const CHANGING = /(^|_)(id|ids|date|created|updated|token|at|from|until|expires_in)$|date_/

/** A recorded call as a test of its answer. */
export function testOf(request: RequestMade, base: string): TestedCall {
  const { status, body } = request.response
  return {
    title: `${request.method} ${request.path}`,
    call: callOf(request, base),
    status: status ?? 0,
    members: stableMembers(body),
  }
}

function stableMembers(body: string | null): Record<string, unknown> {
  try {
    const entries = Object.entries(JSON.parse(body ?? '[]') as object)
    return Object.fromEntries(
      entries.filter(([name, value]) => !CHANGING.test(name) && !/^\d+$/.test(name) && isScalar(value)),
    )
  } catch {
    return {}
  }
}

const isScalar = (value: unknown) => value === null || typeof value !== 'object'

/** The question that a chain begins with, asked again; its number is a variable of later calls. */
export const askAgain = (
  { item_id, text }: Pick<Schemas['AnyQuestion'], 'item_id' | 'text'>,
  base: string,
): TestedCall => ({
  title: 'a buyer asks',
  call: {
    method: 'POST',
    url: [`${base}/_sandbox/questions`],
    headers: { 'content-type': 'application/json' },
    body: [JSON.stringify({ item_id, text })],
    tokenVariable: null,
  },
  status: 201,
  members: {},
  capture: { variable: 'question', member: 'id' },
})

/** Replaces a number in address and body by a variable. */
export function withVariable(tested: TestedCall, value: string, variable: string): TestedCall {
  const replace = (text: Text): Text =>
    text.flatMap((part) =>
      typeof part !== 'string'
        ? [part]
        : part.split(value).flatMap((piece, n) => (n === 0 ? [piece] : [{ variable }, piece])),
    )
  const { call } = tested
  return { ...tested, call: { ...call, url: replace(call.url), body: call.body && replace(call.body) } }
}

/** A command for a POSIX shell. */
export function curl({ method, url, headers, body, tokenVariable }: HttpCall): string {
  const isDefault = method === (body === null ? 'GET' : 'POST')
  return [
    `curl ${isDefault ? '' : method === 'HEAD' ? '-I ' : `-X ${method} `}${quote(url)}`,
    ...(tokenVariable === null ? [] : [`-H "Authorization: Bearer $${tokenVariable}"`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${quote([`${name}: ${value}`])}`),
    ...(body === null ? [] : [`--data-raw ${quote(body)}`]),
  ].join(' \\\n  ')
}

interface ControlCall {
  call: string
  input: { path?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown }
}

/** A control call of the world at `base`. */
export function controlCurl({ call, input }: ControlCall, base: string, hasToken: boolean): string {
  const [method, path] = call.split(' ') as [string, string]
  return curl({
    method,
    url: [`${base}/_sandbox${fillPath(path, input.path)}${queryString(input.query)}`],
    headers: {},
    body: input.body === undefined ? null : [JSON.stringify(input.body)],
    tokenVariable: hasToken ? 'MERCADITO_ADMIN_TOKEN' : null,
  })
}

/** A command for the world at `base`. */
export const mercadito = (command: string, base: string): string => `npx mercadito ${command} --url ${base}`

const quote = (text: Text): string =>
  text
    .filter((part) => part !== '')
    .map((part) =>
      typeof part !== 'string'
        ? `"$${part.variable}"`
        : /^[\w./:@%+,=-]+$/.test(part)
          ? part
          : `'${part.replaceAll("'", `'\\''`)}'`,
    )
    .join('') || "''"
