import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import t, { type Test } from 'tap'
import { openDataFolder } from '../../db/folders.ts'
import type { ListedPlugin } from '../../http/plugin_list.ts'
import { type Answer, bearer, start, type TestApp } from '../support/app.ts'
import { TIMES } from '../support/property.ts'

interface PluginMeta {
  [meta: symbol]: { name: string }
}
const nameOf = ([plugin]: ListedPlugin): string => (plugin as unknown as PluginMeta)[Symbol.for('plugin-meta')]!.name

/** The same plugin, accepted at any position. */
function withoutDependencies([plugin, options]: ListedPlugin): ListedPlugin {
  const register = plugin as unknown as FastifyPluginAsync
  return [
    fp(async (app: FastifyInstance, given: object) => register(app, given), { name: nameOf([plugin, options]) }),
    options,
  ]
}

const PERMUTED = ['response cache', 'faults', 'jsonp', 'auth']

const permutationsOf = <T>(list: T[]): T[][] =>
  list.length < 2
    ? [list]
    : list.flatMap((first, n) => permutationsOf(list.toSpliced(n, 1)).map((rest) => [first, ...rest]))

const rotationsOf = <T>(list: T[]): T[][] => list.map((_, n) => [...list.slice(n), ...list.slice(0, n)])

/** Puts the permuted plugins into the places that they have in the list. */
function arrange(plugins: ListedPlugin[], order: string[]): ListedPlugin[] {
  const next = order.map((name) => plugins.find((plugin) => nameOf(plugin) === name)!).values()
  return plugins.map((plugin) => (order.includes(nameOf(plugin)) ? next.next().value! : plugin))
}

function move(plugins: ListedPlugin[], name: string, to: 'first' | 'last'): ListedPlugin[] {
  const moved = plugins.find((plugin) => nameOf(plugin) === name)!
  const rest = plugins.filter((plugin) => plugin !== moved)
  return to === 'first' ? [moved, ...rest] : [...rest, moved]
}

/** The names of the API's plugins, in their order in api.ts. */
let names: string[] = []
const { openApi } = await start(t, {
  scenario: 'empty',
  arrangePlugins(plugins) {
    names = plugins.map(nameOf)
    return plugins
  },
})
await openApi()

type Arrange = (plugins: ListedPlugin[]) => ListedPlugin[]

/** Opens a server with another order; undefined if it is rejected because a dependency is missing. */
const startWith = (t: Test, arrangePlugins: Arrange) => startIfAccepted(t, { scenario: 'empty', arrangePlugins })

async function startIfAccepted(t: Test, options: Parameters<typeof start>[1]): Promise<TestApp | undefined> {
  try {
    const app = await start(t, options)
    await app.openControlPlane()
    await app.openApi()
    return app
  } catch (error) {
    t.match(error, { code: 'FST_ERR_PLUGIN_DEPENDENCY_NOT_REGISTERED' })
    return undefined
  }
}

const scriptOf = ({ text }: Answer): [number, object, unknown] => JSON.parse(/^show\((.*)\)$/s.exec(text)![1]!)

/** No answer reaches a caller without rights, also when the answer is stored: it is the third request that can hit. */
async function isSafe(t: Test, { call, sellers }: TestApp): Promise<void> {
  const [seller, other] = sellers as [TestApp['sellers'][0], TestApp['sellers'][0]]
  const own = `/questions/search?seller_id=${seller.id}&limit=5`
  const expected = [[seller.id, other.id, 401, 401], [200, 403, 401], false]
  for (let round = 0; round < 3; round++) {
    const as = (url: string, token: string) => call({ url, headers: bearer(token) })
    const users = [await as('/users/me', seller.token), await as('/users/me', other.token)]
    const strangers = [await call('/users/me'), await as('/users/me', 'APP_USR-no')]
    const pages = [await as(own, seller.token), await as(own, other.token), await call(own)]
    const { text } = await call('/users/me?callback=show')
    const found = [
      [...users.map(({ body }) => body.id), ...strangers.map(({ status }) => status)],
      pages.map(({ status }) => status),
      text.includes(seller.nickname) || text.includes(other.nickname),
    ]
    t.strictSame(found, expected, `users, pages of a seller and a script, round ${round}`)
  }
}

