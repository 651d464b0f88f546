import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { startCommandServer } from '../support/commands.ts'
import { createListing, recordRun } from '../support/recordings.ts'

const server = await startCommandServer(t)
const { run, runJson, call } = server
const folder = mkdtempSync(join(tmpdir(), 'mercadito-stubs-'))
t.teardown(() => rmSync(folder, { recursive: true }))
const write = (name: string, content: unknown): string => {
  const file = join(folder, name)
  writeFileSync(file, typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content))
  return file
}
t.beforeEach(async () => {
  await run('stub delete')
})

t.test('adds, lists, shows and deletes stubs', async (t) => {
  const body = '{"q":"{{query.seller}}","n":1}'
  const flags = ['--query', 'seller', '--query', 'a=1', '--query', 'a=2', '--body', body, '--header', 'x-a: b: c']
  const stub = await runJson(
    'stub add get /seller-promotions/search --status 201 --template --times 2 --order 1',
    ...flags,
  )
  t.strictSame(stub, {
    ...{
      id: stub.id,
      match: { path: '/seller-promotions/search', method: 'GET', query: { seller: '*', a: ['1', '2'] } },
    },
    answer: { status: 201, headers: { 'x-a': 'b: c' }, body: { q: '{{query.seller}}', n: 1 }, template: true },
    ...{ times: 2, order: 1, override: false, access: 'public', hits: 0 },
  })
  t.strictSame((await call('/seller-promotions/search?seller=7&a=1&a=2')).body, { q: '7', n: 1 })
  const listed = await run('stub')
  t.match(listed.output, /GET \/seller-promotions\/search\?seller=\*&a=1&a=2 +201 +1 +2 +1 +no/)
  t.match((await run(`stub show ${stub.id}`)).output, /answers: \{"q":"\{\{query.seller\}\}","n":1\}/)
  await call('/seller-promotions/serch?seller=7')
  t.match((await run('stub misses')).output, /GET \/seller-promotions\/serch\?seller=7 +404 +1 +path, query\.a/)
  t.match((await run('requests --stub 1')).output, /\/seller-promotions\/search/)
  t.match((await run('requests show 1')).output, /stub +1/)
  t.equal((await run(`stub delete ${stub.id}`)).output, `stub ${stub.id} is deleted\n`)
  t.equal((await run(`stub show ${stub.id}`)).code, 1)

  const never = 'warning: stub 2 never answers: stub 1, which comes first, answers all its calls\n'
  await run('stub add GET /seller-promotions/{id} --id 1')
  t.ok((await run('stub add GET /seller-promotions/5 --id 2')).output.endsWith(never))
  t.ok((await run('stub list')).output.endsWith(never))
  t.match(await run('stub add GET /seller-promotions/{id} --template --body', '{"id":"{{path.id}}"}'), {
    code: 2,
    errors: /\{\{path\.id\}\}: path is a text; the parameter is params\.id/,
  })
  await run('stub delete')
  const file = write('body.txt', 'a text')
  t.strictSame((await runJson('stub add any /t --body', file)).answer, { status: 200, body: 'a text' })
  t.strictSame((await runJson('stub add PUT /t --override --access token --id 9 --sent', '{"a":1}')).match, {
    ...{ path: '/t', method: 'PUT', body: { a: 1 } },
  })
})

