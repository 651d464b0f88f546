import { Agent, type IncomingMessage, request as overHttp, type ServerResponse } from 'node:http'
import { type AgentOptions, request as overHttps, Agent as SecureAgent } from 'node:https'
import { pipeline } from 'node:stream'
import { TLSSocket } from 'node:tls'
import { urlToHttpOptions } from 'node:url'
import { endToEndHeaders, isLastOfConnection } from '../http/connections/connection_headers.ts'
import { isAllowed, isMarketplaceHost, parseTarget } from './hosts.ts'
import { REFUSAL_MESSAGES, type Reason } from './refusals.ts'

export interface HandlerOptions {
  /** Base address of the world that answers instead of the marketplace. */
  world: string
  /** Certificates to trust there; default: those of Node. */
  ca: string[] | undefined
  /** Hosts that may be called, as `parseAllowed` returns them. */
  allowed: string[]
  onRefusal(host: string, reason: Reason): void
}

/** Answers requests whose bytes the proxy can read, by the world, by an allowed host, or with an error. */
export function createHandler({ world, ca, allowed, onRefusal }: HandlerOptions) {
  const base = new URL(world)
  const prefix = base.pathname.replace(/\/$/, '')
  const agents = { 'http:': new Agent({ keepAlive: true }), 'https:': new SecureAgent({ keepAlive: true }) }
  const agentOf = ({ protocol }: URL) => agents[protocol as keyof typeof agents]
  let calls = 0

  function handle(request: IncomingMessage, response: ServerResponse) {
    const address = readAddress(request)
    if (!address) return sendError(response, 400, NO_ADDRESS)
    const { host, origin, path } = address
    const refuse = (status: number, reason: keyof typeof REFUSAL_MESSAGES) => {
      onRefusal(host, reason)
      sendError(response, status, REFUSAL_MESSAGES[reason](host))
    }
    const isOurs = isMarketplaceHost(host)
    // An allowed host is not opened: such a request came through a connection to another host.
    if (!isOurs && (!isAllowed(host, allowed) || request.socket instanceof TLSSocket)) return refuse(403, 'host')
    if (/\bwebsocket\b/i.test(request.headers.upgrade ?? '')) return refuse(501, 'websocket')
    if (isOurs) calls++
    const [to, pathThere] = isOurs ? [base, prefix + path] : [origin, path]
    const destination = { base: to, path: pathThere, agent: agentOf(to), ca: isOurs ? ca : undefined }
    forward(request, response, destination, ({ code, message }) =>
      sendError(response, 502, `mercadito cannot reach ${to.origin} (${code ?? message})`),
    )
  }

  return {
    handle,
    /** Calls that were sent to the world. */
    calls: () => calls,
    close() {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

const NO_ADDRESS =
  'This is the proxy of mercadito exec --intercept: set it as HTTPS_PROXY, or name a host in the address or in Host'

/** The host that a request is for, and its path as it was sent; undefined if it names none. */
function readAddress({ url = '', headers, socket }: IncomingMessage) {
  const [, scheme, authority, rest] = /^(https?):\/\/(?:[^/?#]*@)?([^/?#]*)(.*)/is.exec(url) ?? []
  const protocol = scheme?.toLowerCase() ?? (socket instanceof TLSSocket ? 'https' : 'http')
  const serverName = socket instanceof TLSSocket ? socket.servername : undefined
  const target = parseTarget(authority ?? headers.host ?? String(serverName ?? ''), protocol === 'https' ? 443 : 80)
  if (!target) return undefined
  const path = rest ?? url
  return {
    host: target.host,
    origin: new URL(`${protocol}://${target.host}:${target.port}`),
    path: path.startsWith('/') ? path : `/${path}`,
  }
}

function sendError(response: ServerResponse, status: number, message: string): void {
  const text = JSON.stringify({ message, error: 'intercepted', status })
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(text) }
  response.writeHead(status, headers).end(text)
}

/** Where a request is sent. */
interface Destination {
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
function forward(
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
