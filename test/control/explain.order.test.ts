import type { InjectOptions, RouteOptions } from 'fastify'
import t from 'tap'
import { ladderOf, refusingCheck } from '../../control/explain/ladder.ts'
import type { Explanation } from '../../control/explain/schemas.ts'
import type { Check } from '../../http/errors/checks.ts'
import { type RequestState, stateOf } from '../../http/request_state.ts'
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
/** Of the last call. */
const last: { state: RequestState | undefined } = { state: undefined }
const app = await start(t, {
  switches: { 'contacts.owner_only': 'true', 'questions.blocked_answer': 'refused', 'search.public': 'open' },
  beforePlugins(app) {
    app.addHook('onRoute', (route) => void routes.push(route))
    app.addHook('onSend', async ({ raw }) => {
      last.state = stateOf(raw)
    })
  },
})
const { world, call, control } = app
await app.openApi()
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

/** A call with these checks broken. Throws a Conflict if that is impossible. */
async function draftOf(wrong: WrongCalls, route: RouteOptions, checks: readonly Check[]): Promise<InjectOptions> {
  const draft = new Draft(wrong)
  for (const check of checks) breakOf(wrong, route, check)!(draft)
  await wrong.prepare?.(draft)
  return draft.toRequest()
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

t.test('of two checks that fail the earlier one answers, and explanations name it', async (t) => {
  for (const wrong of calls) {
    const found: string[] = []
    const expected: string[] = []
    for await (const [broken, answered, first] of tryChecks(wrong)) {
      found.push(`${broken}: ${answered}`)
      expected.push(`${broken}: ${first}`)
    }
    t.strictSame(found, expected, wrong.route)
  }
})

const explained = new Set<Check>()
const NAMES_FIELD = new Set(['query', 'body'])
type Tried = [broken: string, answered: string | null | undefined, first: string | null]

async function* tryChecks(wrong: WrongCalls): AsyncGenerator<Tried> {
  const route = routeOf(wrong)
  const ladder = ladderOf({ route, hasCallback: route.method === 'GET' }, world)
  const ids = ladder.map(({ id }) => id)
  yield ['ids', ids.join(), [...new Set(ids)].join()]
  const { alwaysRefused = null, unreachable = [] } = wrong
  const skipped = [...NOT_BY_CLIENT, ...unreachable, alwaysRefused]
  const checks = ladder.filter(({ id }) => !skipped.includes(id))
  const cannotFail = checks.filter((check) => !breakOf(wrong, route, check))
  yield ['cannot fail', cannotFail.map(({ id }) => id).join(), '']
  /** The check that a call with these broken has not passed. */
  const refusing = async (broken: readonly Check[]) => {
    const request = await draftOf(wrong, route, broken)
    last.state = undefined
    await call(request)
    const violation = (last.state as RequestState | undefined)?.violation
    return violation && refusingCheck(ladder, violation)?.id
  }
  for (const check of [undefined, ...checks]) {
    const broken = check ? [check] : []
    const first = check?.id ?? alwaysRefused
    yield [`only ${check?.id}`, (await refusing(broken)) ?? null, first]
    // Many routes have the same checks, whose explanations differ where they name a field.
    if (check && explained.has(check) && !NAMES_FIELD.has(check.id)) continue
    if (check) explained.add(check)
    const { body } = await control(`GET /requests/${last.state?.journalId}/explain?fix=false`)
    yield [`explained ${check?.id}`, (body as Explanation).check, first]
  }
  const sendPair = async ([first, later]: Pair): Promise<Tried | undefined> => {
    const broken = `${first.id} and ${later.id}`
    try {
      return [broken, await refusing([first, later]), first.id]
    } catch (error) {
      if (!(error instanceof Conflict)) throw error
      const isMeant = (wrong.exclusive?.[error.message] ?? EXCLUSIVE[error.message]) !== undefined
      return isMeant ? undefined : [broken, `both need ${error.message}`, first.id]
    }
  }
  yield* pairsOf(checks, sendPair)
}

type Pair = [first: Check, later: Check]

/**
 * Each check with the nearest earlier and the nearest later one that can fail in the same call, so that it would be
 * noticed if one had another place; `npm run nightly` tries all.
 */
async function* pairsOf(checks: Check[], send: (pair: Pair) => Promise<Tried | undefined>): AsyncGenerator<Tried> {
  const pairs = new Map<string, Promise<Tried | undefined>>()
  for (const [n, check] of checks.entries()) {
    const later = checks.slice(n + 1).map((other): Pair => [check, other])
    const earlier = checks.slice(0, n).map((other): Pair => [other, check])
    for (const candidates of [later, earlier.reverse()])
      for (const pair of candidates) {
        const key = pair.map(({ id }) => id).join()
        const isNew = !pairs.has(key)
        if (isNew) pairs.set(key, send(pair))
        const tried = await pairs.get(key)
        if (tried && isNew) yield tried
        if (tried && TIMES < 1) break
      }
  }
}
