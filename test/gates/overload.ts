import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { type Connection, createConnection, openSocket } from '../../bench/connection.ts'
import { API_HOST, startIntercepted } from '../../bench/intercepted.ts'
import { get } from '../../bench/requests.ts'
import { startServerCopy } from '../../bench/server_copy.ts'
import { buildAll } from '../../tools/build.ts'
import { sizeOr } from '../support/torture.ts'

// 2,000 connections that send requests, 500 bodies that never end, and 500 silent sockets. The server must keep
// answering /livez, and be ready again when they have disconnected. With `--intercept` fewer go through the proxy of
// `mercadito exec --intercept`, which must survive them, too; with `SIZE=3` as many, because TLS costs most of the time.

const isIntercepted = process.argv.includes('--intercept')
const CONNECTIONS = isIntercepted ? 600 * sizeOr(1) : 2000
const SLOW = CONNECTIONS / 4
const SILENT = SLOW
/** Opened at the same time, because those with TLS have a time limit. */
const AT_ONCE = 100
const SECONDS = 2 * sizeOr(1)
/** All that a proxy says at the end. */
const PROXY_ERRORS = /^mercadito: \d+ calls to the marketplace reached the sandbox\n$/
/** Of /livez under load, as seen from the process that creates the load. */
const MAX_PROBE_MS = 30_000
/** Until the server has noticed the end of each connection, through the proxy. */
const MAX_END_MS = 10_000

await buildAll()
const server = await startServerCopy('--scenario', 'empty')
const proxy = isIntercepted ? await startIntercepted(server.url) : undefined
const open = proxy ? proxy.open : () => openSocket(server.port)
const { token, id } = proxy ? { token: proxy.token, id: proxy.sellerId } : server.sellers[0]!
const host = proxy ? API_HOST : 'localhost'
const sockets: Socket[] = []
async function held(text: string): Promise<void> {
  const socket = await open()
  sockets.push(socket)
  if (text !== '') socket.write(text)
}
const slow = `POST /questions HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\ncontent-length: 500000\r\n\r\n{"item_id":`
for (let n = 0; n < SLOW; n++) await held(slow)
for (let n = 0; n < SILENT; n++) await held('')

/** One without a request would be closed after 15 s. */
async function openUsed(): Promise<Connection> {
  const connection = createConnection(await open())
  await connection.request(request)
  return connection
}

const probe = async (): Promise<number> => {
  const began = performance.now()
  const { status } = await fetch(`${server.url}/livez`, { signal: AbortSignal.timeout(MAX_PROBE_MS) })
  if (status !== 200) throw new Error(`/livez answered ${status}`)
  return performance.now() - began
}

async function requestsInFlight(): Promise<string | undefined> {
  const metrics = await (await server.control('GET /../metrics')).text()
  return /^mercadito_http_requests_in_flight (\d+)$/m.exec(metrics)?.[1]
}

const request = get(`/questions/search?seller_id=${id}`, token, host)
const connections: Connection[] = []
while (connections.length < CONNECTIONS)
  connections.push(...(await Promise.all(Array.from({ length: AT_ONCE }, openUsed))))
const end = performance.now() + SECONDS * 1000
const seen = new Map<number, number>()
const play = async (line: Connection) => {
  while (performance.now() < end && !line.isClosed()) {
    const status = await line.request(request)
    seen.set(status, (seen.get(status) ?? 0) + 1)
  }
  line.socket.destroy()
}
const playing = Promise.all(connections.map(play))
const probes: number[] = []
while (performance.now() < end) {
  probes.push(await probe())
  await setTimeout(200)
}
await playing
const peak = server.residentMegabytes()
for (const socket of sockets) socket.destroy()
const ready = await fetch(`${server.url}/readyz?wait=10s`)
let left = await requestsInFlight()
for (const last = performance.now() + MAX_END_MS; left !== '0' && performance.now() < last; ) {
  await setTimeout(100)
  left = await requestsInFlight()
}
const after = await probe()
const late = await createConnection(await open()).request(request)
const stoppedProxy = await proxy?.stop()
const { code, errors } = await server.stop()

const wrong = [
  ready.status !== 200 && `the server is not ready again: ${await ready.text()}`,
  left !== '0' && `${left} requests are still in flight`,
  ...[...seen].map(([status, n]) => ![200, 503].includes(status) && `${n} answers of ${status || 'nothing'}`),
  late !== 200 && `a call afterwards was answered with ${late}`,
  code !== 0 && `the server ended with ${code}`,
  errors !== '' && errors.slice(0, 2000),
  stoppedProxy && stoppedProxy.code !== 0 && `the proxy ended with ${stoppedProxy.code}`,
  stoppedProxy && !PROXY_ERRORS.test(stoppedProxy.errors) && stoppedProxy.errors.slice(0, 2000),
].filter(Boolean)
console.log(
  `${CONNECTIONS} connections, ${SLOW} slow senders, ${SILENT} silent sockets for ${SECONDS} s: ${[...seen].map(([status, n]) => `${n} answers of ${status}`).join(', ')}`,
)
console.log(
  `/livez ${probes.length} times, at most ${Math.max(...probes).toFixed(0)} ms; ${after.toFixed(0)} ms after; ${peak.toFixed(0)} MB`,
)
for (const what of wrong) console.error(`wrong: ${what}`)
process.exitCode = wrong.length > 0 ? 1 : 0
