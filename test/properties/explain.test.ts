import t from 'tap'
import type { Explanation } from '../../control/explain/schemas.ts'
import { TIMES } from '../support/property.ts'
import { anyOperation, createCallRunner } from './call_runner.ts'
import { almostValidCall } from './calls.ts'

// Calls with one wrong value are refused, explained, and repaired.

const { demo, send, runAll, control } = await createCallRunner(t)
const CALLS = 150
/** Of the distinct refusals. */
const MIN_FIXED_SHARE = 0.95
/** Refusals by which a small sample may differ. */
const MARGIN = 3

/** Identifies a refusal: the same value in the same field of calls that differ in their ids only. */
const keyOf = ({ request, rule, field }: Explanation): string =>
  [request.method, request.path?.replace(/\d{5,}/g, 'N'), rule?.id, field?.name, field?.received].join(' ')

t.test('calls with one wrong value are explained, and nearly all of them have a fix', async (t) => {
  const fixed = new Set<string>()
  const unfixed = new Map<string, string>()
  let tried = 0
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
    tried += explanation.fix?.tried ?? explanation.no_fix!.tried.length
    if (explanation.fix) fixed.add(key)
    else unfixed.set(key, explanation.text)
  })
  const distinct = new Set([...fixed, ...unfixed.keys()]).size
  t.comment(`${distinct} distinct refusals, ${unfixed.size} without a fix, ${tried} calls tried`)
  t.ok(distinct >= (CALLS * TIMES * 2) / 3, `${distinct} distinct refusals`)
  t.ok(fixed.size >= distinct * MIN_FIXED_SHARE - MARGIN, `${fixed.size} of ${distinct} have a fix`, {
    unfixed: [...unfixed.values()],
  })
})
