import fc, { type Arbitrary } from 'fast-check'
import { anyOperation } from '../../properties/call_runner.ts'
import { almostValidCall, arbitraryCall, asJsonp, badTokens, noTokens, validCall } from '../../properties/calls.ts'
import { SETUP, SUBSCRIPTION, scripts } from '../../properties/control_scripts.ts'
import { tokenOf, USERS, withWorldNumbers } from '../../properties/control_values.ts'
import { collectDemoValues, type DemoValues } from '../../properties/demo.ts'
import type { TestApp } from '../../support/app.ts'
import { type Call, requestLine } from '../exchange.ts'
import { answerOf, settle } from '../replay.ts'
import { serverOf } from '../server.ts'
import { recordCalls } from './recorder.ts'

// Calls from the generators of test/properties. They are generated once; later changes of the generators do not apply.

type SentCall = Pick<Call, 'method' | 'url' | 'headers' | 'payload'>

/** Calls that do not end, write to a given folder, or answer a generated document. */
const EXCLUDED = /\/_sandbox\/(events|backup|openapi\.json|world\.schema\.json)/
/** Slower calls are left out. */
const MAX_CALL_MS = 300
/** The same for calls that create a world. */
const MAX_CREATION_MS = 10_000

/** Values of the demo, and the calls that read them. */
async function collectDemo(app: TestApp): Promise<{ demo: DemoValues; calls: Call[] }> {
  const calls = recordCalls(app)
  const demo = await collectDemoValues(app)
  return { demo, calls: [...calls] }
}

/** Calls of the emulated API: `count` of each main kind, fewer of the others. */
export async function generatedCalls(seed: number, count: number): Promise<Call[]> {
  // Leads are created by control calls in a second world, so that the replay creates them, too.
  const first = await serverOf({ scenario: 'demo', seed })
  const { demo, calls } = await collectDemo(first.app)
  await first.close()
  const { app, close } = await serverOf({ scenario: 'demo', seed })
  try {
    const leads: string[] = []
    const items = demo.values.item_id as string[]
    for (const call of calls) await app.server.inject(call as never)
    for (const [n, item_id] of items.slice(0, 3).entries()) {
      const payload = JSON.stringify({ item_id, status: 'approved', down_payment_amount: 45_000 + n })
      const call = { method: 'POST', url: '/_sandbox/loans', payload }
      calls.push(call)
      leads.push((await app.server.inject(call as never)).json().id)
    }
    demo.values.credit_id = [...leads, ...demo.values.credit_id!.slice(-4)]
  } finally {
    await close()
  }
  const sample = (calls: Arbitrary<SentCall>, numRuns: number): SentCall[] =>
    fc.sample(calls, { seed, numRuns }).filter(({ url }) => !url.startsWith('/openapi.json'))
  const bad = fc.constantFrom(...badTokens(demo), ...noTokens(demo))
  const kinds = [
    sample(anyOperation(demo, validCall), count),
    sample(anyOperation(demo, almostValidCall), count),
    sample(anyOperation(demo, arbitraryCall), count),
    sample(
      fc
        .tuple(anyOperation(demo, validCall), fc.constantFrom('show', 'a.b', 'f[0]'), fc.boolean())
        .map(([call, name, shouted]) => asJsonp(call, name, shouted)),
      count / 2,
    ),
    sample(
      fc
        .tuple(anyOperation(demo, validCall), bad)
        .map(([call, authorization]) => ({ ...call, headers: { ...call.headers, authorization } })),
      count / 4,
    ),
  ]
  // Interleaved, like the calls of several clients.
  for (let n = 0; n < count; n++) for (const kind of kinds) if (kind[n]) calls.push(kind[n]!)
  return calls
}

/** Control calls followed by calls of the emulated API; each script runs in its own world. */
export async function storyCalls(seed: number, count: number): Promise<Call[]> {
  const { app, close } = await serverOf({ scenario: 'empty', seed })
  const calls: Call[] = []
  const send = async (call: Call, maxMs = MAX_CALL_MS) => {
    if (EXCLUDED.test(call.url)) return undefined
    const start = performance.now()
    const answer = await answerOf(app, call, maxMs)
    if (performance.now() - start > maxMs) process.stderr.write(`left out: ${requestLine(call)}\n`)
    else calls.push(call)
    await settle(app, call)
    return answer
  }
  const post = (path: string, body: object): Call => ({ method: 'POST', url: path, payload: JSON.stringify(body) })
  const createWorld = async (body: object) =>
    JSON.parse((await send(post('/_sandbox/worlds', body), MAX_CREATION_MS))!.split('\n\n')[1]!).world.id as number
  try {
    for (const [n, script] of fc.sample(scripts(40), { seed, numRuns: count }).entries()) {
      const here = await createWorld({ scenario: n % 8 === 7 ? 'demo' : 'empty', now: '2026-03-07T15:00:00Z', seed })
      const there = await createWorld({ scenario: 'empty', now: '2026-03-07T15:00:00Z' })
      const base = `/w/${here}/_sandbox`
      for (const [path, body] of SETUP) await send(post(base + path, body))
      if (n % 3 === 0)
        for (const [method, path, body] of SUBSCRIPTION) await send({ ...post(base + path, body), method })
      for (const call of script.calls) await send(withWorldNumbers(call, here, there))
      await send({ method: 'DELETE', url: `${base}/faults` })
      for (const user of USERS) await send(post(`${base}/tokens`, { user_id: user, token: tokenOf(user) }))
      for (const call of script.after) await send(withWorldNumbers(call, here, there))
      for (const list of ['users', 'items', 'questions', 'deliveries', 'requests', 'faults', 'loans', 'tokens'])
        await send({ method: 'GET', url: `${base}/${list}?limit=${n % 8 === 7 ? 20 : 1000}` })
      if (n % 8 !== 7) await send({ method: 'GET', url: `${base}/world` })
      for (const id of [here, there]) await send({ method: 'DELETE', url: `/_sandbox/worlds/${id}` })
    }
    return calls
  } finally {
    await close()
  }
}
