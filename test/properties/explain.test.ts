import t from 'tap'
import type { Explanation } from '../../control/explain/schemas.ts'
import { TIMES } from '../support/property.ts'
import type { Call } from './answers.ts'
import { anyOperation, createCallRunner } from './call_runner.ts'
import { almostValidCall } from './calls.ts'
import { check } from './checks.ts'

// Calls with one wrong value are refused and explained; a fix changes only what the violated check names.

const { demo, send, runAll, control } = await createCallRunner(t)
const CALLS = 150
/** Of the distinct refusals: others have no near value, or more than one fault. */
const MIN_FIXED_SHARE = 0.5
/** By which a sample of so many may differ: three standard deviations. */
const marginOf = (count: number) => (3 * Math.sqrt(count)) / 2

/** Identifies a refusal: the same value in the same field of calls that differ in their ids only. */
const keyOf = ({ request, rule, field }: Explanation): string =>
  [request.method, request.path?.replace(/\d{5,}/g, 'N'), rule?.id, field?.name, field?.received].join(' ')

/** The parts of a call by name, without its token: segments of its path, parameters, and members of its body. */
function partsOf(method: string, url: string, payload: unknown): Map<string, string> {
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  const parts = new Map([['method', method]])
  for (const [n, segment] of pathname.split('/').entries()) parts.set(`segment ${n}`, decodeURIComponent(segment))
  for (const [name, value] of searchParams) if (name !== 'access_token') parts.set(name, value)
  let body: object | undefined
  try {
    body = JSON.parse(String(payload))
  } catch {
    if (payload) body = Object.fromEntries(new URLSearchParams(String(payload)))
  }
  for (const [name, value] of Object.entries(body ?? {})) parts.set(name, JSON.stringify(value))
  return parts
}

/** Throws if a fix differs from the call in more than the one thing that it names. */
function checkChange({ method, url, payload }: Call, { field, fix }: Explanation): void {
  const { change, request } = fix!
  const before = partsOf(method, url, payload)
  const after = partsOf(request.method, request.path, request.body)
  const names = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) !== after.get(name) && !after.get(name)?.includes('***'),
  )
  const allowed = change.kind === 'token' || change.kind === 'body' ? 0 : 1
  const isNamed = names.every(
    (name) => name.startsWith('segment ') || [field?.name, field?.name.split(/[.[]/)[0]].includes(name),
  )
  check(names.length <= allowed && isNamed, () => `${change.kind} of ${field?.name} changes ${names.join(', ')}`)
}

t.test('calls with one wrong value are explained, and most of them have a fix', async (t) => {
  const fixed = new Set<string>()
  const unfixed = new Map<string, string>()
  await runAll(anyOperation(demo, almostValidCall), CALLS, async (call) => {
    const { outcome } = await send(call)
    if (outcome.status < 400) return
    const { body } = await control('GET /requests?order=desc&limit=1&bodies=false')
    const answer = await control(`GET /requests/${body.results[0].id}/explain`)
    if (answer.status !== 200) throw new Error(`not explained: ${answer.text}`)
    const explanation: Explanation = answer.body
    if (!explanation.rule || !explanation.check) throw new Error(`without a rule: ${answer.text}`)
    if (!explanation.checks.some(({ state }) => state === 'failed')) throw new Error(`no check failed: ${answer.text}`)
    const key = keyOf(explanation)
    if (!explanation.fix) return void unfixed.set(key, explanation.text)
    checkChange(call, explanation)
    fixed.add(key)
  })
  const distinct = new Set([...fixed, ...unfixed.keys()]).size
  t.comment(`${distinct} distinct refusals, ${unfixed.size} without a fix`)
  t.ok(distinct >= (CALLS * TIMES * 2) / 3, `${distinct} distinct refusals`)
  t.ok(fixed.size >= distinct * MIN_FIXED_SHARE - marginOf(distinct), `${fixed.size} of ${distinct} have a fix`, {
    unfixed: [...unfixed.values()],
  })
})
