import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import t from 'tap'
import about from '../../package.json' with { type: 'json' }
import { bearer } from '../support/app.ts'
import { inProcess, startCommandServer } from '../support/commands.ts'
import { type Element, parseXml } from '../support/xml.ts'

const app = await startCommandServer(t, { scenario: 'quiet' })
const { run, runJson, control, call, url } = app
const [seller, buyer] = [app.sellers[0]!, app.buyers[0]!]
const folder = mkdtempSync(join(tmpdir(), 'mercadito-audit-'))
t.teardown(() => rmSync(folder, { recursive: true }))
const file = (name: string) => join(folder, name)

const readSchema = (name: string) =>
  JSON.parse(readFileSync(new URL(`../fixtures/schemas/${name}.json`, import.meta.url), 'utf8'))

/** A validator of JSON; draft 4 has `id` in place of `$id`. */
function createValidator() {
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false })
  ajv.addFormat('date-time', (text: string) => new Date(text).toISOString() === text)
  ajv.addFormat('uri', URL.canParse)
  ajv.addFormat('uri-reference', (text: string) => URL.canParse(text, 'http://localhost'))
  for (const format of ['ipv4', 'ipv6']) ajv.addFormat(format, true)
  return ajv
}

function sarifErrors(document: unknown) {
  const { id: _, $schema: __, ...schema } = readSchema('sarif-2.1.0')
  const validate = createValidator().compile(schema)
  return validate(document) ? [] : validate.errors
}

function harErrors(document: unknown) {
  const ajv = createValidator()
  for (const { $schema: _, ...schema } of readSchema('har-1.2')) ajv.addSchema(schema)
  const validate = ajv.getSchema('har.json#')!
  return validate(document) ? [] : validate.errors
}

/** A name that no format may take for its own syntax. */
const HOSTILE = '</failure><a b="c">&amp;]]>\u0001\u0085\u202e\uffff\n\u{1f600}\\"'
t.before(async () => {
  await seller.get(`/users/me?${encodeURIComponent(HOSTILE)}=1`)
  await seller.get(`/questions/search?seler_id=${seller.id}`)
  await seller.get(`/questions/search?seller_id=${seller.id}`, { headers: bearer(buyer.token) })
})

const REPORT = `error  Data of a seller were requested with the token of another  (tokens.foreign)
       GET /questions/search
       seen once; requests 3
  why  The call was refused because of whose token it had. A program for several sellers that confuses them may also change the data of the wrong one.
  fix  Keep the token together with the id of its user (\`user_id\` of \`POST /oauth/token\`), and select both by the seller that the work is for.

warn   A parameter or member has a name that is almost right  (parameters.misspelled)
       GET /questions/search: query seler_id (seller_id?)
       seen once; requests 2
  why  Unknown names are ignored without an error. A filter with a wrong name filters nothing, so that the answer has more than the program expects.
  fix  Correct the name; the evidence has the one that is probably meant.

info   A parameter or member was ignored  (parameters.unknown)
       GET /users/me: query </failure><a b="c">&amp;]]>\\u0001\\u0085\\u202e\uffff↵\u{1f600}\\"
       seen once; requests 1
  why  This server does not know the name. The real service may ignore it, too, or it may have an effect that this server cannot show.
  fix  Leave it out if the documentation of the service does not have it; otherwise test its effect on the real service.

3 findings (1 error, 1 warn, 1 info) in 3 requests and 0 notifications
`

t.test('prints the findings for people', async (t) => {
  t.strictSame(await run('requests audit'), { code: 0, output: REPORT, errors: '' })
  t.match(
    (await run('requests audit --lang es')).output,
    /^error {2}Se pidieron datos de un vendedor con el token de otro {2}/,
  )
  const { body } = await control('GET /audit')
  t.strictSame(await runJson('requests audit'), body)
  t.strictSame(JSON.parse((await run('requests audit --format json')).output), body)
})

