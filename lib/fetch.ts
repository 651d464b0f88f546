import { type ClientRequest, type IncomingMessage, type Server, request as send } from 'node:http'
import { type Duplex, duplexPair, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** The Fetch standard's: an answer with one of these has no body. */
const WITHOUT_BODY = new Set([204, 205, 304])
/** Of one connection, which nobody sees here. */
const HOP = new Set(['connection', 'keep-alive', 'transfer-encoding'])

/**
 * A fetch that speaks to a server of this process without a socket: HTTP as on any connection, whose two ends are
 * streams in memory. So what streams, stalls or breaks does so as over a port. `base`: the address that it answers for.
 */
export function fetchThrough(server: Server, base: string): typeof fetch {
  const { origin, host } = new URL(base)
  return async (input, init) => {
    const request = new Request(input instanceof Request ? input : new URL(String(input), base), init)
    const url = new URL(request.url)
    if (url.origin !== origin) throw failed(`${url.origin} is not the sandbox, which is ${origin}`)
    const headers = Object.fromEntries([['accept', '*/*'], ['user-agent', 'node'], ...request.headers, ['host', host]])
    request.signal.throwIfAborted()
    const [near, far] = connection()
    const sent = send({
      method: request.method,
      path: url.pathname + url.search,
      headers,
      signal: request.signal,
      createConnection: () => near,
    })
    server.emit('connection', far)
    try {
      const answer = await answered(sent, () => sendBody(request, init, sent))
      if (
        request.redirect === 'error' &&
        answer.statusCode! >= 300 &&
        answer.statusCode! < 400 &&
        answer.headers.location
      )
        throw failed('a redirect, which was not wanted')
      return asResponse(answer, request)
    } catch (error) {
      sent.destroy()
      request.signal.throwIfAborted()
      throw error
    }
  }
}

/** Both ends of a connection in memory; one that breaks takes the other along. */
function connection(): [near: Duplex, far: Duplex] {
  const [near, far] = duplexPair()
  near.once('close', () => far.destroy())
  far.once('close', () => near.destroy())
  return [near, Object.assign(far, { remoteAddress: '127.0.0.1' })]
}

/** As the global fetch says that it had no answer. */
const failed = (cause: unknown) =>
  new TypeError('fetch failed', { cause: cause instanceof Error ? cause : new Error(String(cause)) })

function answered(sent: ClientRequest, begin: () => Promise<unknown>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.once('response', resolve)
    // What comes later is told to whoever reads the answer.
    sent.on('error', (error) => reject(failed(error)))
    begin().catch((error) => {
      sent.destroy()
      reject(failed(error))
    })
  })
}

/** Streams go out as they come, in chunks; all else as one with its length, as the global fetch does. */
async function sendBody(request: Request, init: RequestInit | undefined, sent: ClientRequest): Promise<void> {
  if (!request.body) return void sent.end()
  const isStream = init?.body === undefined || init.body instanceof ReadableStream
  if (isStream) return pipeline(Readable.fromWeb(request.body as never), sent)
  sent.end(Buffer.from(await request.arrayBuffer()))
}

function asResponse(answer: IncomingMessage, { method, url }: Request): Response {
  const status = answer.statusCode!
  const headers = new Headers()
  for (let n = 0; n < answer.rawHeaders.length; n += 2) {
    const [name, value] = answer.rawHeaders.slice(n, n + 2) as [string, string]
    if (!HOP.has(name.toLowerCase())) headers.append(name, value)
  }
  const hasBody = !WITHOUT_BODY.has(status) && method !== 'HEAD'
  if (!hasBody) answer.resume()
  const body = hasBody ? (Readable.toWeb(answer) as ReadableStream) : null
  const response = new Response(body, { status, statusText: answer.statusMessage ?? '', headers })
  return Object.defineProperty(response, 'url', { value: url })
}
