import { tmpdir } from 'node:os'
import { build } from '../../app.ts'
import { readWorldInfo } from '../../control/worlds/world_info.ts'
import { createTemporaryFolder } from '../../db/folders.ts'
import { DEFAULT_WORLD } from '../../db/worlds.ts'
import { expensiveQueries, expensiveValues } from '../properties/graphql.ts'

// No call may block the event loop. This measures the main thread's CPU time for calls built to block it, a lower bound
// of the time it is blocked, beside the time that the same machine needs to parse the deepest body.

/** Times as long as parsing `DEEPEST`. */
const LIMIT = 12
/** A call that takes too long is repeated, and the least counts: other load on the machine only adds time. */
const RUNS = 3
const MEBIBYTE = 1024 * 1024

const errors: Error[] = []
const { server, worlds } = await build({
  folder: createTemporaryFolder(tmpdir()),
  mode: 'temporary',
  scenario: 'demo',
  seed: 1,
  now: Date.UTC(2026, 2, 7, 15),
  secret: false,
  onFault: (error) => errors.push(error),
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
const queries = Object.entries(expensiveQueries(seller.id, FLEX)).map(
  ([name, text]): Load => ({
    name: `query, ${name}`,
    method: 'POST',
    url: `${SITE}/configuration/v3`,
    body: JSON.stringify({ query: text }),
  }),
)

/** As many repetitions as fit into a body. */
const repeated = (piece: string) => piece.repeat(Math.floor((MEBIBYTE - 100) / Buffer.byteLength(piece)))
const list = (piece: string) => repeated(`${piece},`).slice(0, -1)
const RANGE = '{"from":14,"to":21,"capacity":30,"cutoff":13}'
const DEEPEST = '['.repeat(500_000) + ']'.repeat(500_000)
const BODIES: Record<string, string> = {
  'levels of lists': repeated('['),
  'levels of lists, closed': DEEPEST,
  'levels of objects': `${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`,
  'members of many names': `{${Array.from({ length: 70_000 }, (_, n) => `"k${n}":${n}`).join()}}`,
  'members of one name': `{${list('"zones":[]')}}`,
  digits: `{"radius":${repeated('9')}}`,
  'digits as text': `{"radius":"${repeated('9')}","delivery_ranges":{"week":[{"from":1}]}}`.slice(0, MEBIBYTE),
  blanks: `{${repeated(' ')}}`,
  escapes: `{"delivery_window":"${repeated('\\u0041')}","delivery_ranges":{}}`,
  'a long window': `{"delivery_window":"${repeated('x')}","delivery_ranges":{}}`,
  'ranges of one day': `{"delivery_ranges":{"week":[${list(RANGE)}]}}`,
  'numbers of one day': `{"delivery_ranges":{"week":[${list('1')}]}}`,
  'ranges of an unknown day': `{"delivery_ranges":{"monday":[${list(RANGE)}]}}`,
  'zones of one id': `{"zones":[${list('{"id":"CABA"}')}]}`,
  'zones of unknown ids': `{"zones":[${Array.from({ length: 60_000 }, (_, n) => `{"id":"${n}"}`).join()}]}`,
  'zones of a huge id': `{"zones":[{"id":"CABA"},{"id":"${repeated('x')}"}]}`,
  'zones with additional members': `{"zones":[{"id":"CABA"},{"id":"CABA_Sur","more":[${list('0')}]}]}`,
}
const KINDS = { 'delivery/custom': FLEX, 'coverage/zone': FLEX, 'delivery/accurate': TURBO, 'coverage/radius': TURBO }
const settings = Object.entries(KINDS).flatMap(([kind, service]) =>
  Object.entries(BODIES).map(
    ([name, body]): Load => ({
      name: `${kind}, ${name}`,
      method: 'PUT',
      url: `${SITE}/users/${seller.id}/services/${service}/configuration/${kind}/v3`,
      body,
    }),
  ),
)
const variables = Object.entries(expensiveValues()).map(
  ([name, value]): Load => ({
    name: `variables, ${name}`,
    method: 'POST',
    url: `${SITE}/configuration/v3`,
    body: `{"query":"query ($u: Int) { configuration(user_id: $u, service_id: 1) { radius } }","variables":{"u":${value}}}`,
  }),
)
const short: Load = { ...queries[0]!, name: 'a first query, which loads the executor' }

/** Failed calls, with the server's error. */
const failed = new Map<string, string>()

/** Ms of the main thread for one call. Additional blanks change the text, so that no cached result is used. */
async function measureCall({ name, method, url, body }: Load, blanks: number): Promise<number> {
  const payload = body.replace('{', `{${' '.repeat(blanks)}`).replace('"query":"', `"query":"${' '.repeat(blanks)}`)
  const headers = { authorization: `Bearer ${seller.token}`, 'content-type': 'application/json' }
  const cpu = startCpu()
  const { statusCode } = await server.inject({ method, url, headers, payload })
  const ms = cpu()
  if (statusCode >= 500) failed.set(name, `${statusCode} ${errors.at(-1)?.stack?.split('\n', 2).join()}`)
  return ms
}

/** Returns a function that returns the ms of the main thread since. */
function startCpu(): () => number {
  const before = process.threadCpuUsage()
  return () => {
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  }
}

/** Ms that the machine needs to parse the deepest body. */
function measureParsing(): number {
  const cpu = startCpu()
  JSON.parse(DEEPEST)
  return cpu()
}

console.log(`${(await measureCall(short, 0)).toFixed(1)} ms  ${short.name}; it happens once and does not count`)
const parsing = Math.min(...Array.from({ length: RUNS }, measureParsing))
const limit = LIMIT * parsing
const measured: { name: string; ms: number }[] = []
for (const load of [...queries, ...variables, ...settings]) {
  if (Buffer.byteLength(load.body) > MEBIBYTE - 2 * RUNS) throw new Error(`${load.name} exceeds the limit of a body`)
  let ms = Number.POSITIVE_INFINITY
  for (let n = 1; n <= RUNS && ms > limit; n++) ms = Math.min(ms, await measureCall(load, n))
  measured.push({ name: load.name, ms })
}
await server.close()

measured.sort((a, b) => b.ms - a.ms)
console.log(`${parsing.toFixed(1)} ms  parsing the deepest body; a call may take ${LIMIT} times as long`)
for (const { name, ms } of measured.slice(0, 5)) console.log(`${ms.toFixed(1)} ms  ${name}`)
const slow = measured.filter(({ ms }) => ms > limit)
for (const { name, ms } of slow) console.error(`${name} takes ${ms.toFixed(1)} ms, more than ${limit.toFixed(1)}`)
for (const [name, error] of failed) console.error(`${name} failed with ${error}`)
console.log(`${measured.length} calls, ${slow.length} over the limit, ${failed.size} failed`)
process.exitCode = slow.length + failed.size > 0 ? 1 : 0
