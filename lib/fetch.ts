import { type ClientRequest, type IncomingMessage, type Server, request as send } from 'node:http'
import { type Duplex, duplexPair, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Answers with these statuses have no body. */
const NO_BODY_STATUSES = new Set([204, 205, 304])
/** Headers of one connection, which fetch does not return. */
const HOP_BY_HOP_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding'])

/**
 * A fetch for a server of this process without a socket: HTTP over a pair of streams in memory, so that streaming,
 * stalls and broken connections behave as over a port. `base` is the address of the server.
 */
export function fetchThrough(server: Server, base: string): typeof fetch {
  const { origin, host } = new URL(base)
  return async (input, init) => {
    const request = new Request(input instanceof Request ? input : new URL(String(input), base), init)
    const url = new URL(request.url)
    if (url.origin !== origin) throw fetchError(`${url.origin} is not the sandbox, which is ${origin}`)
    const headers = Object.fromEntries([['accept', '*/*'], ['user-agent', 'node'], ...request.headers, ['host', host]])
    request.signal.throwIfAborted()
    const [clientSide, serverSide] = createConnectionPair()
    const outgoing = send({
      method: request.method,
      path: url.pathname + url.search,
      headers,
      signal: request.signal,
      createConnection: () => clientSide,
    })
    server.emit('connection', serverSide)
    try {
      const answer = await waitForResponse(outgoing, () => sendBody(request, init, outgoing))
      if (
        request.redirect === 'error' &&
        answer.statusCode! >= 300 &&
        answer.statusCode! < 400 &&
        answer.headers.location
      )
        throw fetchError('unexpected redirect')
      return toResponse(answer, request)
    } catch (error) {
      outgoing.destroy()
      request.signal.throwIfAborted()
      throw error
    }
  }
}

/** Both ends of a connection in memory; closing one destroys the other. */
function createConnectionPair(): [near: Duplex, far: Duplex] {
  const [clientSide, serverSide] = duplexPair()
  clientSide.once('close', () => serverSide.destroy())
  serverSide.once('close', () => clientSide.destroy())
  return [clientSide, Object.assign(serverSide, { remoteAddress: '127.0.0.1' })]
}

/** The error that the global fetch throws without an answer. */
const fetchError = (cause: unknown) =>
  new TypeError('fetch failed', { cause: cause instanceof Error ? cause : new Error(String(cause)) })

function waitForResponse(outgoing: ClientRequest, startBody: () => Promise<unknown>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.once('response', resolve)
    // Later errors reach the reader of the body.
    outgoing.on('error', (error) => reject(fetchError(error)))
    startBody().catch((error) => {
      outgoing.destroy()
      reject(fetchError(error))
    })
  })
}

/** Sends streams in chunks and other bodies with their length, like the global fetch. */
async function sendBody(request: Request, init: RequestInit | undefined, outgoing: ClientRequest): Promise<void> {
  if (!request.body) return void outgoing.end()
  const isStream = init?.body === undefined || init.body instanceof ReadableStream
  if (isStream) return pipeline(Readable.fromWeb(request.body as never), outgoing)
  outgoing.end(Buffer.from(await request.arrayBuffer()))
}

function toResponse(answer: IncomingMessage, { method, url }: Request): Response {
  const status = answer.statusCode!
  const headers = new Headers()
  for (let n = 0; n < answer.rawHeaders.length; n += 2) {
    const [name, value] = answer.rawHeaders.slice(n, n + 2) as [string, string]
    if (!HOP_BY_HOP_HEADERS.has(name.toLowerCase())) headers.append(name, value)
  }
  const hasBody = !NO_BODY_STATUSES.has(status) && method !== 'HEAD'
  if (!hasBody) answer.resume()
  const body = hasBody ? (Readable.toWeb(answer) as ReadableStream) : null
  const response = new Response(body, { status, statusText: answer.statusMessage ?? '', headers })
  return Object.defineProperty(response, 'url', { value: url })
}