t.test('rejects what no stub can be', async (t) => {
  for (const [line, code, message] of [
    ['stub add GET /items/1', 2, /override: must be true, because the API has GET, PUT \/items\/:item_id/],
    ['stub add FETCH /x', 2, /must be one of GET, HEAD/],
    ['stub add GET /x --body {', 2, /--body: must be JSON, a file or -; cannot read \{ \(ENOENT\)/],
    ['stub add GET /x --header x', 2, /--header x: must be "name: value"/],
    ['stub add GET /x --status 99', 2, /--status 99: must be an integer from 200 to 599/],
    ['stub import nowhere.json', 2, /nowhere\.json: there is no such file/],
  ] as const) {
    const { code: exit, errors } = await run(line)
    t.strictSame([exit, message.test(errors)], [code, true], `${line}: ${errors}`)
  }
  for (const [content, problem] of [
    ...['', 'text', '{}', '{"log":{}}', '[1]'].map(
      (text) => [text, /wrong: is no OpenAPI document, HAR file or recording/] as const,
    ),
    ['- a: [', /wrong: Flow sequence in block collection must/],
    ['{"openapi":', /wrong: Unexpected end of JSON input/],
    ['{"kind":"header"}\n', /wrong: is not a recording of this version/],
  ] as const) {
    const { code, errors } = await run('stub import', write('wrong', content))
    t.match([code, errors], [2, problem], content)
  }
})

const order = {
  type: 'object',
  properties: { id: { type: 'integer', example: 5 }, note: { $ref: '#/components/schemas/Note' } },
}
const openapi = {
  openapi: '3.1.0',
  servers: [{ url: 'https://api.example.com/v1/' }],
  paths: {
    '/seller-promotions/{order_id}': {
      parameters: [],
      get: { responses: { 404: {}, 200: { content: { 'application/json': { schema: order } } } } },
      delete: { responses: { 204: { description: 'Deleted' } } },
    },
    '/seller-promotions/search': {
      get: {
        responses: {
          default: {},
          '2XX': { content: { 'application/json': { examples: { one: { $ref: '#/components/examples/Found' } } } } },
        },
      },
    },
    '/files/{name}.pdf': { get: { responses: { 200: {} } } },
    '/elsewhere': { get: { responses: { 200: { $ref: 'other.yaml#/x' } } }, put: {} },
  },
  components: {
    examples: { Found: { value: { results: [1] } } },
    schemas: {
      Note: {
        allOf: [
          {
            type: 'object',
            properties: { text: { type: ['string', 'null'] }, at: { type: 'string', format: 'date' } },
          },
          {
            properties: {
              replies: { type: 'array', items: { $ref: '#/components/schemas/Note' } },
              ok: { const: true },
            },
          },
        ],
      },
    },
  },
}

t.test('imports the examples of an OpenAPI document, else small values of its schemas', async (t) => {
  const file = write('orders.json', openapi)
  const dry = await runJson('stub import --dry-run', file)
  t.strictSame(
    dry.stubs.map(({ match, answer }: { match: { method: string; path: string }; answer: { status: number } }) =>
      [match.method, match.path, answer.status].join(' '),
    ),
    [
      'GET /v1/seller-promotions/search 200',
      'GET /v1/seller-promotions/{order_id} 200',
      'DELETE /v1/seller-promotions/{order_id} 204',
    ],
  )
  t.strictSame(dry.skipped, [
    { what: 'GET /v1/elsewhere', why: 'its response refers to another file' },
    { what: 'PUT /v1/elsewhere', why: 'it has no responses' },
    { what: 'GET /v1/files/{name}.pdf', why: 'stubs have no such path' },
  ])
  t.strictSame((await runJson('stub list')).results, [], 'nothing was made')

  const { output } = await run('stub import', file)
  t.match(output, /3 stubs made\nskipped GET \/v1\/elsewhere: its response refers to another file/)
  t.strictSame((await call('/v1/seller-promotions/search')).body, { results: [1] })
  const { id, note } = (await call('/v1/seller-promotions/7')).body
  t.strictSame(
    [id, Object.keys(note), note.text, note.at, note.ok],
    [5, ['text', 'at', 'replies', 'ok'], 'text', '2026-01-01', true],
  )
  t.equal((await call({ method: 'DELETE', url: '/v1/seller-promotions/7' })).status, 204)
})

t.test('a small document cannot describe endless values', async (t) => {
  const LIMIT = 'All values of a document may have 16777216 bytes.'
  const names = 'abcdefghijkl'.split('')
  const nested = (schema: string) => ({
    openapi: '3.0.0',
    paths: { '/a': { get: { responses: { 200: { content: { 'application/json': { schema: { $ref: schema } } } } } } } },
  })
  const N = '#/components/schemas/N'
  const wide = { properties: Object.fromEntries(names.map((name) => [name, { $ref: N }])) }
  // Eight levels of twelve members each.
  const small = { ...nested(N), components: { schemas: { N: wide } } }
  t.ok(JSON.stringify(small).length < 676)
  const rows: [name: string, document: object, schema: string][] = [
    ['members', small, N],
    [
      'an inline schema of OpenAPI 2.0',
      {
        swagger: '2.0',
        paths: { '/a': { get: { responses: { 200: { schema: { items: { $ref: '#/definitions/N' } } } } } } },
        definitions: { N: { allOf: names.map(() => ({ $ref: '#/definitions/N' })) } },
      },
      '#/definitions/N',
    ],
    [
      'a large example in many places',
      {
        ...nested('#/components/schemas/M'),
        components: {
          schemas: {
            M: { properties: Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [n, { $ref: N }])) },
            N: { example: { text: 'x'.repeat(100_000) } },
          },
        },
      },
      N,
    ],
    [
      'an example of many calls',
      {
        openapi: '3.0.0',
        paths: Object.fromEntries(
          Array.from({ length: 200 }, (_, n) => [
            `/${n}`,
            { get: { responses: { 200: { $ref: '#/components/responses/R' } } } },
          ]),
        ),
        components: { responses: { R: { content: { 'application/json': { example: 'x'.repeat(100_000) } } } } },
      },
      'the example',
    ],
  ]
  for (const [name, document, schema] of rows) {
    const { code, errors } = await run('stub import', write('endless.json', document))
    t.equal(code, 2, name)
    const call = /endless\.json: (.+) of GET \/\w+ has too many values\. (.+)\n/.exec(errors)
    t.strictSame(call?.slice(1), [schema, LIMIT], `${name}: ${errors}`)
  }
})

