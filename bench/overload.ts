import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { buildAll } from '../tools/build.ts'
import { get, openConnection } from './connection.ts'
import { startServerCopy } from './server_copy.ts'

// 2,000 connections that send requests, 500 bodies that never end, and 500 silent sockets. The server must keep
// answering /livez, and be ready again when they have disconnected.

const CONNECTIONS = 2000
const SLOW = 500
const SILENT = 500
const SECONDS = 10
/** Of /livez under load, as seen from the process that creates the load. */
const MAX_PROBE_MS = 30_000

await buildAll()
const server = await startServerCopy('--scenario', 'empty')
const [seller] = server.sellers as [(typeof server.sellers)[0]]
const sockets: Socket[] = []
async function held(text: string): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port: server.port })
  socket.on('error', () => {})
  sockets.push(socket)
  await once(socket, 'connect')
  if (text !== '') socket.write(text)
}
const slow = `POST /questions HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${seller.token}\r\ncontent-length: 500000\r\n\r\n{"item_id":`
for (let n = 0; n < SLOW; n++) await held(slow)
for (let n = 0; n < SILENT; n++) await held('')

const probe = async (): Promise<number> => {
  const began = performance.now()
  const { status } = await fetch(`${server.url}/livez`, { signal: AbortSignal.timeout(MAX_PROBE_MS) })
  if (status !== 200) throw new Error(`/livez answered ${status}`)
  return performance.now() - began
}

const end = performance.now() + SECONDS * 1000
const seen = new Map<number, number>()
const request = get(`/questions/search?seller_id=${seller.id}`, seller.token)
const play = async () => {
  const line = await openConnection(server.port)
  while (performance.now() < end && !line.isClosed()) {
    const status = await line.request(request)
    seen.set(status, (seen.get(status) ?? 0) + 1)
  }
  line.socket.destroy()
}
const playing = Promise.all(Array.from({ length: CONNECTIONS }, play))
const probes: number[] = []
while (performance.now() < end) {
  probes.push(await probe())
  await setTimeout(200)
}
await playing
const peak = server.residentMegabytes()
for (const socket of sockets) socket.destroy()
const ready = await fetch(`${server.url}/readyz?wait=10s`)
const metrics = await (await server.control('GET /../metrics')).text()
const left = /^mercadito_http_requests_in_flight (\d+)$/m.exec(metrics)?.[1]
const after = await probe()
const { code, errors } = await server.stop()

const wrong = [
  ready.status !== 200 && `the server is not ready again: ${await ready.text()}`,
  left !== '0' && `${left} requests are still in flight`,
  ...[...seen].map(([status, n]) => ![200, 503].includes(status) && `${n} answers of ${status || 'nothing'}`),
  code !== 0 && `the server ended with ${code}`,
  errors !== '' && errors.slice(0, 2000),
].filter(Boolean)
console.log(
  `${CONNECTIONS} connections, ${SLOW} slow senders, ${SILENT} silent sockets for ${SECONDS} s: ${[...seen].map(([status, n]) => `${n} answers of ${status}`).join(', ')}`,
)
console.log(
  `/livez ${probes.length} times, at most ${Math.max(...probes).toFixed(0)} ms; ${after.toFixed(0)} ms after; ${peak.toFixed(0)} MB`,
)
for (const what of wrong) console.error(`wrong: ${what}`)
process.exitCode = wrong.length > 0 ? 1 : 0