/** The plugins do what they do in the order of app.ts. */
async function isRight(t: Test, app: TestApp): Promise<void> {
  const { call, control, seller } = app
  const headers = bearer(seller.token)
  const me = { id: seller.id }

  for (let round = 0; round < 3; round++) {
    t.match(scriptOf(await call({ url: '/users/me?callback=show', headers })), [200, {}, me], 'JSONP')
    t.equal(scriptOf(await call('/users/me?callback=show'))[0], 401, 'JSONP of an error')
    t.strictSame((await call({ url: '/users/me?attributes=id', headers })).body, me, 'projection')
    t.strictSame(
      scriptOf(await call({ url: '/users/me?attributes=id&callback=show', headers }))[2],
      me,
      'JSONP of a projection',
    )
    const head = await call({ method: 'HEAD', url: '/users/me', headers })
    t.strictSame([head.status, head.text], [200, ''], 'HEAD')
  }
  t.equal((await call('/users/me?callback=no()')).body.error, 'invalid_callback')
  t.equal((await call('/w/9/users/me?callback=no()')).body.error, 'resource not found', 'the world comes first')
  t.equal((await call({ method: 'OPTIONS', url: '/users/me' })).body.name, 'Users', 'OPTIONS')
  t.equal((await call({ method: 'POST', url: '/questions', headers, payload: '{' })).body.error, 'invalid_post_body')
  for (const url of ['/users/me', '/nowhere', '/w/9/currencies'])
    t.equal((await call(url)).headers['access-control-allow-origin'], '*', `CORS of ${url}`)

  t.equal((await call({ url: '/users/me', headers: { 'x-sandbox-fault': '503' } })).status, 503, 'a fault before auth')
  const fault = { 'x-sandbox-fault': '429' }
  t.equal((await call({ url: '/currencies?callback=no()', headers: fault })).status, 429, 'a fault before a bad name')
  const { body: rule } = await control('POST /faults', { match: { path: '/users/*' }, action: { status: 503 } })
  t.equal((await call({ url: '/users/me', headers })).status, 503, 'a fault before a stored answer')
  await control(`DELETE /faults/${rule.id}`)

  await control('DELETE /requests')
  for (let round = 0; round < 3; round++) await call({ url: '/users/me?attributes=id&callback=show', headers })
  await call('/openapi.json')
  const { results } = (await control('GET /requests')).body
  t.equal(results.length, 3, 'the journal has every call, except internal ones')
  for (const { user_id, response } of results) {
    t.equal(user_id, seller.id)
    t.match(response, { status: 200, body: JSON.stringify(me) }, 'the journal has the answer that the script wraps')
  }
}

t.test('each of the 24 orders of cache, faults, JSONP and auth is rejected, or right', async (t) => {
  let started = 0
  for (const order of permutationsOf(PERMUTED))
    await t.test(order.join(', '), async (t) => {
      const app = await startWith(t, (plugins) => arrange(plugins, order))
      if (!app) return
      started++
      await isSafe(t, app)
      await isRight(t, app)
    })
  t.ok(started >= 1)
})

/** Each of two comes before the other one in some of them. `npm run nightly` tries all. */
const ORDERS = TIMES < 1 ? rotationsOf(PERMUTED).concat(rotationsOf(PERMUTED.toReversed())) : permutationsOf(PERMUTED)

t.test('without declared dependencies, no order answers a caller without rights', async (t) => {
  for (const order of ORDERS)
    await t.test(order.join(', '), async (t) => {
      const arrangePlugins: Arrange = (plugins) => arrange(plugins, order).map(withoutDependencies)
      const app = await start(t, { scenario: 'empty', arrangePlugins })
      await isSafe(t, app)
    })
})

t.test('each other plugin, moved first or last, is rejected, or right', async (t) => {
  for (const name of names.filter((name) => !PERMUTED.includes(name)))
    for (const to of ['first', 'last'] as const)
      await t.test(`${name} ${to}`, async (t) => {
        const app = await startWith(t, (plugins) => move(plugins, name, to))
        if (!app) return
        await isSafe(t, app)
        await isRight(t, app)
      })
})

t.test('an API without one of the plugins does not open', async (t) => {
  for (const name of names)
    t.equal(await startWith(t, (plugins) => plugins.filter((plugin) => nameOf(plugin) !== name)), undefined, name)
})

