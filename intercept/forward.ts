import { type Agent, type IncomingMessage, request as overHttp, type ServerResponse } from 'node:http'
import { type AgentOptions, request as overHttps } from 'node:https'
import { pipeline } from 'node:stream'
import { urlToHttpOptions } from 'node:url'
import { endToEndHeaders, isLastOfConnection } from '../http/connections/connection_headers.ts'

/** Where a request is sent. */
export interface Destination {
  /** Scheme, host and port count. */
  base: URL
  path: string
  agent: Agent
  /** Default: those of Node. */
  ca: AgentOptions['ca']
}

/** Answers of a server that closes the connection instead, as the fault `drop` does. */
const DROPPED = new Set(['ECONNRESET', 'EPIPE'])

/** Sends a request on, and its answer back, both as they arrive. `onUnreachable` answers if nothing listens there. */
export function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { base, path, agent, ca }: Destination,
  onUnreachable: (error: NodeJS.ErrnoException) => void,
): void {
  const send = base.protocol === 'https:' ? overHttps : overHttp
  const upstream = send({
    ...urlToHttpOptions(base),
    path,
    method: request.method,
    // As an array, names and their order stay.
    headers: ['host', base.host, ...endToEndHeaders(request, ['host'])] as never,
    agent,
    ...(ca && { ca }),
  })
  upstream.on('continue', () => response.writeContinue())
  upstream.on('response', (answer) => {
    response.sendDate = false
    response.shouldKeepAlive &&= !isLastOfConnection(answer)
    response.writeHead(answer.statusCode!, answer.statusMessage, endToEndHeaders(answer, ['transfer-encoding']))
    pipeline(answer, response, () => {})
  })
  upstream.on('error', (error: NodeJS.ErrnoException) => {
    if (response.headersSent) return
    if (DROPPED.has(error.code!)) response.destroy()
    else onUnreachable(error)
  })
  response.on('close', () => {
    if (!response.writableFinished) upstream.destroy()
  })
  request.pipe(upstream)
}
