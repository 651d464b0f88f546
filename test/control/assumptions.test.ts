import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { SWITCHES } from '../../bin/domains.ts'
import { type Answer, start } from '../support/app.ts'

const app = await start(t, { scenario: 'demo', switches: { 'contacts.day_offset': '-03:00' } })
const { control, call, sellers, buyers } = app
const [seller, other] = sellers as [(typeof sellers)[0], (typeof sellers)[0]]
const buyer = buyers[0]!
const root = fileURLToPath(new URL('../../', import.meta.url))

const error = (status: number, code: string, message: string) => ({ message, error: code, status, cause: [] })
const statusAndBody = ({ status, body }: Answer) => ({ status, body })
interface Assumption {
  name: string
  source: string
  means: string
  value: string
  alternatives: string[]
}
const list = async (base = ''): Promise<Assumption[]> =>
  (await control('GET /assumptions', undefined, base)).body.results
const createWorld = async (body: object) => (await control('POST /worlds', body)).body
const set = (name: string, value: string, base = '') => control(`PATCH /assumptions/${name}`, { value }, base)

t.test('lists all assumptions by name with their value in this world', async (t) => {
  const { status, body } = await control('GET /assumptions')
  t.equal(status, 200)
  t.strictSame(body.paging, { total: body.results.length, limit: 1000, offset: 0 })
  const names = body.results.map(({ name }: Assumption) => name)
  t.strictSame(names, [...names].sort())
  t.strictSame(
    body.results.find(({ name }: Assumption) => name === 'contacts.current_bucket'),
    {
      name: 'contacts.current_bucket',
      source: 'assumed',
      means: 'Whether a window without `ending` includes the interval in progress',
      value: 'include',
      alternatives: ['exclude'],
    },
  )
  t.strictSame(statusAndBody(await control('GET /assumptions/contacts.windows.last')), {
    status: 200,
    body: {
      name: 'contacts.windows.last',
      source: 'assumed',
      means: 'Number of intervals of a window',
      value: '1 to 1000',
      alternatives: [],
    },
  })
  const offset = (await control('GET /assumptions/contacts.day_offset')).body
  t.equal(offset.value, '-03:00')
  t.equal(offset.alternatives.length, 26)
  t.notOk(offset.alternatives.includes('-03:00'))
  const page = await control('GET /assumptions?limit=2&offset=1')
  t.strictSame(page.body, { paging: { total: names.length, limit: 2, offset: 1 }, results: body.results.slice(1, 3) })
})

t.test('lists each switch with its alternatives, and the code reads each of them', async (t) => {
  const all = await list()
  const changeable = all.filter(({ alternatives }) => alternatives.length > 0).map(({ name }) => name)
  t.strictSame(changeable, Object.keys(SWITCHES).sort())
  const code = globSync(['domains/**/*.ts', 'http/**/*.ts', 'plugins/**/*.ts'], { cwd: root })
    .map((file) => readFileSync(`${root}/${file}`, 'utf8'))
    .join('\n')
  for (const name of changeable) {
    const [, constant] = new RegExp(`const (\\w+) = defineSwitch\\('${name}'`).exec(code) ?? []
    t.ok(constant && code.includes(`${constant}.of(`), `the code reads ${name}`)
  }
  for (const { value, means } of all) t.ok(value.length > 0 && means.length > 0)
})

t.test('docs/reference/behaviour.md lists each assumption once and no other name', async (t) => {
  const text = readFileSync(`${root}/docs/reference/behaviour.md`, 'utf8')
  const inTable = [...text.matchAll(/^\| `([a-z_.]+)` \|/gm)].map(([, name]) => name!)
  t.strictSame(
    inTable.sort(),
    (await list()).map(({ name }) => name),
  )
})