t.test('a server that does not start has closed its worlds, and leaves no recording', async (t) => {
  const path = mkdtempSync(join(tmpdir(), 'mercadito-order-'))
  t.teardown(() => rmSync(path, { recursive: true }))
  const record = join(path, 'calls.jsonl')
  const kept = () => ({ folder: openDataFolder(join(path, 'data')), mode: 'kept' as const, scenario: 'empty' as const })
  const beforePlugins = (app: FastifyInstance) => void app.register(fp(async () => {}, { dependencies: ['nothing'] }))
  t.equal(await startIfAccepted(t, { ...kept(), record, beforePlugins }), undefined)
  t.notOk(existsSync(record))
  const { call } = await start(t, kept())
  t.equal((await call('/currencies')).status, 200)
})

/** The plugins of the control plane do what they do in the order of control/index.ts. */
async function controlIsRight(t: Test, { call, control }: TestApp): Promise<void> {
  t.equal((await control('GET /requests?statsu=1')).status, 400, 'strict queries')
  t.equal((await control('POST /snapshots', undefined, '/w/9')).status, 404, 'the world comes first')
  t.equal((await call({ method: 'HEAD', url: '/_sandbox/clock' })).status, 405, 'no HEAD')
  const foreign = { origin: 'http://example.com' }
  t.equal((await call({ url: '/_sandbox/clock', headers: foreign })).status, 403, 'control access')
  const headers = { 'content-type': 'text/plain', 'x-sandbox-snapshot': 'before' }
  const change = { method: 'PUT', url: '/_sandbox/clock', payload: '{"mode":"frozen"}', headers } as const
  t.match(await call(change), { status: 200, headers: { 'x-sandbox-snapshot': String } }, 'bodies, snapshots')
  const { results } = (await control('GET /control-calls')).body
  t.match(results, [{ method: 'PUT', path: '/clock', status: 200 }], 'the journal')
}

t.test('control calls declare the plugins that they depend on', async (t) => {
  let names: string[] = []
  const app = await start(t, {
    scenario: 'empty',
    arrangeControlPlugins(plugins) {
      names = plugins.map(nameOf)
      return plugins
    },
  })
  await controlIsRight(t, app)
  for (const name of names) {
    const without: Arrange = (plugins) => plugins.filter((plugin) => nameOf(plugin) !== name)
    const arrange = (arrangeControlPlugins: Arrange) => startIfAccepted(t, { scenario: 'empty', arrangeControlPlugins })
    t.equal(await arrange(without), undefined, `without ${name}`)
    for (const to of ['first', 'last'] as const) {
      const moved = await arrange((plugins) => move(plugins, name, to))
      if (moved) await controlIsRight(t, moved)
    }
  }
})

t.test('calls at the same time open the control plane once, with the ids and worlds of their requests', async (t) => {
  let opened = 0
  const ids: unknown[] = []
  const { call } = await start(t, {
    scenario: 'empty',
    arrangeControlPlugins(plugins) {
      opened++
      return plugins
    },
    onRequestEnd: ({ id, url }) => ids.push(id, url),
  })
  t.equal((await call('/currencies')).status, 200)
  t.equal(opened, 0)
  const calls = await Promise.all(['/_sandbox/clock', '/w/7/_sandbox/clock', '/_sandbox/nothing'].map(call))
  t.strictSame(
    calls.map(({ status, headers }) => [status, headers['x-request-id']]),
    [200, 404, 404].map((status, n) => [status, `req-${n + 2}`]),
  )
  t.equal(opened, 1)
  t.strictSame(ids.sort(), [
    '/_sandbox/clock',
    '/_sandbox/clock',
    '/_sandbox/nothing',
    '/currencies',
    'req-1',
    'req-2',
    'req-3',
    'req-4',
  ])
})

t.test('a control plane that cannot open answers no call, and the API all of them', async (t) => {
  const faults: unknown[] = []
  const onFault = ({ code }: Error & { code?: string }) => faults.push(code)
  const arrangeControlPlugins: Arrange = (plugins) => plugins.filter((plugin) => nameOf(plugin) !== 'control access')
  const { call } = await start(t, { scenario: 'empty', onFault, arrangeControlPlugins })
  for (const url of ['/_sandbox/clock', '/_sandbox/console/'])
    t.match(await call(url), { status: 500, body: { error: 'internal_server_error' } })
  t.strictSame(faults, Array(2).fill('FST_ERR_PLUGIN_DEPENDENCY_NOT_REGISTERED'))
  t.equal((await call('/currencies')).status, 200)
})