t.test('reads YAML, and OpenAPI 2.0', async (t) => {
  const yaml = `
swagger: '2.0'
basePath: /api
definitions:
  Order: { type: object, properties: { total: { type: number, minimum: 3 }, state: { enum: [paid, open] } } }
paths:
  /seller-promotions:
    post: { responses: { 201: { schema: { $ref: '#/definitions/Order' } } } }
    get: { responses: { 200: { examples: { application/json: [{ id: 1 }] } } } }
`
  t.match(await run('stub import', write('orders.yaml', yaml)), { code: 0, errors: '' })
  t.strictSame((await call('/api/seller-promotions')).body, [{ id: 1 }])
  const created = await call({ method: 'POST', url: '/api/seller-promotions' })
  t.strictSame([created.status, created.body], [201, { total: 3, state: 'paid' }])
})

const TOKEN = 'APP_USR-1-030215-00000001abcdef-2500000101'
const entry = (call: string, sent: unknown, status: number, answer: string, mimeType = 'application/json') => {
  const [method, url] = call.split(' ')
  return {
    request: {
      ...{ method, url, headers: [{ name: 'authorization', value: `Bearer ${TOKEN}` }] },
      ...(sent !== undefined && { postData: { mimeType: 'application/json', text: JSON.stringify(sent) } }),
    },
    response: {
      status,
      headers: [{ name: 'set-cookie', value: 'session=geheim' }],
      content: { mimeType, text: answer },
    },
  }
}