// For each switch a call that shows its effect, and its answer under each value, in the demo world on a Saturday,
// 15:00Z.
const WINDOW = `/users/${seller.id}/contacts/phone_views/time_window?last=1&unit=day`
const RANGE = 'date_from=2026-02-01&date_to=2026-03-01'
const NOT_IN_FLEX = 'MLA1400000009'
const OLD_QUESTION = 900
const EFFECTS: Record<string, [value: string, ask: () => Promise<unknown>, answer: unknown][]> = {
  'auth.query_token': (['reject', 'accept'] as const).map((value) => [
    value,
    async () => (await call(`/users/me?access_token=${seller.token}`)).status,
    value === 'accept' ? 200 : 401,
  ]),
  'calls.empty_parameter': (['reject', 'absent'] as const).map((value) => [
    value,
    async () => (await seller.get('/questions/search?limit=')).status,
    value === 'absent' ? 200 : 400,
  ]),
  'contacts.auth': (['required', 'optional'] as const).map((value) => [
    value,
    async () => (await call(`/users/${seller.id}/contacts/questions?${RANGE}`)).status,
    value === 'optional' ? 200 : 401,
  ]),
  'contacts.current_bucket': (['exclude', 'include'] as const).map((value) => [
    value,
    async () => (await call(WINDOW)).body.date_to,
    value === 'include' ? '2026-03-08T03:00:00Z' : '2026-03-07T03:00:00Z',
  ]),
  'contacts.day_offset': (['+00:00', '-12:00', '-04:00', '+14:00'] as const).map((value) => [
    value,
    async () => (await call(WINDOW)).body.date_from,
    {
      '+00:00': '2026-03-07T00:00:00Z',
      '-12:00': '2026-03-07T12:00:00Z',
      '-04:00': '2026-03-07T04:00:00Z',
      '+14:00': '2026-03-07T10:00:00Z',
    }[value],
  ]),
  'contacts.owner_only': (['true', 'false'] as const).map((value) => [
    value,
    async () => (await other.get(`/users/${seller.id}/contacts/questions?${RANGE}`)).status,
    value === 'false' ? 200 : 403,
  ]),
  'flex.activation_needs_subscription': (['true', 'false'] as const).map((value) => [
    value,
    async () => (await seller.post(`/sites/MLA/shipping/selfservice/items/${NOT_IN_FLEX}`)).status,
    value === 'false' ? 204 : 403,
  ]),
  'questions.unanswered_life': (['forever', '7 months'] as const).map((value) => [
    value,
    async () => (await buyer.get(`/questions/${OLD_QUESTION}`)).status,
    value === 'forever' ? 200 : 404,
  ]),
  'response_time.refresh': (['daily', 'live'] as const).map((value) => [
    value,
    async () => (await buyer.get(`/users/${buyer.id}/questions/response_time`)).status,
    value === 'live' ? 200 : 404,
  ]),
}

t.test('each switch is tested here or in the tests of its domain', async (t) => {
  const domainTests = globSync('test/domains/*.test.ts', { cwd: root })
    .map((file) => readFileSync(`${root}/${file}`, 'utf8'))
    .join('\n')
  const isTested = (name: string) => Object.hasOwn(EFFECTS, name) || domainTests.includes(`/assumptions/${name}'`)
  t.strictSame(
    Object.keys(SWITCHES).filter((name) => !isTested(name)),
    [],
  )
})

t.test('changes the world’s behaviour when a switch changes', async (t) => {
  const own = (await control('POST /items', { seller_id: buyer.id })).body.id
  const question = { item_id: own, from: buyers[1]!.id, text: '¿Hay stock?' }
  await control('POST /questions', {
    ...question,
    from: seller.id,
    id: OLD_QUESTION,
    date_created: '2025-08-01T00:00:00Z',
  })
  await control('POST /questions', question)
  // The seller has ended Flex, so only the switch decides whether a listing can be offered with it.
  await app.world.tx((q) =>
    q.prepare({ toSQL: () => ({ sql: `UPDATE flex_subscription SET status = 'out'`, params: [] }) }).run(),
  )
  for (const [name, effects] of Object.entries(EFFECTS))
    for (const [value, ask, answer] of effects) {
      const changed = await set(name, value)
      t.equal(changed.status, 200)
      t.equal(changed.body.value, value)
      t.notOk(changed.body.alternatives.includes(value))
      t.strictSame((await control(`GET /assumptions/${name}`)).body, changed.body)
      t.strictSame(await ask(), answer, `${name} = ${value}`)
    }
})

