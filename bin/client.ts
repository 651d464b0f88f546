import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import type { Readable } from 'node:stream'
import { Failure } from './failure.ts'

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
  /** `GET /clock`: answers the body. Throws a Failure with one line when the answer is an error. */
  // biome-ignore lint/suspicious/noExplicitAny: commands name the shape that they expect
  call(asked: string, body?: unknown): Promise<any>
  /** As `call`, but errors of the server are answers too. A Readable is sent as it comes, as NDJSON. */
  ask(asked: string, body?: unknown): Promise<Answer>
}

export function clientOf(base: string, adminToken?: string): Client {
  const named = /^(.*)\/w\/(\d+)$/.exec(base)
  const ask: Client['ask'] = async (asked, body) => {
    const [method, path] = asked.split(' ') as [string, string]
    return send(base, method, `${base}/_sandbox${path}`, body, adminToken)
  }
  const client: Client = {
    base,
    world: named ? Number(named[2]) : 1,
    get server() {
      return named ? clientOf(named[1]!, adminToken) : client
    },
    ask,
    async call(asked, body) {
      const answer = await ask(asked, body)
      if (answer.status >= 400) throw failed(asked, answer, client.world)
      return answer.body
    },
  }
  return client
}

/** An address with its parts made safe, `undefined` ones left out of the query. */
export function path(strings: TemplateStringsArray, ...parts: unknown[]): string {
  return strings.reduce((all, text, n) => all + encodeURIComponent(String(parts[n - 1])) + text)
}

export function query(members: Record<string, unknown>): string {
  const given = Object.entries(members).filter(([, value]) => value !== undefined)
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`
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

/** Nobody listens there. */
export class NoServer extends Failure {}

const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'EAI_AGAIN'])

function explained(error: NodeJS.ErrnoException, base: string): Error {
  if (UNREACHABLE.has(error.code ?? ''))
    return new NoServer(
      `no server answers at ${base}; start one with \`mercadito start\`, or name another with --url or MERCADITO_URL`,
    )
  return new Failure(`the connection to ${base} broke (${error.code ?? error.message}); see what the server says`)
}

function send(base: string, method: string, address: string, body: unknown, adminToken?: string): Promise<Answer> {
  const request = address.startsWith('https:') ? overHttps : overHttp
  const streamed = isStream(body)
  const text = body === undefined || streamed ? undefined : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const sent = request(address, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': streamed ? 'application/x-ndjson' : 'application/json' }),
        ...(text !== undefined && { 'content-length': Buffer.byteLength(text) }),
        ...(adminToken !== undefined && { authorization: `Bearer ${adminToken}` }),
      },
    })
    sent.on('response', async (answer) => {
      try {
        const chunks: Buffer[] = []
        for await (const chunk of answer) chunks.push(chunk)
        if (streamed) body.destroy()
        resolve({
          status: answer.statusCode!,
          body: parsed(Buffer.concat(chunks).toString(), answer.statusCode!, base),
        })
      } catch (error) {
        reject(error instanceof Failure ? error : explained(error as Error, base))
      }
    })
    sent.on('error', (error) => reject(explained(error, base)))
    if (streamed) {
      body.on('error', (error) => {
        sent.destroy()
        reject(error)
      })
      body.pipe(sent)
    } else sent.end(text)
  })
}

const isStream = (body: unknown): body is Readable => typeof (body as Readable | undefined)?.pipe === 'function'

function parsed(text: string, status: number, base: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw new Failure(`what answers at ${base} is no mercadito (status ${status}, no JSON); is --url right?`)
  }
}
