import t from 'tap'
import { copyOf, fieldsOf, kindOf, type NewRule, type Rule, ruleOf } from '../../web/screens/faults/rule.ts'

const rule = (given: NewRule): Rule => ({
  ...{ id: 1, match: {}, probability: 1, times: null, seed: 7, matched: 0, applied: 0, enabled: true },
  ...given,
})

t.test('the form of a rule has the rule again', async (t) => {
  const rules: NewRule[] = [
    { action: { status: 503 } },
    { action: { status: 429, body: { a: [1, 'á'] }, headers: { 'retry-after': '30', 'x-a': 'b: c' } }, times: 3 },
    { action: { status: 500, body: 'no JSON' } },
    { action: { status: 500, body: '{"text":"of JSON"}' } },
    { match: { method: 'POST', path: '/answers', user: 12 }, action: { delay: 0 }, probability: 0.07 },
    { action: { delay: { min: 100, max: 2000 } } },
    { action: { drop: true } },
    { action: { rate_limit: { limit: 10, window: 60 } } },
  ]
  for (const given of rules) {
    const fields = fieldsOf(rule(given))
    t.strictSame(ruleOf(kindOf(fields), fields), { match: {}, probability: 1, times: null, ...given })
    t.strictSame(copyOf(rule(given)), { ...given, ...(given.probability && { seed: 7 }) })
  }
  t.strictSame(copyOf(rule({ action: { drop: true }, enabled: false })), { action: { drop: true }, enabled: false })
})

t.test('an address has the fields of a new rule', async (t) => {
  const rows: [Record<string, string>, NewRule['action']][] = [
    [{ status: '404' }, { status: 404 }],
    [{ min: '200' }, { delay: 200 }],
    [{ drop: '1' }, { drop: true }],
    [{ limit: '1', window: '2' }, { rate_limit: { limit: 1, window: 2 } }],
    [{ kind: 'status', status: '500', min: '1' }, { status: 500 }],
    [
      { kind: 'toString', status: '500', headers: ' Retry-After : 3\n\n' },
      { status: 500, headers: { 'retry-after': '3' } },
    ],
  ]
  for (const [fields, action] of rows) t.strictSame(ruleOf(kindOf(fields), fields).action, action)
})
