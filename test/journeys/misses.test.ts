import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import type { OnMiss } from '../../control/stubs/propose.ts'
import { bearer } from '../support/app.ts'
import { inProcess, startCommandServer } from '../support/commands.ts'

const missed: string[] = []
const onMiss: OnMiss = (world, { id, method, path }) => void missed.push(`${world}: ${id} ${method} ${path}`)
const proposing = await startCommandServer(t, { miss: { mode: 'propose', onMiss } })
const asking = await startCommandServer(t, { scenario: 'empty', miss: { mode: 'ask', onMiss } })
const UNKNOWN_PATH = { message: 'Resource not found.', error: 'resource not found', status: 404, cause: [] }
const FOUND = { paging: { total: 0, offset: 0, limit: 50 }, results: [] }
const stub = (id: number, call: string, order = 0, more: object = {}) => {
  const [method, path] = call.split(' ')
  const answer = { status: method === 'POST' ? 201 : 200, body: /search$/.test(call) ? FOUND : {} }
  return {
    ...{ id, match: { method, path }, answer, times: null, order, override: false, access: 'public' },
    ...{ proposed: true, hits: 1, ...more },
  }
}
const send = ({ call }: typeof proposing, request: string, headers = {}) => {
  const [method, url] = request.split(' ') as ['GET', string]
  return call({ method, url, headers })
}
/** `GET /x 200 {}`. */
const answersOf = async (app: typeof proposing, requests: string[]) => {
  const answers: string[] = []
  for (const request of requests) {
    const { status, text } = await send(app, request)
    answers.push(`${request} ${status} ${text}`)
  }
  return answers
}
t.beforeEach(async () => {
  missed.length = 0
  for (const app of [proposing, asking]) await app.control('POST /reset')
})

t.test('propose: a call that nothing answers is answered by a stub without its ids and values', async (t) => {
  const answered = [
    'GET /carts/items/MLA1?app_version=v2&access=APP_USR-1 200 {}',
    'GET /carts/items/MLA2 200 {}',
    `GET /carts/items/search?q=Ana 200 ${JSON.stringify(FOUND)}`,
    'POST /v2/categories/a@b.com/boxes/Jos%C3%A9/7/ 201 {}',
    'DELETE /coupons/null 200 {}',
    'HEAD /coupons/orders 200 ',
  ]
  const requests = answered.map((line) => line.split(' ').slice(0, 2).join(' '))
  t.strictSame(await answersOf(proposing, requests), answered)
  const { results } = (await proposing.control('GET /stubs')).body
  t.strictSame(results, [
    stub(2, 'GET /carts/items/search'),
    stub(5, 'GET /coupons/orders'),
    stub(1, 'GET /carts/items/{item_id}', 1, { hits: 2 }),
    stub(4, 'DELETE /coupons/{coupon_id}', 1),
    stub(3, 'POST /v2/categories/{category_id}/boxes/{box_id}/{id}', 3),
  ])
  const { body } = await proposing.control('GET /requests?stub=5')
  t.match(body.results, [{ method: 'HEAD', stub: 5, response: { status: 200 } }])
  t.strictSame(missed.slice(0, 2), Array(2).fill('1: 1 GET /carts/items/{item_id}'))

  await proposing.control('POST /reset')
  t.strictSame((await proposing.control('GET /stubs')).body.results, [], 'a proposal is part of the world')
  await answersOf(proposing, requests)
  t.strictSame((await proposing.control('GET /stubs')).body.results, results, 'the same calls, the same proposals')
})

t.test('nothing is proposed for what the API has, browsers, what is no path of it, and beyond 200', async (t) => {
  const rows: [request: string, status: number, headers?: object][] = [
    ['GET /items/MLA9999999999', 404],
    ['DELETE /currencies/ARS', 405],
    ['OPTIONS /carts/x', 404],
    ['GET /favicon.ico', 404],
    ['GET /', 404],
    ['GET //promotions', 404],
    ['GET /w/x/promotions', 404],
    ['GET /promotions', 404, { accept: 'text/html,*/*' }],
    ['GET /promotions/logo', 404, { accept: 'image/avif,*/*' }],
    [`GET /promotions${'/abc'.repeat(260)}`, 404],
  ]
  for (const [request, status, headers] of rows)
    t.equal((await send(proposing, request, headers)).status, status, request)
  t.strictSame((await proposing.control('GET /stubs')).body.results, [])

  const preflight = { origin: 'https://x.example.com', 'access-control-request-method': 'PUT' }
  t.equal((await send(proposing, 'OPTIONS /promotions/5', preflight)).status, 204)
  t.match((await send(proposing, 'GET /promotions', bearer('APP_USR-0'))).status, 401, 'a token must be valid')
  const word = (n: number) => `a${String.fromCharCode(97 + Math.floor(n / 26), 97 + (n % 26))}`
  const many = await Promise.all(Array.from({ length: 199 }, (_, n) => send(proposing, `GET /many/${word(n)}`)))
  t.strictSame([many.filter(({ status }) => status === 200).length, many[198]!.body], [198, UNKNOWN_PATH])
  t.equal((await proposing.control('GET /stubs')).body.paging.total, 200)
})

