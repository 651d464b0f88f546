import { type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import type { Readable } from 'node:stream'
import type { Answer, Client } from '../../domains/shared/commands.ts'
import { parseBaseUrl, queryString } from '../urls.ts'
import { explainTlsError, readTrusted } from './client_tls.ts'
import { CliError, EXIT } from './errors.ts'

export interface ClientOptions {
  adminToken?: string | undefined
  /** A file with certificates to trust. */
  ca?: string | undefined
  /** Aborts requests in flight. */
  signal?: AbortSignal | undefined
  /** A label: the server takes a snapshot before each call that changes the world. */
  snapshot?: string | undefined
  /** Who calls: the server records it with changes of a world. */
  userAgent?: string | undefined
}

/** Throws a CliError if the file of certificates cannot be used. */
export function createClient(base: string, options: ClientOptions = {}): Client {
  const { adminToken: token, signal, snapshot, userAgent } = options
  const trusted = options.ca === undefined ? undefined : readTrusted(options.ca)
  const { server, world } = parseBaseUrl(base)
  const request: Client['request'] = async (endpoint, body) =>
    readAnswer(await sendRequest({ base, endpoint, body, token, trusted, signal, snapshot, userAgent }), base)
  const client: Client = {
    base,
    world,
    get server() {
      return server === base ? client : createClient(server, options)
    },
    request,
    call: async (endpoint, body) => client.requireSuccess(endpoint, await request(endpoint, body)),
    get: (path, query) => client.call(`GET ${path}${queryString(query)}`),
    requireSuccess(endpoint, answer) {
      if (answer.status >= 400) throw toCliError(endpoint, answer, client.world)
      return answer.body
    },
    async stream(endpoint) {
      const answer = await sendRequest({ base, endpoint, token, trusted, signal })
      if (answer.statusCode! >= 400) throw toCliError(endpoint, await readAnswer(answer, base), client.world)
      return answer
    },
  }
  return client
}

/** Sends `GET /readyz`, which is outside the control plane. Throws as a client does. */
export async function readReadiness(base: string, { adminToken: token, ca, signal }: ClientOptions): Promise<Answer> {
  const trusted = ca === undefined ? undefined : readTrusted(ca)
  const { server } = parseBaseUrl(base)
  const request = { base: server, prefix: '', endpoint: 'GET /readyz', token, trusted, signal }
  return readAnswer(await sendRequest(request), server)
}

/** Sends a call to the emulated API of a world, and resolves with any answer. Throws as a client does. */
export async function sendApiCall(
  base: string,
  { method, path, body, token }: { method: string; path: string; body?: unknown; token?: string | undefined },
  { ca, signal, userAgent }: Pick<ClientOptions, 'ca' | 'signal' | 'userAgent'>,
): Promise<Answer & Pick<IncomingMessage, 'headers'>> {
  const trusted = ca === undefined ? undefined : readTrusted(ca)
  const request = { base, prefix: '', endpoint: `${method} ${path}`, body, token, trusted, signal, userAgent }
  const answer = await sendRequest(request)
  const text = await readText(answer, base)
  return { status: answer.statusCode!, headers: answer.headers, body: parseIfJson(text) }
}

function parseIfJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The server's error in one line, and what to do. */
function toCliError(endpoint: string, { status, body }: Answer, world: number): CliError {
  const message = typeof body?.message === 'string' ? body.message : `the server answered ${status}`
  if (status === 401)
    return new CliError(
      `the server needs its admin token (${message}); set it with --admin-token, --admin-token-file or MERCADITO_ADMIN_TOKEN`,
    )
  if (message === 'Resource not found.')
    return new CliError(
      world === 1
        ? `the server does not know ${endpoint.split('?')[0]}; does it have the same version as this program?`
        : `the server has no world ${world}; \`mercadito world list\` shows its worlds`,
    )
  return new ServerError(message, status === 400 ? EXIT.usage : EXIT.failure)
}

/** The server rejected the call. */
export class ServerError extends CliError {}

/** No connection to the server, or it broke before the end of the answer. */
export class ConnectionError extends CliError {}

const UNREACHABLE_CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EAI_AGAIN',
])

