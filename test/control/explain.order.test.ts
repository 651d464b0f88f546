import type { InjectOptions, RouteOptions } from 'fastify'
import t, { type Test } from 'tap'
import { ladderOf, refusingCheck } from '../../control/explain/ladder.ts'
import type { Explanation } from '../../control/explain/schemas.ts'
import type { Violation } from '../../http/errors/answered_error.ts'
import type { Check } from '../../http/errors/checks.ts'
import { stateOf } from '../../http/request_state.ts'
import { start } from '../support/app.ts'
import { TIMES } from '../support/property.ts'
import { afterSaleCalls } from '../support/wrong_calls/after_sale.ts'
import { catalogueCalls } from '../support/wrong_calls/catalogue.ts'
import { claimCalls } from '../support/wrong_calls/claims.ts'
import { Conflict, Draft, type WrongCalls } from '../support/wrong_calls/draft.ts'
import { fallbackCalls } from '../support/wrong_calls/fallback.ts'
import { flexCalls } from '../support/wrong_calls/flex.ts'
import { itemWrites } from '../support/wrong_calls/item_writes.ts'
import { labelCalls } from '../support/wrong_calls/labels.ts'
import { messageCalls } from '../support/wrong_calls/messages.ts'
import { orderCalls } from '../support/wrong_calls/orders.ts'
import { otherCalls } from '../support/wrong_calls/others.ts'
import { questionCalls } from '../support/wrong_calls/questions.ts'
import { shipmentCalls } from '../support/wrong_calls/shipments.ts'

// Each check of each route is made to fail, alone and together with later ones: the earlier of two must be answered.

const routes: RouteOptions[] = []
/** Why the last call was refused. */
let violation: Violation | undefined
const app = await start(t, {
  switches: { 'contacts.owner_only': 'true', 'questions.blocked_answer': 'refused', 'search.public': 'open' },
  beforePlugins(app) {
    app.addHook('onRoute', (route) => void routes.push(route))
    app.addHook('onSend', async ({ raw }) => {
      violation = stateOf(raw).violation
    })
  },
})
const { world, call, control } = app
const api = routes.filter(({ config }) => config?.checks)
const calls = [
  ...(await questionCalls(app)),
  ...(await flexCalls(app)),
  ...(await orderCalls(app)),
  ...(await afterSaleCalls(app)),
  ...(await claimCalls(app)),
  ...(await messageCalls(app)),
  ...(await labelCalls(app)),
  ...(await shipmentCalls(app)),
  ...(await otherCalls(app)),
  ...(await itemWrites(app)),
  ...(await catalogueCalls(app)),
  ...(await fallbackCalls(app)),
]
const routeOf = ({ route }: WrongCalls) => api.find(({ method, url }) => `${method} ${url}` === route)!

/** With the next two it would be noticed that any one has another place; `npm run nightly` tries all. */
const LATER_CHECKS = TIMES < 1 ? 2 : Number.POSITIVE_INFINITY

/** They cannot fail by what a client sends, or before a call is recorded. */
const NOT_BY_CLIENT = ['request', 'capacity', 'world', 'path', 'method', 'server']

/** Of the checks of every call. */
const EXCLUSIVE: Record<string, string> = {
  text: 'a body that is no JSON has no members',
  token: 'a call without a valid token has no caller who could be another one',
}

interface SchemaOfPart {
  properties?: Record<string, { type?: string; enum?: unknown[]; pattern?: string; maxLength?: number }>
}

/** How the checks of every call are made to fail. */
function commonBreaks({ schema, config }: RouteOptions): WrongCalls['breaks'] {
  const { querystring = {}, body = {} } = (schema ?? {}) as Record<string, SchemaOfPart>
  return {
    faults: (call) => call.setHeader('x-sandbox-fault', 'nope'),
    callback: (call) => call.setQuery('callback', 'a-b'),
    token: (call) => call.setToken(config?.access === 'token' ? undefined : 'Bearer x'),
    body_size: (call) => call.setLarge(),
    json: (call) => call.setText('{'),
    query: (call) => breakQuery(call, querystring),
    body: (call) => call.setMember(Object.keys(body.properties ?? {})[0]!, {}),
  }
}