t.test('a proposal yields to every stub, belongs to its world, and calls at once make one', async (t) => {
  const { world } = (await proposing.control('POST /worlds', { scenario: 'empty' })).body
  const base = `/w/${world.id}`
  await Promise.all([1, 2, 3].map((id) => send(proposing, `PUT ${base}/promotions/${id}`)))
  t.strictSame((await proposing.control('GET /stubs', undefined, base)).body.results, [
    stub(1, 'PUT /promotions/{promotion_id}', 1, { hits: 3 }),
  ])
  t.strictSame((await proposing.control('GET /stubs')).body.results, [])
  const own = { match: { path: '/promotions/*' }, answer: { body: 'own' }, order: 9 }
  await proposing.control('POST /stubs', own, base)
  t.equal((await send(proposing, `PUT ${base}/promotions/4`)).text, 'own')
  const file = (await proposing.control('GET /world', undefined, base)).body
  t.match(file.stubs[0], { id: 1, proposed: true, hits: 3 })
  t.equal((await proposing.control('PUT /world', { version: 1, stubs: file.stubs }, base)).status, 200)
  t.match((await proposing.control('GET /stubs/1', undefined, base)).body, { proposed: true, hits: 3 })
})

t.test('ask: the call gets 404, and a command accepts its proposal', async (t) => {
  const { run, runJson } = asking
  const requests = ['GET /promotions/5', 'POST /promotions']
  for (const request of [...requests, ...requests])
    t.strictSame((await send(asking, request)).body, UNKNOWN_PATH, request)
  t.strictSame(missed, [
    ...['1: 1 GET /promotions/{promotion_id}', '1: 2 POST /promotions'],
    ...['1: 1 GET /promotions/{promotion_id}', '1: 2 POST /promotions'],
  ])
  t.match((await run('stub misses')).output, /^4 +POST \/promotions +404 +2 +proposed *$/m)
  t.match((await run('stub')).output, /^2 +POST \/promotions +201 +0 +– +0 +no +yes *$/m)
  t.match((await run('stub show 2')).output, /^proposed +yes$/m)
  t.match((await run('why 4')).output, /Stub 2 nearly matches: proposed is true, not false\./)
  t.strictSame(await runJson('stub accept 2'), {
    stubs: [stub(2, 'POST /promotions', 0, { proposed: undefined, hits: 0 })].map((one) =>
      JSON.parse(JSON.stringify(one)),
    ),
  })
  t.strictSame(await answersOf(asking, requests), [
    `GET /promotions/5 404 ${JSON.stringify(UNKNOWN_PATH)}`,
    'POST /promotions 201 {}',
  ])
  t.match((await run('stub accept')).output, /^1 +GET \/promotions\/\{promotion_id\} +200 +1 +– +0 +no +no *$/m)
  t.strictSame(await run('stub accept'), { code: 0, output: 'there are no proposals\n', errors: '' })
  t.equal((await run('stub accept 9')).code, 1)
  t.equal((await send(asking, 'GET /promotions/5')).text, '{}')
})

t.test('a document gives the proposed answers', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'mercadito-misses-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'api.json')
  const answer = { 200: { content: { 'application/json': { example: { id: 'P-1', name: 'Hot' } } } } }
  const paths = { '/promotions/{id}': { get: { responses: answer } }, '/unused': { get: { responses: answer } } }
  writeFileSync(file, JSON.stringify({ openapi: '3.1.0', paths }))
  for (const app of [proposing, asking]) await app.run('stub import --proposed', file)
  t.strictSame(await answersOf(proposing, ['GET /promotions/P-1']), [
    'GET /promotions/P-1 200 {"id":"P-1","name":"Hot"}',
  ])
  t.equal((await send(asking, 'GET /promotions/P-1')).status, 404)
  t.strictSame(missed, Array(2).fill('1: 2 GET /promotions/{id}'))
})

t.test('exec says at the end what was missed, each call once, with the command that makes a stub of it', async (t) => {
  const script = `
    const url = process.env.MERCADITO_URL
    for (const path of ['/promotions/1', '/promotions/2']) await fetch(url + path)
    await fetch(url + '/_sandbox/reset', { method: 'POST' })
    await fetch(url + '/promotions', { method: 'POST', body: '{}' })`
  const program = ['--', process.execPath, '--input-type=module', '-e', script]
  const exec = (...flags: string[]) => inProcess('exec', '--scenario', 'empty', ...flags, ...program)
  const commands = `to accept the proposed stubs:
  mercadito stub add GET '/promotions/{promotion_id}' --body '{}'
  mercadito stub add POST '/promotions' --status 201 --body '{}'
`
  t.strictSame(await exec('--miss', 'ask'), {
    ...{ code: 0, output: '' },
    errors: `mercadito: nothing answered 2 different calls; ${commands}`,
  })
  const { code, output, errors } = await exec('--miss', 'propose', '--json')
  t.strictSame([code, errors], [0, `mercadito: only proposed stubs answered 2 different calls; ${commands}`])
  t.strictSame(JSON.parse(output).missed, [
    { method: 'GET', path: '/promotions/{promotion_id}', answer: { status: 200, body: {} } },
    { method: 'POST', path: '/promotions', answer: { status: 201, body: {} } },
  ])
  t.strictSame(await exec(), { code: 0, output: '', errors: '' })
  t.match(await exec('--miss', 'ask', '--url', asking.url), { code: 2, errors: /--miss cannot be used with --url/ })
})
