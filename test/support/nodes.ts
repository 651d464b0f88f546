import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http'
import type { Readable } from 'node:stream'
import type { Options } from '../../app.ts'
import sendingOn, {
  createSender,
  type Sender,
  type SenderOptions,
  sentOnMetric,
} from '../../cluster/requests/sending_on.ts'
import { NotOwned } from '../../cluster/storage/ownership.ts'
import { openWorlds } from '../../db/worlds.ts'
import type { Sharing } from '../../http/sharing.ts'
import { start, type TestApp } from './app.ts'
import { urlOf } from './event_stream.ts'
import type { Owner } from './torture.ts'
import { until } from './until.ts'

export const KEY = Buffer.alloc(32, 7)

/** A server that sends requests on, without a database. */
export interface Node extends TestApp {
  url: string
  /** Worlds of other nodes, with the addresses of those. */
  elsewhere: Map<number, string | null>
  /** Worlds whose owner did not serve them. */
  forgotten: number[]
}

/**
 * Starts a node with the worlds 1 and 2, which are the same on every node, and empty unless `options` say otherwise. It owns
 * both until a test says otherwise.
 */
export async function startNode(t: Owner, name: string, options: Partial<Options> = {}): Promise<Node> {
  const forgotten: number[] = []
  const { scenario = 'empty' } = options
  const app = await start(t, {
    scenario,
    sharing: sharingOf({ key: KEY, node: () => name, forgetOwner: (world) => void forgotten.push(world) }, options),
    ...options,
  })
  await app.server.listen({ port: 0, host: '127.0.0.1' })
  const { worlds } = app
  const headers = options.adminToken === undefined ? {} : { authorization: `Bearer ${options.adminToken}` }
  await app.call({ method: 'POST', url: '/_sandbox/worlds', headers, payload: { scenario } })
  const elsewhere = new Map<number, string | null>()
  const { acquire, remove } = worlds
  const check = (id: number) => {
    const url = elsewhere.get(id)
    if (url !== undefined) throw new NotOwned(id, url)
  }
  worlds.acquire = (id) => (elsewhere.has(id) ? Promise.resolve().then(() => check(id) as undefined) : acquire(id))
  worlds.remove = async (id) => {
    check(id)
    await remove(id)
  }
  return { ...app, url: urlOf(app.server), elsewhere, forgotten }
}

const sharingOf = (
  node: Pick<SenderOptions, 'key' | 'node' | 'forgetOwner'>,
  { trustedProxies }: Partial<Options>,
): Sharing => {
  let sender: Sender
  return {
    openWorlds,
    register(server, worlds) {
      sender ??= createSender({ ...node, worlds, ownUrl: undefined, isBehindProxy: trustedProxies !== undefined })
      server.register(sendingOn, { sender })
    },
    metrics: () => [sentOnMetric(sender)],
  }
}

/** An answer as it came over the wire. */
interface WholeAnswer {
  status: number
  message: string
  /** Names and values, without those of the connection; the value of `date` is left out. */
  headers: string[]
  /** The server closes the connection. */
  isLast: boolean
  text: string
}

export interface Call extends Omit<RequestOptions, 'headers'> {
  headers?: Record<string, string | string[]> | string[]
  body?: string | Buffer | Readable
}

const OF_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding'])

/** Sends a request on a connection of its own, unless it has an agent. Resolves with the head of its answer. */
export const open = (base: string, path: string, { body, ...options }: Call = {}): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const agent = new Agent({ keepAlive: true })
    const sent = request(base, { agent, path, ...options } as RequestOptions, resolve).on('error', reject)
    if (typeof body === 'object' && 'pipe' in body) body.pipe(sent)
    else sent.end(body)
  })

/** The same, with the whole answer. Rejects if the connection breaks off. */
export const send = async (...call: Parameters<typeof open>): Promise<WholeAnswer> => readAnswer(await open(...call))

export async function readAnswer(answer: IncomingMessage): Promise<WholeAnswer> {
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk)
  const headers: string[] = []
  for (let n = 0; n < answer.rawHeaders.length; n += 2) {
    const [name, value] = [answer.rawHeaders[n]!, answer.rawHeaders[n + 1]!]
    if (!OF_CONNECTION.has(name.toLowerCase())) headers.push(`${name}: ${name === 'Date' ? '' : value}`)
  }
  return {
    status: answer.statusCode!,
    message: answer.statusMessage!,
    headers,
    isLast: answer.headers.connection === 'close',
    text: Buffer.concat(chunks).toString('latin1'),
  }
}

/** The number of a metric; undefined if it is not registered. */
export async function metricOf({ call }: TestApp, name: string): Promise<number | undefined> {
  const [, value] = new RegExp(`^${name} (\\d+)$`, 'm').exec((await call('/metrics')).text) ?? []
  return value === undefined ? undefined : Number(value)
}

/** Resolves when a server has no request in flight. */
export const untilIdle = (app: TestApp): Promise<boolean> => untilInFlight(app, 0)

export const untilInFlight = (app: TestApp, count: number): Promise<boolean> =>
  until(`${count} requests in flight`, async () => (await metricOf(app, 'mercadito_http_requests_in_flight')) === count)
