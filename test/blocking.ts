import { tmpdir } from 'node:os'
import { build } from '../app.ts'
import { readWorldInfo } from '../control/worlds/world_info.ts'
import { createTemporaryFolder } from '../db/folders.ts'
import { DEFAULT_WORLD } from '../db/worlds.ts'
import { worst, worstValues } from './properties/graphql.ts'

// Measures how long calls that are made for it block the event loop: the CPU time of the main thread for each. It is not
// part of the tests, because its result depends on the machine.

/** Ms. */
const MAX_BLOCKED_MS = 100
/** The lowest of these measurements counts: other work of the machine only adds time. */
const ROUNDS = 3
const MEBIBYTE = 1024 * 1024

const faults: Error[] = []
const { server, worlds } = await build({
  folder: createTemporaryFolder(tmpdir()),
  mode: 'temporary',
  scenario: 'demo',
  seed: 1,
  now: Date.UTC(2026, 2, 7, 15),
  secret: false,
  onFault: (error) => faults.push(error),
})
const seller = (await readWorldInfo('', (await worlds.acquire(DEFAULT_WORLD))!, worlds)).sellers[0]!
const [FLEX, TURBO] = [736_230, 736_231]

interface Load {
  name: string
  method: 'POST' | 'PUT'
  url: string
  body: string
}

const SITE = '/shipping/flex/sites/MLA'
const queries = Object.entries(worst(seller.id, FLEX)).map(
  ([name, text]): Load => ({
    name: `query, ${name}`,
    method: 'POST',
    url: `${SITE}/configuration/v3`,
    body: JSON.stringify({ query: text }),
  }),
)

/** A text repeated as often as a body can hold it. */
const fill = (piece: string) => piece.repeat(Math.floor((MEBIBYTE - 100) / Buffer.byteLength(piece)))
const list = (piece: string) => fill(`${piece},`).slice(0, -1)
const RANGE = '{"from":14,"to":21,"capacity":30,"cutoff":13}'
const SENT: Record<string, string> = {
  'levels of lists': fill('['),
  'levels of lists, closed': '['.repeat(500_000) + ']'.repeat(500_000),
  'levels of objects': `${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`,
  'members of many names': `{${Array.from({ length: 70_000 }, (_, n) => `"k${n}":${n}`).join()}}`,
  'members of one name': `{${list('"zones":[]')}}`,
  digits: `{"radius":${fill('9')}}`,
  'digits as text': `{"radius":"${fill('9')}","delivery_ranges":{"week":[{"from":1}]}}`.slice(0, MEBIBYTE),
  blanks: `{${fill(' ')}}`,
  escapes: `{"delivery_window":"${fill('\\u0041')}","delivery_ranges":{}}`,
  'a long window': `{"delivery_window":"${fill('x')}","delivery_ranges":{}}`,
  'ranges of one day': `{"delivery_ranges":{"week":[${list(RANGE)}]}}`,
  'numbers of one day': `{"delivery_ranges":{"week":[${list('1')}]}}`,
  'ranges of an unknown day': `{"delivery_ranges":{"monday":[${list(RANGE)}]}}`,
  'zones of one id': `{"zones":[${list('{"id":"CABA"}')}]}`,
  'zones of unknown ids': `{"zones":[${Array.from({ length: 60_000 }, (_, n) => `{"id":"${n}"}`).join()}]}`,
  'zones of a huge id': `{"zones":[{"id":"CABA"},{"id":"${fill('x')}"}]}`,
  'zones with much beside': `{"zones":[{"id":"CABA"},{"id":"CABA_Sur","more":[${list('0')}]}]}`,
}
const KINDS = { 'delivery/custom': FLEX, 'coverage/zone': FLEX, 'delivery/accurate': TURBO, 'coverage/radius': TURBO }
const settings = Object.entries(KINDS).flatMap(([kind, service]) =>
  Object.entries(SENT).map(
    ([name, body]): Load => ({
      name: `${kind}, ${name}`,
      method: 'PUT',
      url: `${SITE}/users/${seller.id}/services/${service}/configuration/${kind}/v3`,
      body,
    }),
  ),
)
const variables = Object.entries(worstValues()).map(
  ([name, value]): Load => ({
    name: `variables, ${name}`,
    method: 'POST',
    url: `${SITE}/configuration/v3`,
    body: `{"query":"query ($u: Int) { configuration(user_id: $u, service_id: 1) { radius } }","variables":{"u":${value}}}`,
  }),
)
const short: Load = { ...queries[0]!, name: 'a first query, which loads the executor' }

/** Calls that got a 5xx, with the server's error. */
const failed = new Map<string, string>()

/** Ms of the main thread for one call. Blanks make it another text, so that no cache answers it. */
async function measure({ name, method, url, body }: Load, blanks: number): Promise<number> {
  const payload = body.replace('{', `{${' '.repeat(blanks)}`).replace('"query":"', `"query":"${' '.repeat(blanks)}`)
  const before = process.threadCpuUsage()
  const { statusCode } = await server.inject({
    method,
    url,
    headers: { authorization: `Bearer ${seller.token}`, 'content-type': 'application/json' },
    payload,
  })
  const { user, system } = process.threadCpuUsage(before)
  if (statusCode >= 500) failed.set(name, `${statusCode} ${faults.at(-1)?.stack?.split('\n', 2).join()}`)
  return (user + system) / 1000
}

console.log(`${(await measure(short, 0)).toFixed(1)} ms  ${short.name}; measured once, not counted`)
const measured: { name: string; ms: number }[] = []
for (const load of [...queries, ...variables, ...settings]) {
  if (Buffer.byteLength(load.body) > MEBIBYTE - 2 * ROUNDS) throw new Error(`${load.name} is longer than a body may be`)
  let ms = Number.POSITIVE_INFINITY
  for (let n = 1; n <= ROUNDS; n++) ms = Math.min(ms, await measure(load, n))
  measured.push({ name: load.name, ms })
}
await server.close()

measured.sort((a, b) => b.ms - a.ms)
for (const { name, ms } of measured.slice(0, 5)) console.log(`${ms.toFixed(1)} ms  ${name}`)
const over = measured.filter(({ ms }) => ms > MAX_BLOCKED_MS)
for (const { name, ms } of over) console.error(`${name} takes ${ms.toFixed(1)} ms, more than ${MAX_BLOCKED_MS}`)
for (const [name, error] of failed) console.error(`${name} gets ${error}`)
console.log(`${measured.length} calls, ${over.length} over ${MAX_BLOCKED_MS} ms, ${failed.size} failed`)
process.exitCode = over.length + failed.size > 0 ? 1 : 0