t.test('imports the calls of a HAR file, without secrets', async (t) => {
  const at = 'https://api.example.com'
  const entries = [
    entry(
      `GET ${at}/seller-promotions/1?a=1&access_token=${TOKEN}&b=x&b=y`,
      undefined,
      200,
      '{"n":1,"access_token":"geheim"}',
    ),
    entry(`GET ${at}/seller-promotions/1?a=1&b=x&b=y`, undefined, 200, '{"n":1,"access_token":"geheim2"}'),
    entry(`GET ${at}/seller-promotions/1?b=x&b=y&a=1`, undefined, 200, '{"n":2}'),
    entry(`POST ${at}/notes`, { text: 'a', client_secret: 'geheim' }, 201, '{"id":"a"}'),
    entry(`POST ${at}/notes`, { text: 'b' }, 201, '{"id":"b"}'),
    entry(`POST ${at}/notes/1/close`, { text: 'x' }, 204, ''),
    entry(`GET ${at}/items/MLA1`, undefined, 200, '{}'),
    entry(`GET ${at}/logo.png`, undefined, 200, 'x', 'image/png'),
    entry(`GET ${at}/cut`, undefined, 200, '{"a":'),
    entry(`GET ${at}/none`, undefined, 0, ''),
    entry(`OPTIONS ${at}/notes`, undefined, 200, ''),
    entry(`GET ${at}/of/${TOKEN}`, undefined, 200, '{}'),
    entry('GET https://elsewhere.example.com/x', undefined, 200, '{}'),
    entry('GET nowhere', undefined, 200, '{}'),
  ]
  const { stubs, skipped } = await runJson(
    'stub import --host api.example.com',
    write('session.har', { log: { entries } }),
  )
  t.strictSame(skipped, [
    { what: 'GET /logo.png', why: 'its answer is image/png, not JSON' },
    { what: 'GET /cut', why: 'its answer is not complete JSON' },
    { what: 'GET /none', why: 'it has no answer' },
    { what: 'OPTIONS /notes', why: 'OPTIONS is answered by the server' },
    { what: 'GET /items/MLA1', why: 'the emulated API has it; --override replaces it' },
    { what: 'GET /of/***', why: 'its path has a token' },
  ])
  t.notMatch(JSON.stringify(stubs), /geheim|APP_USR/)
  t.strictSame(
    stubs.map(({ match, answer, times }: { match: object; answer: object; times: number | null }) => ({
      ...match,
      ...answer,
      times,
    })),
    [
      {
        ...{ path: '/seller-promotions/1', method: 'GET', query: { a: '1', b: ['x', 'y'] } },
        ...{ status: 200, body: { n: 1, access_token: '***' }, times: 2 },
      },
      {
        ...{ path: '/seller-promotions/1', method: 'GET', query: { a: '1', b: ['x', 'y'] } },
        ...{ status: 200, body: { n: 2 }, times: null },
      },
      { path: '/notes', method: 'POST', body: { id: 'a' }, status: 201, times: null },
      { path: '/notes', method: 'POST', body: { id: 'b' }, status: 201, times: null },
      { path: '/notes/1/close', method: 'POST', status: 204, times: null },
    ],
  )
  t.strictSame(
    stubs.map(({ match }: { match: { body?: unknown } }) => match.body),
    [undefined, undefined, { text: 'a' }, { text: 'b' }, undefined],
  )
  const numbers: number[] = []
  for (let n = 0; n < 4; n++) numbers.push((await call('/seller-promotions/1?a=1&b=x&b=y')).body.n)
  t.strictSame(numbers, [1, 1, 2, 2])
  const note = await call({ method: 'POST', url: '/notes', payload: '{"text":"b","more":1}' })
  t.strictSame(note.body, { id: 'b' })
})

t.test('imports the calls of a recording that the API does not have', async (t) => {
  const recording = join(folder, 'run.jsonl')
  await recordRun(recording, {}, async (app) => {
    await createListing(app)
    await app.control('POST /stubs', {
      match: { path: '/seller-promotions/{id}' },
      answer: { body: { id: '{{params.id}}' }, template: true },
    })
    await app.sellers[0]!.get('/seller-promotions/5?a=1')
    await app.sellers[0]!.get('/users/me')
    await app.call('/nowhere')
  })
  const expected = [
    {
      match: { method: 'GET', path: '/seller-promotions/5', query: { a: '1' } },
      answer: { status: 200, body: { id: '5' } },
    },
  ]
  const bundle = write('run.recording', gzipSync(readFileSync(recording)))
  for (const file of [recording, bundle]) {
    const { stubs, skipped } = await runJson('stub import --dry-run', file)
    t.strictSame(stubs, expected)
    t.strictSame(skipped, [
      { what: 'GET /nowhere', why: 'it was no path of the server' },
      { what: 'GET /users/me', why: 'the emulated API has it; --override replaces it' },
    ])
  }
  const { stubs } = await runJson('stub import --override', recording)
  t.match(stubs, [
    { override: true, match: { path: '/seller-promotions/5' } },
    { override: true, match: { path: '/users/me' } },
  ])
})
