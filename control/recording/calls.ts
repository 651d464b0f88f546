import type { FastifyReply, FastifyRequest } from 'fastify'
import { stateOf } from '../../http/request_state.ts'
import type { CallLine } from './format.ts'
import type { SecretNames } from './secrets.ts'
import type { Tap } from './tap.ts'

/** Headers of requests that answers depend on, besides those that the schema of a route names. */
const REQUEST_HEADERS = [
  'authorization',
  'content-type',
  'accept',
  'origin',
  'user-agent',
  'access-control-request-headers',
  'access-control-request-method',
  'x-sandbox',
  'x-sandbox-fault',
]
/** Headers of answers that say nothing about the answer, or follow from its body or from the connection. */
const OTHER_ANSWER_HEADERS = new Set([
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'x-request-id',
  'x-sandbox-snapshot',
  'x-sandbox-explain',
])

/** The headers of an answer that count, in lower case. */
export const comparedHeaders = (headers: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name, value]) => value !== undefined && !OTHER_ANSWER_HEADERS.has(name.toLowerCase()))
      .map(([name, value]) => [name.toLowerCase(), [value].flat().join(', ')]),
  )

interface Sent {
  body: Tap
  answer: Tap
  isComplete: boolean
  names: SecretNames
}

type Described = Omit<CallLine, 'kind' | 'n' | 'world' | 'at' | 'ms' | 'overlaps'>

/** Characters that HTTP clients send; requests without a connection may have others. */
const SENDABLE_TARGET = /^[\x21-\xff]+$/
const SENDABLE_HEADER = /^[\t\x20-\x7e\x80-\xff]*$/

/** What was sent and answered, without secrets. */
export function describeCall(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, answer, isComplete, names }: Sent,
): Described {
  const { originalUrl } = request
  const headers = headersOf(request)
  const unsendable = Object.keys(headers).filter((name) => !SENDABLE_HEADER.test(headers[name]!))
  for (const name of unsendable) delete headers[name]
  const { authorization } = headers
  const hasTarget = SENDABLE_TARGET.test(originalUrl)
  const why = reasonNotToCompare({ body, answer, isComplete }, hasTarget && unsendable.length === 0)
  return {
    // The method of a JSONP write is a parameter.
    method: stateOf(request.raw).jsonpBody === undefined ? request.method : 'GET',
    target: names.inTarget(hasTarget ? originalUrl : encodeURI(originalUrl)),
    headers: {
      ...names.inHeaders(headers),
      ...(authorization !== undefined && { authorization: names.inAuthorization(authorization) }),
    },
    ...present('body', body, (text) => names.inRequest(text)),
    status: isComplete ? reply.statusCode : null,
    answer_headers: isComplete ? names.inHeaders(comparedHeaders(reply.getHeaders())) : {},
    // Node does not send the body of an answer to HEAD.
    ...(isComplete && request.method !== 'HEAD' && present('answer', answer, (text) => names.inAnswer(text))),
    ...(why !== undefined && { compare: 'not' as const, why }),
    ...((body.isTooLong || !hasTarget || unsendable.length > 0) && { incomplete: true as const }),
  }
}

function reasonNotToCompare(
  { body, answer, isComplete }: Omit<Sent, 'names'>,
  isSendable: boolean,
): string | undefined {
  if (!isSendable) return 'no HTTP client sends such characters'
  if (body.isTooLong || answer.isTooLong) return 'a body was too long to record, or is not kept'
  return isComplete ? undefined : 'the connection ended before the answer'
}

function headersOf({ raw, routeOptions: { schema } }: FastifyRequest): Record<string, string> {
  const declared = Object.keys((schema?.headers as { properties?: object } | undefined)?.properties ?? {})
  const headers: Record<string, string> = {}
  for (const name of new Set([...REQUEST_HEADERS, ...declared.map((name) => name.toLowerCase())])) {
    const { contentType } = stateOf(raw)
    const sent = name === 'content-type' ? (contentType ?? raw.headers[name]) : raw.headers[name]
    if (sent !== undefined) headers[name] = String(sent)
  }
  return headers
}

/** Bytes as text, or in base64 if they are not UTF-8. */
function present(name: 'body' | 'answer', tap: Tap, withoutSecrets: (text: string) => string) {
  const bytes = tap.bytes()
  if (bytes.length === 0) return {}
  const text = bytes.toString()
  return Buffer.from(text).equals(bytes)
    ? { [name]: withoutSecrets(text) }
    : { [`${name}_base64`]: bytes.toString('base64') }
}
