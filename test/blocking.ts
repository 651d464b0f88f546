import { tmpdir } from 'node:os'
import { build } from '../app.ts'
import { readWorldInfo } from '../control/worlds/world_info.ts'
import { createTemporaryFolder } from '../db/folders.ts'
import { DEFAULT_WORLD } from '../db/worlds.ts'
import { worst, worstValues } from './properties/graphql.ts'

// No call may keep the event loop from the others. This measures the calls that were made to do so: the time of the
// processor that the main thread spends on each, which is at least what it blocks at once. No test: a timing decides.

const LIMIT = 100
/** Of so many the least counts: whatever else the machine does only adds. */
const TIMES = 3
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

/** As many of a piece as a body can hold. */
const filled = (piece: string) => piece.repeat(Math.floor((MEBIBYTE - 100) / Buffer.byteLength(piece)))
const list = (piece: string) => filled(`${piece},`).slice(0, -1)
const RANGE = '{"from":14,"to":21,"capacity":30,"cutoff":13}'
const SENT: Record<string, string> = {
  'levels of lists': filled('['),
  'levels of lists, closed': '['.repeat(500_000) + ']'.repeat(500_000),
  'levels of objects': `${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`,
  'members of many names': `{${Array.from({ length: 70_000 }, (_, n) => `"k${n}":${n}`).join()}}`,
  'members of one name': `{${list('"zones":[]')}}`,
  digits: `{"radius":${filled('9')}}`,
  'digits as text': `{"radius":"${filled('9')}","delivery_ranges":{"week":[{"from":1}]}}`.slice(0, MEBIBYTE),
  blanks: `{${filled(' ')}}`,
  escapes: `{"delivery_window":"${filled('\\u0041')}","delivery_ranges":{}}`,
  'a long window': `{"delivery_window":"${filled('x')}","delivery_ranges":{}}`,
  'ranges of one day': `{"delivery_ranges":{"week":[${list(RANGE)}]}}`,
  'numbers of one day': `{"delivery_ranges":{"week":[${list('1')}]}}`,
  'ranges of an unknown day': `{"delivery_ranges":{"monday":[${list(RANGE)}]}}`,
  'zones of one id': `{"zones":[${list('{"id":"CABA"}')}]}`,
  'zones of unknown ids': `{"zones":[${Array.from({ length: 60_000 }, (_, n) => `{"id":"${n}"}`).join()}]}`,
  'zones of a huge id': `{"zones":[{"id":"CABA"},{"id":"${filled('x')}"}]}`,
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

/** What was not answered at all, with what the server said of it. */
const failed = new Map<string, string>()

/** Ms of the main thread for one call. A blank more makes it another text, so that nothing kept is answered again. */
async function spent({ name, method, url, body }: Load, blanks: number): Promise<number> {
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

console.log(`${(await spent(short, 0)).toFixed(1)} ms  ${short.name}; it happens once and does not count`)
const found: { name: string; ms: number }[] = []
for (const load of [...queries, ...variables, ...settings]) {
  if (Buffer.byteLength(load.body) > MEBIBYTE - 2 * TIMES) throw new Error(`${load.name} is too long to be read`)
  let ms = Number.POSITIVE_INFINITY
  for (let n = 1; n <= TIMES; n++) ms = Math.min(ms, await spent(load, n))
  found.push({ name: load.name, ms })
}
await server.close()

found.sort((a, b) => b.ms - a.ms)
for (const { name, ms } of found.slice(0, 5)) console.log(`${ms.toFixed(1)} ms  ${name}`)
const over = found.filter(({ ms }) => ms > LIMIT)
for (const { name, ms } of over) console.error(`${name} takes ${ms.toFixed(1)} ms, more than ${LIMIT}`)
for (const [name, what] of failed) console.error(`${name} is answered ${what}`)
console.log(`${found.length} calls, ${over.length} over ${LIMIT} ms, ${failed.size} failed`)
process.exitCode = over.length + failed.size > 0 ? 1 : 0
