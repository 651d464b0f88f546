import t from 'tap'
import { badRequest, start } from '../support/app.ts'
import { openapiOf } from '../support/openapi.ts'

const app = await start(t)
const { control, call } = app

const calls = openapiOf('openapi.sandbox.json', (path) => path.startsWith('/_sandbox/')).operations.flatMap(
  ({ method, path, parameters }) => {
    const query = parameters.filter(({ in: place }) => place === 'query')
    const required = query.filter(({ required }) => required).map(({ name, example }) => `${name}=${example}&`)
    const url = `${path.replace(/\{\w+\}/g, '1')}?${required.join('')}`
    return query.length > 0 ? [{ method: method as 'GET', url, known: query.map(({ name }) => name) }] : []
  },
)

t.test('each call that has query parameters rejects others', async (t) => {
  t.ok(calls.length > 10)
  for (const { method, url, known } of calls) {
    const { status, body } = await call({ method, url: `${url}zzzzzzzz=1` })
    t.equal(status, 400)
    t.strictSame(body, badRequest(`zzzzzzzz: is an unknown parameter; known: ${known.join(', ')}`), `${method} ${url}`)
  }
})

t.test('the event stream rejects unknown parameters', async (t) => {
  const { body } = await control('GET /events?last_event=1')
  t.strictSame(body, badRequest('last_event: is an unknown parameter; did you mean last_event_id?'))
})

t.test('suggests the nearest parameter', async (t) => {
  for (const [sent, similar] of [
    ['statsu=BANNED', 'status'],
    ['Limit=1', 'limit'],
    ['limit=1&ofset=2', 'offset'],
    ['seller=1', 'seller_id'],
    ['item-id=MLA1', 'item_id'],
  ]) {
    const name = /(?:^|&)([\w-]+)=[^&]*$/.exec(sent!)![1]
    const { body } = await control(`GET /questions?${sent}`)
    t.strictSame(body, badRequest(`${name}: is an unknown parameter; did you mean ${similar}?`))
  }
})

t.test('names whatever was sent', async (t) => {
  const { known } = calls.find(({ url }) => url === '/_sandbox/snapshots?')!
  for (const [sent, name] of [
    ['constructor=x', 'constructor'],
    ['__proto__=1', '__proto__'],
    ['a%5Bb%5D=1', 'a[b]'],
    ['=1', ''],
    [`${'x'.repeat(5000)}=1`, 'x'.repeat(5000)],
  ])
    t.strictSame(
      (await control(`GET /snapshots?${sent}`)).body,
      badRequest(`${name}: is an unknown parameter; known: ${known.join(', ')}`),
    )
})

t.test('calls without query parameters, and those of the emulated API, ignore them', async (t) => {
  t.equal((await control('GET /clock?statsu=1')).status, 200)
  t.equal((await app.sellers[0]!.get('/questions/search?statsu=1')).status, 200)
})
