import { type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import type { Readable } from 'node:stream'
import { parseBaseUrl } from '../lib/urls.ts'
import { CliError } from './errors.ts'

export { queryString } from '../lib/urls.ts'

export interface Answer {
  status: number
  /** The parsed JSON; undefined where there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: commands name the shape that they expect
  body: any
}

/** Speaks to a running server's control plane, in the name of one of its worlds. */
export interface Client {
  /** Base address of the world. */
  base: string
  /** The world that it names; the default world without. */
  world: number
  /** The same server, in the name of its default world. */
  server: Client
  /**
   * `GET /clock`: answers the body; `body` is sent as JSON, or as it comes. Throws a Failure with one line when the
   * answer is an error.
   */
  // biome-ignore lint/suspicious/noExplicitAny: commands name the shape that they expect
  call(endpoint: string, body?: unknown): Promise<any>
  /** As `call`, but errors of the server are answers too. */
  request(endpoint: string, body?: unknown): Promise<Answer>
  /** The body of what `ask` answered; throws as `call`. */
  // biome-ignore lint/suspicious/noExplicitAny: commands name the shape that they expect
  requireSuccess(endpoint: string, answer: Answer): any
  /** As `call`, but the body as it comes. */
  stream(endpoint: string): Promise<Readable>
}

/** `signal` ends what has not been answered. */
export function createClient(base: string, adminToken?: string, signal?: AbortSignal): Client {
  const { server, world } = parseBaseUrl(base)
  const request: Client['request'] = async (endpoint, body) =>
    readAnswer(await sendRequest({ base, endpoint, body, adminToken, signal }), base)
  const client: Client = {
    base,
    world,
    get server() {
      return server === base ? client : createClient(server, adminToken, signal)
    },
    request,
    call: async (endpoint, body) => client.requireSuccess(endpoint, await request(endpoint, body)),
    requireSuccess(endpoint, answer) {
      if (answer.status >= 400) throw toCliError(endpoint, answer, client.world)
      return answer.body
    },
    async stream(endpoint) {
      const answer = await sendRequest({ base, endpoint, adminToken, signal })
      if (answer.statusCode! >= 400) throw toCliError(endpoint, await readAnswer(answer, base), client.world)
      return answer
    },
  }
  return client
}

/** An address with its parts made safe, `undefined` ones left out of the query. */
export function path(strings: TemplateStringsArray, ...parts: unknown[]): string {
  return strings.reduce((all, text, n) => all + encodeURIComponent(String(parts[n - 1])) + text)
}

/** The server's error in one line, and what to do about it. */
function toCliError(endpoint: string, { status, body }: Answer, world: number): CliError {
  const message = typeof body?.message === 'string' ? body.message : `the server answered ${status}`
  if (status === 401)
    return new CliError(
      `the server wants its admin token (${message}); give it with --admin-token or MERCADITO_ADMIN_TOKEN`,
    )
  if (message === 'Resource not found.')
    return new CliError(
      world === 1
        ? `the server knows no ${endpoint.split('?')[0]}; is it of the same version as this program?`
        : `the server has no world ${world}; \`mercadito world list\` shows those that it has`,
    )
  return new CliError(message)
}

/** The server was not heard, or not to the end. */
export class ConnectionError extends CliError {}

const UNREACHABLE_CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EAI_AGAIN',
])

function toConnectionError({ code, message }: NodeJS.ErrnoException, base: string): ConnectionError {
  return new ConnectionError(
    UNREACHABLE_CODES.has(code ?? '')
      ? `no server answers at ${base}; start one with \`mercadito start\`, or name another with --url or MERCADITO_URL`
      : `the connection to ${base} broke (${code ?? message}); see what the server says`,
  )
}

/** A body that is sent as it comes. */
export interface StreamBody {
  stream: Readable
  type: 'application/x-ndjson' | 'application/json'
}
const isStreamBody = (body: unknown): body is StreamBody =>
  typeof (body as StreamBody | undefined)?.stream?.pipe === 'function'

interface RequestOptions {
  base: string
  endpoint: string
  body?: unknown
  adminToken: string | undefined
  signal: AbortSignal | undefined
}

/** Sends a request; resolves when the answer begins. */
function sendRequest({ base, endpoint, body, adminToken, signal }: RequestOptions): Promise<IncomingMessage> {
  const [method, path] = endpoint.split(' ') as [string, string]
  const request = base.startsWith('https:') ? overHttps : overHttp
  const streamBody = isStreamBody(body) ? body : undefined
  const text = body === undefined || streamBody ? undefined : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const clientRequest = request(`${base}/_sandbox${path}`, {
      method,
      ...(signal && { signal }),
      headers: {
        ...(body !== undefined && { 'content-type': streamBody?.type ?? 'application/json' }),
        ...(text !== undefined && { 'content-length': Buffer.byteLength(text) }),
        ...(adminToken !== undefined && { authorization: `Bearer ${adminToken}` }),
      },
    })
    clientRequest.on('response', (answer) => {
      // It may come before all is sent: then the rest is of no use.
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
  const chunks: Buffer[] = []
  try {
    for await (const chunk of answer) chunks.push(chunk)
  } catch (error) {
    throw toConnectionError(error as Error, base)
  }
  const status = answer.statusCode!
  return { status, body: parseAnswer(Buffer.concat(chunks).toString(), status, base) }
}

function parseAnswer(text: string, status: number, base: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw new CliError(`what answers at ${base} is no mercadito (status ${status}, no JSON); is --url right?`)
  }
}