t.test('rejects invalid changes', async (t) => {
  const before = await list()
  const bad = (message: string) => ({ status: 400, body: error(400, 'bad_request', message) })
  const notFound = { status: 404, body: error(404, 'not_found', 'Assumption contacts.nothing not found') }
  const table: [call: string, body: unknown, answer: object][] = [
    ['GET /assumptions/contacts.nothing', undefined, notFound],
    ['PATCH /assumptions/contacts.nothing', { value: 'include' }, notFound],
    ['PATCH /assumptions/contacts.windows.last', { value: '1 to 2000' }, bad('contacts.windows.last: is fixed')],
    [
      'PATCH /assumptions/contacts.current_bucket',
      { value: 'sometimes' },
      bad('value: must be one of include, exclude'),
    ],
    [
      'PATCH /assumptions/contacts.owner_only',
      { value: true },
      bad('value: must be a string, one of the alternatives'),
    ],
    [
      'PATCH /assumptions/contacts.owner_only',
      {},
      bad('value: is required, must be a string, one of the alternatives'),
    ],
    ['PATCH /assumptions/contacts.owner_only', { value: 'true', why: 'x' }, bad('why: is an unknown member')],
    ['PATCH /assumptions/contacts.owner_only', 'true', bad('body: must be object')],
    [
      'PATCH /assumptions/toString',
      { value: 'x' },
      { status: 404, body: error(404, 'not_found', 'Assumption toString not found') },
    ],
    [
      'POST /worlds',
      { scenario: 'empty', assume: { 'contacts.owner_only': 'maybe' } },
      bad('assume.contacts.owner_only: must be one of false, true'),
    ],
    [
      'POST /worlds',
      { scenario: 'empty', assume: { 'contacts.windows.last': '1' } },
      bad(`assume: must be one of ${Object.keys(SWITCHES).join(', ')}`),
    ],
  ]
  for (const [request, body, answer] of table)
    t.strictSame(statusAndBody(await control(request, body)), answer, `${request} ${JSON.stringify(body)}`)
  t.strictSame(await list(), before)
})

t.test('applies a change to one world, copies it to forks and reverts it on reset', async (t) => {
  const value = async (base: string, name = 'contacts.owner_only') =>
    (await control(`GET /assumptions/${name}`, undefined, base)).body.value
  const { world } = await createWorld({ scenario: 'empty', assume: { 'contacts.auth': 'required' } })
  const base = `/w/${world.id}`
  t.equal(await value(base, 'contacts.auth'), 'required')
  t.equal(await value(base, 'contacts.day_offset'), '-03:00', 'worlds start with the server’s setting')
  await set('contacts.owner_only', 'true', base)
  await set('contacts.auth', 'optional', base)
  await set('contacts.day_offset', '-05:00', base)
  t.equal(await value(''), 'false')

  const copy = await createWorld({ from: world.id, assume: { 'auth.query_token': 'reject' } })
  const forkBase = `/w/${copy.world.id}`
  t.equal(await value(forkBase), 'true')
  t.equal(await value(forkBase, 'auth.query_token'), 'reject')
  t.equal(await value(base, 'auth.query_token'), 'accept')

  t.equal((await control('POST /snapshots', { name: 'mine' }, base)).status, 201)
  t.equal((await control('POST /reset', undefined, base)).status, 204)
  t.strictSame(
    [await value(base), await value(base, 'contacts.auth'), await value(base, 'contacts.day_offset')],
    ['false', 'required', '-03:00'],
  )
  t.equal((await control('POST /snapshots/mine/restore', undefined, base)).status, 204)
  t.strictSame([await value(base), await value(base, 'contacts.auth')], ['true', 'optional'])
  t.equal((await control('POST /reset', undefined, base)).status, 204)
  t.strictSame([await value(base), await value(base, 'contacts.auth')], ['false', 'required'])

  await set('contacts.owner_only', 'false', forkBase)
  t.equal((await control('POST /reset', undefined, forkBase)).status, 204)
  t.equal(await value(forkBase), 'true', 'a copy resets to the state that was copied')
})

t.test('keeps a change after its world was closed', async (t) => {
  const { world } = await createWorld({ scenario: 'empty' })
  const base = `/w/${world.id}`
  await set('contacts.current_bucket', 'exclude', base)
  // More worlds than stay open, so that this one is closed.
  for (let n = 0; n < 40; n++) {
    const id = await app.worlds.create((file) => app.worlds.copy(world.id, file))
    app.worlds.release((await app.worlds.acquire(id))!)
  }
  t.equal((await control('GET /assumptions/contacts.current_bucket', undefined, base)).body.value, 'exclude')
})