t.test('exits with 3 if there are findings of a severity', async (t) => {
  const rows: [severity: string, message: string][] = [
    ['error', '1 finding of severity error or above'],
    ['warn', '2 findings of severity warn or above'],
    ['info', '3 findings of severity info or above'],
  ]
  for (const [severity, message] of rows)
    t.strictSame(await run(`requests audit --fail-on ${severity}`), {
      code: 3,
      output: REPORT,
      errors: `mercadito: ${message}\n`,
    })
  const { body } = await control('POST /worlds', { scenario: 'empty' })
  const audit = () => inProcess('requests', 'audit', '--fail-on', 'info', '--url', `${url}/w/${body.world.id}`)
  t.strictSame(await audit(), {
    code: 1,
    output: 'no findings in 0 requests and 0 notifications\n',
    errors: 'mercadito: no call was seen; name the world that the program has used with --url, or use `exec --audit`\n',
  })
  await call(`/w/${body.world.id}/currencies`)
  t.strictSame(await audit(), { code: 0, output: 'no findings in 1 requests and 0 notifications\n', errors: '' })
})

t.test('writes SARIF 2.1.0', async (t) => {
  const { code, output } = await run('requests audit --format sarif')
  t.equal(code, 0)
  const report = JSON.parse(output)
  t.strictSame(sarifErrors(report), [])
  t.strictSame(sarifErrors({ ...report, version: '2' })?.length, 1, 'the schema finds an error')
  const { findings } = await runJson('requests audit')
  const [{ tool, results, ...rest }] = report.runs
  t.strictSame(rest, {
    invocations: [{ executionSuccessful: true, toolExecutionNotifications: [] }],
    properties: { audited: { requests: 3, dropped: 0, deliveries: 0 } },
  })
  t.strictSame([tool.driver.name, tool.driver.version], ['mercadito', about.version])
  t.strictSame(tool.driver.rules[0], {
    id: 'tokens.foreign',
    shortDescription: { text: findings[0].title },
    fullDescription: { text: findings[0].why },
    help: { text: findings[0].fix },
    defaultConfiguration: { level: 'error' },
  })
  t.strictSame(
    results.map(({ ruleId, ruleIndex, level }: Record<string, unknown>) => [ruleId, ruleIndex, level]),
    [
      ['tokens.foreign', 0, 'error'],
      ['parameters.misspelled', 1, 'warning'],
      ['parameters.unknown', 2, 'note'],
    ],
  )
  t.strictSame(results[1], {
    ruleId: 'parameters.misspelled',
    ruleIndex: 1,
    level: 'warning',
    message: {
      text: `${findings[1].title}: GET /questions/search: query seler_id (seller_id?). seen once; requests 2. ${findings[1].fix}`,
    },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: '_sandbox/requests/2' }, region: { startLine: 1 } },
        logicalLocations: [{ fullyQualifiedName: 'GET /questions/search: query seler_id (seller_id?)' }],
      },
    ],
    partialFingerprints: { 'finding/v1': 'parameters.misspelled' },
    occurrenceCount: 1,
    properties: findings[1].evidence,
  })
  t.equal(results[2].locations[0].logicalLocations[0].fullyQualifiedName, `GET /users/me: query ${HOSTILE}`)
})

t.test('writes JUnit, in which hostile text is text', async (t) => {
  const { output } = await run('requests audit --format junit')
  const root = parseXml(output)
  const { checks, findings } = await runJson('requests audit')
  const counts = { name: 'mercadito requests audit', tests: String(checks.length), failures: '2', errors: '0' }
  t.strictSame([root.name, root.attributes], ['testsuites', counts])
  const elements = ({ children }: Element) => children.filter((child) => typeof child === 'object')
  const [suite] = elements(root)
  t.strictSame(suite!.attributes, { ...counts, skipped: '0' })
  const cases = elements(suite!).slice(0, -1)
  t.strictSame(
    cases.map(({ attributes }) => attributes),
    checks.map(({ id, title }: Record<string, string>) => ({ classname: 'mercadito.audit', name: `${id}: ${title}` })),
  )
  const results = cases.flatMap(elements)
  t.strictSame(results[1], {
    name: 'failure',
    attributes: { type: 'warn', message: findings[1].title },
    children: [
      `GET /questions/search: query seler_id (seller_id?)\nseen once; requests 2\n${findings[1].why}\n${findings[1].fix}`,
    ],
  })
  const shown = HOSTILE.replace(/[\u0001\uffff]/g, '\ufffd')
  t.strictSame(results[2], {
    name: 'system-out',
    attributes: {},
    children: [
      `info: ${findings[2].title}\nGET /users/me: query ${shown}\nseen once; requests 1\n${findings[2].why}\n${findings[2].fix}`,
    ],
  })
  t.equal(results.length, 3)
  t.match((await run('requests audit --format junit --fail-on error')).output, / failures="1" /)
})

