import { createServer } from 'node:http'
import { parseArgs } from 'node:util'
import { openConnection } from '../../bench/connection.ts'
import { get, post } from '../../bench/requests.ts'
import { startServerCopy } from '../../bench/server_copy.ts'
import { buildAll } from '../../tools/build.ts'

// A server with faults and notifications under full load on one core: memory must not grow, and only the requested faults
// may occur. `npm run soak -- --minutes 1` is a short run.

const { minutes, seed } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string', default: '7' } },
}).values
const DURATION = Number(minutes) * 60_000
const CONNECTIONS = 96
/** Share of the time before memory is compared. */
const WARM_UP = 0.3
const MAX_GROWTH = 0.05
/** Shorter runs end before memory is steady. */
const MIN_MEMORY_MS = 60_000

process.env.SERVER_CORE ??= '0'
await buildAll()
const hook = createServer((request, response) => request.resume().on('end', () => response.end())).listen(
  0,
  '127.0.0.1',
)
await new Promise((resolve) => hook.once('listening', resolve))
const { port: hookPort } = hook.address() as { port: number }
const server = await startServerCopy('--notify', `http://127.0.0.1:${hookPort}/`)
const [seller] = server.sellers as [(typeof server.sellers)[0]]
const [buyer] = server.buyers as [(typeof server.buyers)[0]]
for (const [id, fault] of Object.entries({
  1: { status: 503, probability: 0.02 },
  2: { drop: true, probability: 0.002 },
  3: { delay: { min: 1, max: 20 }, probability: 0.02 },
})) {
  const { probability, ...action } = fault
  const made = await server.control('POST /faults', { id: Number(id), action, probability, seed: Number(seed) })
  if (made.status !== 201) throw new Error(`fault ${id}: ${await made.text()}`)
}

const reads = [
  get(`/questions/search?seller_id=${seller.id}&limit=20`, seller.token),
  get('/items/MLA1400000001', seller.token),
  get(`/users/${seller.id}/contacts/phone_views/time_window?last=30&unit=day`, seller.token),
  get('/users/me', buyer.token),
]
const seen = new Map<number, number>()
let sent = 0
const end = performance.now() + DURATION

async function play(): Promise<void> {
  let connection = await openConnection(server.port)
  while (performance.now() < end) {
    if (connection.isClosed()) connection = await openConnection(server.port)
    const n = sent++
    const request =
      n % 10 === 9
        ? post('/questions', buyer.token, { item_id: 'MLA1400000001', text: `¿Hay stock? (${n})` })
        : reads[n % reads.length]!
    const status = await connection.request(request)
    seen.set(status, (seen.get(status) ?? 0) + 1)
  }
  connection.socket.destroy()
}

const memory: number[] = []
const watch = setInterval(() => memory.push(server.residentMegabytes()), Math.max(DURATION / 200, 250))
const [start, cpu] = [performance.now(), server.cpuSeconds()]
await Promise.all(Array.from({ length: CONNECTIONS }, play))
clearInterval(watch)
const seconds = (performance.now() - start) / 1000
const busy = (server.cpuSeconds() - cpu) / seconds
const { results } = (await (await server.control('GET /faults')).json()) as {
  results: { id: number; applied: number }[]
}
const { code, errors } = await server.stop()
hook.closeAllConnections()
hook.close()

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
const warm = Math.floor(memory.length * WARM_UP)
const width = Math.max(1, Math.floor(memory.length / 10))
const [before, after] = [median(memory.slice(warm, warm + width)), median(memory.slice(-width))]
const growth = after / before - 1
const applied = (id: number) => results.find((rule) => rule.id === id)?.applied ?? 0
const problems = [
  DURATION >= MIN_MEMORY_MS && growth > MAX_GROWTH && `memory grew by ${(100 * growth).toFixed(1)} %`,
  (seen.get(503) ?? 0) !== applied(1) && `${seen.get(503)} answers of 503, but ${applied(1)} were injected`,
  (seen.get(0) ?? 0) !== applied(2) && `${seen.get(0)} connections were closed, but ${applied(2)} were injected`,
  ...[...seen].map(([status, n]) => ![0, 200, 201, 503].includes(status) && `${n} answers of ${status}`),
  code !== 0 && `the server ended with ${code}`,
  errors !== '' && errors.slice(0, 2000),
].filter(Boolean)
console.log(
  `${seconds.toFixed(0)} s, ${sent} calls, ${Math.round(sent / seconds)} a second, server ${Math.round(100 * busy)} % of a core`,
)
console.log(`memory ${before.toFixed(0)} MB after warm-up, ${after.toFixed(0)} MB at the end`)
console.log(`answers ${[...seen].map(([status, n]) => `${status || 'closed'}: ${n}`).join(', ')}`)
for (const problem of problems) console.error(`problem: ${problem}`)
process.exitCode = problems.length > 0 ? 1 : 0