function toConnectionError(error: NodeJS.ErrnoException, base: string): CliError {
  const tlsError = explainTlsError(error, base)
  // To wait for the server would not help.
  if (tlsError) return new CliError(tlsError)
  const { code, message } = error
  const httpsHint =
    code === 'ECONNRESET' && base.startsWith('http:') ? ', or use https if it was started with --tls' : ''
  return new ConnectionError(
    UNREACHABLE_CODES.has(code ?? '')
      ? `no server answers at ${base}; start one with \`mercadito start\`, or set another address with --url or MERCADITO_URL`
      : `the connection to ${base} broke (${code ?? message}); see the output of the server${httpsHint}`,
  )
}

/** A body that is streamed. */
interface StreamBody {
  stream: Readable
  type: 'application/x-ndjson' | 'application/json'
}
const isStreamBody = (body: unknown): body is StreamBody =>
  typeof (body as StreamBody | undefined)?.stream?.pipe === 'function'

interface RequestOptions {
  base: string
  /** Default: that of the control plane. */
  prefix?: string
  endpoint: string
  body?: unknown
  /** Of an administrator or, for the emulated API, of a user. */
  token: string | undefined
  trusted: string[] | undefined
  signal: AbortSignal | undefined
  snapshot?: string | undefined
  userAgent?: string | undefined
}

/** Sends a request; resolves when the answer begins. */
function sendRequest(options: RequestOptions): Promise<IncomingMessage> {
  const { base, prefix = '/_sandbox', endpoint, body, token, trusted, signal, snapshot, userAgent } = options
  const [method, path] = endpoint.split(' ') as [string, string]
  const request = base.startsWith('https:') ? overHttps : overHttp
  const streamBody = isStreamBody(body) ? body : undefined
  const text = body === undefined || streamBody ? undefined : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const clientRequest = request(`${base}${prefix}${path}`, {
      method,
      ...(signal && { signal }),
      ...(trusted && { ca: trusted }),
      headers: {
        ...(body !== undefined && { 'content-type': streamBody?.type ?? 'application/json' }),
        ...(text !== undefined && { 'content-length': Buffer.byteLength(text) }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(userAgent !== undefined && { 'user-agent': userAgent }),
        ...(snapshot !== undefined && { 'x-sandbox-snapshot': encodeURIComponent(snapshot) }),
      },
    })
    clientRequest.on('response', (answer) => {
      // The server may answer before the whole body is sent; the rest is not needed then.
      if (streamBody) {
        streamBody.stream.unpipe(clientRequest)
        answer.once('end', () => clientRequest.destroy())
      }
      resolve(answer)
    })
    clientRequest.on('error', (error) => reject(toConnectionError(error, base)))
    if (!streamBody) return clientRequest.end(text)
    streamBody.stream.on('error', (error) => {
      clientRequest.destroy()
      reject(error)
    })
    streamBody.stream.pipe(clientRequest)
  })
}

async function readAnswer(answer: IncomingMessage, base: string): Promise<Answer> {
  const status = answer.statusCode!
  return { status, body: parseAnswer(await readText(answer, base), status, base) }
}

async function readText(answer: IncomingMessage, base: string): Promise<string> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of answer) chunks.push(chunk)
  } catch (error) {
    throw toConnectionError(error as Error, base)
  }
  return Buffer.concat(chunks).toString()
}

/** Statuses that a proxy answers, with a body of its own, while the server starts. */
export const GATEWAY_STATUSES: readonly number[] = [502, 503, 504]

function parseAnswer(text: string, status: number, base: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    if (GATEWAY_STATUSES.includes(status)) return undefined
    throw new CliError(`the server at ${base} is not mercadito (status ${status}, no JSON); is --url right?`)
  }
}