t.test('writes to a file, which a failure does not destroy', async (t) => {
  const { code, output } = await run('requests audit --format sarif --fail-on error --output', file('audit.sarif'))
  t.strictSame(
    [code, output],
    [3, `wrote ${file('audit.sarif')}: 3 findings (1 error, 1 warn, 1 info) in 3 requests and 0 notifications\n`],
  )
  t.strictSame(sarifErrors(JSON.parse(readFileSync(file('audit.sarif'), 'utf8'))), [])
  t.strictSame(await run('requests audit --output', join(folder, 'no', 'audit')), {
    code: 1,
    output: '',
    errors: `mercadito: cannot write ${join(folder, 'no', 'audit')} (ENOENT: no such file or directory); choose another file\n`,
  })
  t.strictSame(readdirSync(folder), ['audit.sarif'])
})

t.test('rejects wrong flags', async (t) => {
  for (const line of [
    'requests audit --fail-on fatal',
    'requests audit --format xml',
    'requests audit --format sarif --json',
    'requests audit --lang fr',
  ])
    t.equal((await run(line)).code, 2, line)
})

t.test('writes the journal as HAR 1.2', async (t) => {
  await control('DELETE /requests')
  const { id } = (await control('POST /questions', { item_id: 'MLA1400000001', text: '¿Hay?' })).body
  const headers = { ...bearer(seller.token), 'content-type': 'application/json', cookie: 'a=b' }
  const payload = JSON.stringify({ question_id: id, text: 'Sí' })
  const answered = await call({ method: 'POST', url: '/answers', headers, payload })
  await call({ url: `/users/me?access_token=${seller.token}&a=1&a=2` })
  await seller.post('/answers', { question_id: id, text: 'x'.repeat(9000) })
  await call({ url: '/items/%C3%A9%2F%3F', headers: { 'x-sandbox-fault': 'drop' } }).catch(() => {})
  t.strictSame(
    (await run('requests --har', file('journal.har'))).output,
    `wrote 4 requests to ${file('journal.har')}\n`,
  )
  const har = JSON.parse(readFileSync(file('journal.har'), 'utf8'))
  t.strictSame(harErrors(har), [])
  t.ok(harErrors({ log: { ...har.log, entries: [{}] } })!.length > 0, 'the schema finds an error')
  t.notOk(JSON.stringify(har).includes(seller.token))
  const { results } = (await control('GET /requests')).body
  const { creator, entries } = har.log
  t.strictSame(creator, { name: 'mercadito', version: about.version })
  const [answer, me, long, dropped] = entries
  const { at, world_time, response } = results[0]
  t.strictSame(answer, {
    startedDateTime: at,
    time: response.ms,
    request: {
      method: 'POST',
      url: `${url}/answers`,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: Object.entries(results[0].headers).map(([name, value]) => ({ name, value })),
      queryString: [],
      postData: { mimeType: 'application/json', text: payload },
      headersSize: -1,
      bodySize: Buffer.byteLength(payload),
      comment: 'headers in part',
    },
    response: {
      status: 200,
      statusText: 'OK',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: [],
      content: { size: Buffer.byteLength(answered.text), mimeType: 'application/json', text: answered.text },
      redirectURL: '',
      headersSize: -1,
      bodySize: Buffer.byteLength(answered.text),
    },
    cache: {},
    timings: { send: 0, wait: response.ms, receive: 0 },
    comment: `request ${results[0].id}, world time ${world_time}`,
  })
  t.match(answer.request.headers, [
    { name: 'authorization', value: '***' },
    { name: 'cookie', value: '***' },
  ])
  t.equal(me.request.url, `${url}/users/me?access_token=***&a=1&a=2`)
  t.strictSame(me.request.queryString, [
    { name: 'access_token', value: '***' },
    { name: 'a', value: '1' },
    { name: 'a', value: '2' },
  ])
  t.match(long.request, { bodySize: -1, postData: { comment: 'cut to 8 KiB' } })
  t.match(dropped, {
    request: { url: `${url}/items/%C3%A9/%3F` },
    response: { status: 0, content: { size: 0, mimeType: 'x-unknown' }, comment: /without an answer/ },
  })
  const printed = await run('requests --status 2xx --har')
  t.strictSame(
    JSON.parse(printed.output).log.entries.map(({ response }: { response: { status: number } }) => response.status),
    [200, 200],
  )
  t.equal((await run('requests --har --follow')).code, 2)
})
