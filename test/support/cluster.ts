import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import type { InjectOptions } from 'fastify'
import pg from 'pg'
import { type App, build, type Options } from '../../app.ts'
import { shareWorlds } from '../../cluster/index.ts'
import { NotOwned } from '../../cluster/storage/ownership.ts'
import { createTemporaryFolder } from '../../db/folders.ts'
import type { World } from '../../db/world.ts'
import type { Worlds } from '../../db/worlds.ts'
import { freePort } from '../cluster/postgres.ts'
import type { Answer } from './app.ts'
import { randomNumbers, SEED } from './torture.ts'

/** Two servers that share the worlds of a database, in which nothing else is. */
interface Cluster {
  /** The server that has the default world at the start. */
  first: App
  /** Those of the first server; `acquire` finds a world at either. */
  worlds: Worlds
  /** Sends a request to one of the servers, at random (`SEED`). */
  send(options: InjectOptions): Promise<{ statusCode: number; headers: Answer['headers']; payload: string }>
  close(): Promise<void>
}

/** Longer than a test: a renewal follows the clock of the database, which tests that stop the time do not expect. */
const LEASE_MS = 600_000
/** Decides which server gets a request: the same one in every run with the seed, while requests come one by one. */
const random = randomNumbers(SEED)
/** The host of injected requests. */
const HOST = 'localhost:80'

export async function startCluster(databaseUrl: string, options: Omit<Options, 'folder' | 'mode'>): Promise<Cluster> {
  const url = await takeDatabase(databaseUrl)
  const apps: App[] = []
  const ports: number[] = []
  for (let n = 0; n < 2; n++) {
    const port = await freePort()
    const app = await build({
      ...options,
      // Tests that collect routes expect each once.
      ...(n > 0 && { beforePlugins: () => {} }),
      folder: createTemporaryFolder(tmpdir()),
      mode: 'temporary',
      sharing: shareWorlds({ url, leaseMs: LEASE_MS, advertise: `http://127.0.0.1:${port}` }),
    })
    await app.listenOn({ host: '127.0.0.1', port })
    // It listens already.
    app.server.listen = (async () => `http://127.0.0.1:${port}`) as never
    apps.push(app)
    ports.push(port)
  }
  return {
    first: apps[0]!,
    worlds: worldsOf(apps.map(({ worlds }) => worlds)),
    send: (options) => send(ports[Math.floor(random() * ports.length)]!, options),
    async close() {
      await Promise.all(apps.map(({ server }) => server.close()))
      unused.push(url)
    },
  }
}

/** Tests look into worlds, whichever server has them. */
function worldsOf(all: Worlds[]): Worlds {
  const owners = new Map<World, Worlds>()
  return {
    ...all[0]!,
    async acquire(id) {
      for (const worlds of all) {
        const world = await Promise.resolve(worlds.acquire(id)).catch((error) => {
          if (!(error instanceof NotOwned)) throw error
        })
        if (!world) continue
        owners.set(world, worlds)
        return world
      }
    },
    retain: (world) => owners.get(world)!.retain(world),
    release: (world) => owners.get(world)!.release(world),
  }
}

/** Databases of clusters that have ended: creating one takes longer than emptying it. */
const unused: string[] = []
let databases = 0

async function takeDatabase(databaseUrl: string): Promise<string> {
  const url = unused.pop()
  if (url !== undefined) {
    await run(url, 'DROP SCHEMA mercadito CASCADE')
    return url
  }
  const name = `suite_${process.pid}_${++databases}`
  await run(databaseUrl, `CREATE DATABASE ${name}`)
  return Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).href
}

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(sql)
  await client.end()
}

/** As light-my-request sends it, over a connection. */
async function send(
  port: number,
  { method = 'GET', url = '/', path = url, query, headers, payload, body = payload }: InjectOptions,
) {
  const target = new URL(String(path), `http://${HOST}`)
  for (const [name, value] of Object.entries((query as Record<string, string>) ?? {}))
    target.searchParams.append(name, value)
  const isObject = typeof body === 'object' && !(body instanceof Buffer) && !(body instanceof Readable)
  const bytes = isObject ? JSON.stringify(body) : (body as string | Buffer | Readable | undefined)
  const request = httpRequest({
    host: '127.0.0.1',
    port,
    method,
    path: query ? target.pathname + target.search : String(path),
    headers: {
      host: HOST,
      ...(isObject && { 'content-type': 'application/json' }),
      ...(bytes !== undefined && !(bytes instanceof Readable) && { 'content-length': Buffer.byteLength(bytes) }),
      ...(headers as Record<string, string>),
    },
  })
  if (bytes instanceof Readable) bytes.pipe(request)
  else request.end(bytes)
  const [response] = await once(request, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return { statusCode: response.statusCode, headers: response.headers, payload: Buffer.concat(chunks).toString() }
}