function breakQuery(call: Draft, { properties = {} }: SchemaOfPart): void {
  const name =
    ['limit', 'last'].find((name) => properties[name]) ??
    Object.keys(properties).find((name) => properties[name]!.maxLength || properties[name]!.type === 'array') ??
    (properties.state ? 'state' : Object.keys(properties)[0]!)
  const { type, maxLength } = properties[name]!
  if (type === 'integer') call.setQuery(name, 'x!')
  else if (maxLength) call.setQuery(name, 'x'.repeat(maxLength + 1))
  else call.setQuery(name, type === 'array' ? undefined : ['x', 'y'])
}

const breakOf = (wrong: WrongCalls, route: RouteOptions, { id }: Check): ((call: Draft) => void) | undefined =>
  wrong.breaks[id] ??
  commonBreaks(route)[id] ??
  (id.startsWith('path.') ? (call) => call.setParam(id.slice('path.'.length), 'no-id') : undefined)

/** Sends a call with these checks broken. Throws a Conflict if that is impossible. */
async function send(wrong: WrongCalls, route: RouteOptions, checks: readonly Check[]): Promise<InjectOptions> {
  const draft = new Draft(wrong)
  for (const check of checks) breakOf(wrong, route, check)!(draft)
  await wrong.prepare?.(draft)
  violation = undefined
  const request = draft.toRequest()
  await call(request)
  return request
}

async function explainLast(): Promise<Explanation> {
  const { body } = await control('GET /requests?order=desc&limit=1&bodies=false')
  return (await control(`GET /requests/${body.results[0].id}/explain?fix=false`)).body
}

t.test('every route of the emulated API declares its checks, and is in the tables', async (t) => {
  const declared = routes
    .filter(({ config }) => config?.access !== 'control' && !config?.internal)
    .map(({ method, url, config }) => [`${method} ${url}`, config?.checks !== undefined])
  t.strictSame(
    declared.filter(([, isDeclared]) => !isDeclared),
    [],
  )
  t.strictSame(calls.map(({ route }) => route).sort(), api.map(({ method, url }) => `${method} ${url}`).sort())
})

for (const wrong of calls)
  t.test(wrong.route, async (t) => {
    const route = routeOf(wrong)
    const isGet = route.method === 'GET'
    const ladder = ladderOf({ route, hasCallback: isGet }, world)
    t.equal(new Set(ladder.map(({ id }) => id)).size, ladder.length, 'ids are unique')
    const { alwaysRefused = null, unreachable = [] } = wrong
    const skipped = [...NOT_BY_CLIENT, ...unreachable, alwaysRefused]
    const checks = ladder.filter(({ id }) => !skipped.includes(id))
    t.strictSame(
      checks.filter((check) => !breakOf(wrong, route, check)).map(({ id }) => id),
      [],
      'all can fail',
    )
    await send(wrong, route, [])
    const valid = await explainLast()
    t.equal(valid.check, alwaysRefused, 'a valid call is accepted', { request: valid.request })
    for (const [n, check] of checks.entries()) {
      await send(wrong, route, [check])
      const alone = await explainLast()
      t.equal(alone.check, check.id, `only ${check.id}`, { request: alone.request })
      let left = LATER_CHECKS
      for (const later of checks.slice(n + 1)) {
        if (left === 0) break
        if (await sendPair(t, wrong, route, ladder, [check, later])) left--
      }
    }
  })

/** Explanations name the check in the same way. Resolves with whether both can fail in one call. */
async function sendPair(
  t: Test,
  wrong: WrongCalls,
  route: RouteOptions,
  ladder: readonly Check[],
  pair: readonly [Check, Check],
): Promise<boolean> {
  const [first, later] = pair
  const name = `${first.id} before ${later.id}`
  try {
    const request = await send(wrong, route, pair)
    t.equal(violation && refusingCheck(ladder, violation)?.id, first.id, name, { request })
    return true
  } catch (error) {
    if (!(error instanceof Conflict)) throw error
    const reason = wrong.exclusive?.[error.message] ?? EXCLUSIVE[error.message]
    t.ok(reason, `${name}: both need ${error.message}, because ${reason}`)
    return false
  }
}
