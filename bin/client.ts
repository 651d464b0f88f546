import { type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import type { Readable } from 'node:stream'
import { parseBaseUrl } from '../lib/addresses.ts'
import { Failure } from './failure.ts'

export { queryString } from '../lib/addresses.ts'

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
  call(asked: string, body?: unknown): Promise<any>
  /** As `call`, but errors of the server are answers too. */
  ask(asked: string, body?: unknown): Promise<Answer>
  /** The body of what `ask` answered; throws as `call`. */
  // biome-ignore lint/suspicious/noExplicitAny: commands name the shape that they expect
  checked(asked: string, answer: Answer): any
  /** As `call`, but the body as it comes. */
  stream(asked: string): Promise<Readable>
}

/** `signal` ends what has not been answered. */
export function clientOf(base: string, adminToken?: string, signal?: AbortSignal): Client {
  const { server, world } = parseBaseUrl(base)
  const ask: Client['ask'] = async (asked, body) =>
    read(await exchange({ base, asked, body, adminToken, signal }), base)
  const client: Client = {
    base,
    world,
    get server() {
      return server === base ? client : clientOf(server, adminToken, signal)
    },
    ask,
    call: async (asked, body) => client.checked(asked, await ask(asked, body)),
    checked(asked, answer) {
      if (answer.status >= 400) throw failed(asked, answer, client.world)
      return answer.body
    },
    async stream(asked) {
      const answer = await exchange({ base, asked, adminToken, signal })
      if (answer.statusCode! >= 400) throw failed(asked, await read(answer, base), client.world)
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
function failed(asked: string, { status, body }: Answer, world: number): Failure {
  const told = typeof body?.message === 'string' ? body.message : `the server answered ${status}`
  if (status === 401)
    return new Failure(
      `the server wants its admin token (${told}); give it with --admin-token or MERCADITO_ADMIN_TOKEN`,
    )
  if (told === 'Resource not found.')
    return new Failure(
      world === 1
        ? `the server knows no ${asked.split('?')[0]}; is it of the same version as this program?`
        : `the server has no world ${world}; \`mercadito world list\` shows those that it has`,
    )
  return new Failure(told)
}

/** The server was not heard, or not to the end. */
export class NotHeard extends Failure {}

const NOBODY = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'EAI_AGAIN'])

function explained({ code, message }: NodeJS.ErrnoException, base: string): NotHeard {
  return new NotHeard(
    NOBODY.has(code ?? '')
      ? `no server answers at ${base}; start one with \`mercadito start\`, or name another with --url or MERCADITO_URL`
      : `the connection to ${base} broke (${code ?? message}); see what the server says`,
  )
}

/** A body that is sent as it comes. */
export interface Streamed {
  stream: Readable
  type: 'application/x-ndjson' | 'application/json'
}
const isStreamed = (body: unknown): body is Streamed =>
  typeof (body as Streamed | undefined)?.stream?.pipe === 'function'

interface Exchange {
  base: string
  asked: string
  body?: unknown
  adminToken: string | undefined
  signal: AbortSignal | undefined
}

/** Sends a request; resolves when the answer begins. */
function exchange({ base, asked, body, adminToken, signal }: Exchange): Promise<IncomingMessage> {
  const [method, path] = asked.split(' ') as [string, string]
  const request = base.startsWith('https:') ? overHttps : overHttp
  const streamed = isStreamed(body) ? body : undefined
  const text = body === undefined || streamed ? undefined : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const sent = request(`${base}/_sandbox${path}`, {
      method,
      ...(signal && { signal }),
      headers: {
        ...(body !== undefined && { 'content-type': streamed?.type ?? 'application/json' }),
        ...(text !== undefined && { 'content-length': Buffer.byteLength(text) }),
        ...(adminToken !== undefined && { authorization: `Bearer ${adminToken}` }),
      },
    })
    sent.on('response', (answer) => {
      // It may come before all is sent: then the rest is of no use.
      if (streamed) {
        streamed.stream.unpipe(sent)
        answer.once('end', () => sent.destroy())
      }
      resolve(answer)
    })
    sent.on('error', (error) => reject(explained(error, base)))
    if (!streamed) return sent.end(text)
    streamed.stream.on('error', (error) => {
      sent.destroy()
      reject(error)
    })
    streamed.stream.pipe(sent)
  })
}

async function read(answer: IncomingMessage, base: string): Promise<Answer> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of answer) chunks.push(chunk)
  } catch (error) {
    throw explained(error as Error, base)
  }
  const status = answer.statusCode!
  return { status, body: parsed(Buffer.concat(chunks).toString(), status, base) }
}

function parsed(text: string, status: number, base: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw new Failure(`what answers at ${base} is no mercadito (status ${status}, no JSON); is --url right?`)
  }
}
