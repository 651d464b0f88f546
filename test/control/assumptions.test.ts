import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { SWITCHES } from '../../bin/domains.ts'
import { type Answer, type AnyWorld, badRequest, notFound, start } from '../support/app.ts'

const app = await start(t, { scenario: 'demo', switches: { 'contacts.day_offset': '-03:00' } })
const { control, call, seller } = app
const root = fileURLToPath(new URL('../../', import.meta.url))

const statusAndBody = ({ status, body }: Answer) => ({ status, body })
interface Assumption {
  name: string
  source: string
  means: string
  value: string
  alternatives: string[]
}
const list = async (): Promise<Assumption[]> => (await control('GET /assumptions')).body.results
const set = (name: string, value: string, { control }: AnyWorld = app) =>
  control(`PATCH /assumptions/${name}`, { value })
const valueIn = async ({ control }: AnyWorld, name = 'contacts.owner_only') =>
  (await control(`GET /assumptions/${name}`)).body.value

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
      default: 'include',
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
      default: '1 to 1000',
    },
  })
  const offset = (await control('GET /assumptions/contacts.day_offset')).body
  t.strictSame([offset.value, offset.default], ['-03:00', '-04:00'])
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

t.test('each switch is tested in the tests of its domain', async (t) => {
  const tests = globSync(['test/domains/*.test.ts', 'test/plugins/*.test.ts', 'test/control/notifications.test.ts'], {
    cwd: root,
  })
    .map((file) => readFileSync(`${root}/${file}`, 'utf8'))
    .join('\n')
  t.strictSame(
    Object.keys(SWITCHES).filter((name) => !tests.includes(`${name}'`)),
    [],
  )
})

t.test('a switch takes each of its values, at once', async (t) => {
  const { value: offset } = (await control('GET /assumptions/contacts.day_offset')).body
  for (const { name, value, alternatives } of await list())
    for (const other of alternatives.length > 0 ? [...alternatives, value] : []) {
      const { status, body } = await set(name, other)
      t.match([status, body], [200, { name, value: other }], `${name} = ${other}`)
      t.strictSame(body.alternatives.toSorted(), [...alternatives, value].filter((one) => one !== other).sort())
      t.strictSame((await control(`GET /assumptions/${name}`)).body, body)
    }
  const startOfDay = async (value: string) => {
    await set('contacts.day_offset', value)
    return (await call(`/users/${seller.id}/contacts/phone_views/time_window?last=1&unit=day`)).body.date_from
  }
  const starts: [offset: string, date: string][] = [
    ['+00:00', '2026-03-07T00:00:00Z'],
    ['-12:00', '2026-03-07T12:00:00Z'],
    ['+14:00', '2026-03-07T10:00:00Z'],
    [offset, '2026-03-07T03:00:00Z'],
  ]
  for (const [value, date] of starts) t.equal(await startOfDay(value), date, value)
})

t.test('rejects invalid changes', async (t) => {
  const before = await list()
  const bad = (message: string) => ({ status: 400, body: badRequest(message) })
  const unknown = (name: string) => ({ status: 404, body: notFound(`Assumption ${name} not found`) })
  const unknownSwitch = `assume: must be one of ${Object.keys(SWITCHES).join(', ')}`
  const table: [call: string, body: unknown, answer: object][] = [
    ['GET /assumptions/contacts.nothing', undefined, unknown('contacts.nothing')],
    ['PATCH /assumptions/contacts.nothing', { value: 'include' }, unknown('contacts.nothing')],
    ['PATCH /assumptions/toString', { value: 'x' }, unknown('toString')],
    ['PATCH /assumptions/contacts.windows.last', { value: '1 to 2000' }, bad('contacts.windows.last: is fixed')],
    ['PATCH /assumptions/contacts.owner_only', { value: 'often' }, bad('value: must be one of false, true')],
    [
      ...(['POST /worlds', { scenario: 'empty', assume: { 'contacts.owner_only': 'maybe' } }] as const),
      bad('assume.contacts.owner_only: must be one of false, true'),
    ],
    ['POST /worlds', { scenario: 'empty', assume: { 'contacts.windows.last': '1' } }, bad(unknownSwitch)],
  ]
  for (const [request, body, answer] of table)
    t.strictSame(statusAndBody(await control(request, body)), answer, `${request} ${JSON.stringify(body)}`)
  t.strictSame(await list(), before)
})

t.test('applies a change to one world, copies it to forks and reverts it on reset', async (t) => {
  const names = ['contacts.owner_only', 'contacts.auth', 'contacts.day_offset', 'auth.query_token']
  const valuesIn = (world: AnyWorld) => Promise.all(names.map((name) => valueIn(world, name)))
  const world = await app.createWorld({ scenario: 'empty', assume: { 'contacts.auth': 'required' } })
  const first = ['false', 'required', '-03:00', 'accept']
  t.strictSame(await valuesIn(world), first, 'worlds start with the server’s setting')
  await set('contacts.owner_only', 'true', world)
  await set('contacts.auth', 'optional', world)
  await set('contacts.day_offset', '-05:00', world)
  const changed = ['true', 'optional', '-05:00', 'accept']
  t.strictSame(await valuesIn(world), changed)
  t.equal(await valueIn(app), 'false')

  const copy = await app.createWorld({ from: world.id, assume: { 'auth.query_token': 'reject' } })
  const copied = ['true', 'optional', '-05:00', 'reject']
  t.strictSame(await valuesIn(copy), copied)
  t.equal((await world.control('POST /snapshots', { name: 'mine' })).status, 201)
  for (const [request, values] of [
    ['POST /reset', first],
    ['POST /snapshots/mine/restore', changed],
    ['POST /reset', first],
  ] as const) {
    t.equal((await world.control(request)).status, 204)
    t.strictSame(await valuesIn(world), values, request)
  }
  await set('contacts.owner_only', 'false', copy)
  t.equal((await copy.control('POST /reset')).status, 204)
  t.strictSame(await valuesIn(copy), copied, 'a copy resets to the state that was copied')
})

t.test('keeps a change after its world was closed', async (t) => {
  const world = await app.createWorld({ scenario: 'empty' })
  await set('contacts.current_bucket', 'exclude', world)
  // More worlds than stay open, so that this one is closed.
  for (let n = 0; n < 40; n++) {
    const id = await app.worlds.create((file) => app.worlds.copy(world.id, file))
    app.worlds.release((await app.worlds.acquire(id))!)
  }
  t.equal(await valueIn(world, 'contacts.current_bucket'), 'exclude')
})
