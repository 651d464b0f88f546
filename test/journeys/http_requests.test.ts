import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runInNewContext } from 'node:vm'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import t from 'tap'
import { COLLECTION, HTTP_FOLDER, requestFiles } from '../../tools/requests/files.ts'
import { startCommandServer } from '../support/commands.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(`${root}/${path}`, 'utf8')

/** A request as a client sends it, when its variables have values. */
interface Request {
  /** The summary of the call in the document. */
  name: string
  method: string
  url: string
  headers: Record<string, string>
  body: string | undefined
  /** Its form: a file in the folder of the source. */
  form?: { name: string; path: string }
  /** Its test script. */
  script?: string
}

/** Reads the part of the `.http` format that the files use. */
function parseHttpFile(text: string): Request[] {
  const [, ...sections] = text.split(/^### /m)
  return sections.map((section) => {
    const [head, ...body] = section.trim().split('\n\n')
    const [name, ...lines] = head!.split('\n').filter((line) => !line.startsWith('# '))
    const [method, url, ...more] = lines.shift()!.split(' ')
    if (more.length > 0) throw new Error(`${name}: the request line has blanks`)
    const headers = Object.fromEntries(lines.map((line) => line.split(': ')))
    return { name: name!, method: method!, url: url!, headers, body: body.length > 0 ? body.join('\n\n') : undefined }
  })
}

interface Item {
  name: string
  event?: { listen: string; script: { exec: string[] } }[]
  item?: Item[]
  request: {
    method: string
    url: { raw: string; host: string[]; path: string[]; query?: { key: string; value: string; disabled?: boolean }[] }
    header?: { key: string; value: string }[]
    body?: { raw?: string; formdata?: { key: string; src: string }[] }
    auth?: { type: string; bearer?: { value: string }[] }
  }
}

/** Builds the address from its parts, as Postman does. */
function parseCollection({ item, auth }: { item: Item[]; auth: Item['request']['auth'] }): Request[] {
  const leaves = item.flatMap((folder) => folder.item!)
  return leaves.map(({ name, request, event }) => {
    const { host, path, query = [], raw } = request.url
    const enabled = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`)
    const url = `${host.join('.')}/${path.join('/')}${enabled.length > 0 ? `?${enabled.join('&')}` : ''}`
    if (url !== raw) throw new Error(`${raw} is not ${url}`)
    const { type, bearer } = request.auth ?? auth!
    const headers = (request.header ?? []).map(({ key, value }) => [key, value])
    if (type === 'bearer') headers.push(['Authorization', `Bearer ${bearer![0]!.value}`])
    const script = event!.map(({ script }) => script.exec.join('\n')).join('\n')
    const form = request.body?.formdata?.map(({ key, src }) => ({ name: key, path: src }))[0]
    return {
      ...{ name, method: request.method, url, headers: Object.fromEntries(headers), body: request.body?.raw, script },
      ...(form && { form }),
    }
  })
}

// To optimize a validator takes longer than it saves.
const ajv = new Ajv2020({ code: { optimize: false } })
/** By their text: each run of a script has a schema of its own, and compiling it takes longer than all else. */
const validators = new Map<string, ValidateFunction>()

function validatorOf(schema: object): ValidateFunction {
  const text = JSON.stringify(schema)
  const validate = validators.get(text) ?? ajv.compile(schema)
  validators.set(text, validate)
  return validate
}

/** Runs a test script with the part of Postman's sandbox that the scripts use. Returns the name and error of each test. */
function runScript(script: string, { status, text }: { status: number; text: string }): [string, string?][] {
  const results: [string, string?][] = []
  const check = (isRight: boolean, message: string) => {
    if (!isRight) throw new Error(message)
  }
  const have = {
    status: (expected: number) => check(status === expected, `${status} is not ${expected}`),
    jsonSchema: (schema: object) => {
      const validate = validatorOf(schema)
      check(validate(JSON.parse(text)), ajv.errorsText(validate.errors))
    },
  }
  const pm = {
    test(name: string, run: () => void) {
      try {
        run()
        results.push([name])
      } catch (error) {
        results.push([name, String(error)])
      }
    },
    expect: (value: string) => ({ to: { equal: (one: string) => check(value === one, `${value} is not ${one}`) } }),
    response: { text: () => text, to: { have } },
  }
  runInNewContext(script, { pm })
  return results
}

/** The body as a client sends it: a form has the bytes of its file. */
function bodyOf({ body, form }: Request, folder: string, fill: (text: string) => string) {
  const bytesOf = (path: string) => readFileSync(`${root}/${folder}/${path}`)
  if (form) {
    const data = new FormData()
    data.append(form.name, new Blob([bytesOf(form.path)]), form.path)
    return data
  }
  const [, start, path, end] = body?.match(/^(--.*\n\n)< (.*?)(\n--.*)$/s) ?? []
  if (path === undefined) return body && fill(body)
  // Lines of a form end as those of HTTP do.
  const lines = [start!, `${end}\n`].map((text) => Buffer.from(text.replaceAll('\n', '\r\n')))
  return Buffer.concat([lines[0]!, bytesOf(path), lines[1]!])
}

interface Operation {
  summary: string
  tags: string[]
  responses: Record<string, unknown>
}
const { paths } = JSON.parse(read('openapi.json')) as { paths: Record<string, Record<string, Operation>> }
const operations = new Map(
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags[0] !== 'Answers without state')
      .map(([method, operation]) => [operation.summary, { ...operation, method, path }]),
  ),
)
/** Not for HTTP clients: the form of a page, the document itself, a search that is closed, and the end of the token. */
const EXCEPTIONS = [
  'POST /authorization',
  'GET /openapi.json',
  'GET /sites/{site_id}/search',
  'DELETE /users/{user_id}/applications/{application_id}',
]

/** Variables whose values other requests answer, and where. */
const ANSWERED = {
  new_item_id: { request: 'Create a listing of the caller', path: ['id'] },
  message_id: { request: 'Write to the buyer of a pack', path: ['id'] },
  attachment_id: { request: 'Upload a file to send it', path: ['id'] },
  note_id: { request: 'Write a note on a sale of the caller', path: ['note', 'id'] },
}

const httpFiles = globSync(`${HTTP_FOLDER}/*.http`, { cwd: root }).sort()
const sources: Record<string, Request[]> = {
  [HTTP_FOLDER]: httpFiles.flatMap((path) => parseHttpFile(read(path))),
  [COLLECTION]: parseCollection(JSON.parse(read(COLLECTION))),
}

/** The history of the demo world is another at each hour of the week. Both sources have the same calls. */
const TIMES: Record<string, string> = {
  [HTTP_FOLDER]: '2026-03-02T04:00:00Z',
  [COLLECTION]: '2026-03-09T03:59:00Z',
}

t.test('the requests are up to date; if not, run npm run generate', async (t) => {
  const files = await requestFiles()
  t.strictSame([...httpFiles, COLLECTION].sort(), Object.keys(files).sort())
  for (const [path, text] of Object.entries(files)) t.equal(read(path), text, path)
})

for (const [source, requests] of Object.entries(sources)) {
  t.test(`${source} has each call of the document`, async (t) => {
    const calls = [...operations.values()].map(({ method, path }) => `${method.toUpperCase()} ${path}`)
    const own = requests
      .map(({ name }) => operations.get(name))
      .map((one) => `${one?.method.toUpperCase()} ${one?.path}`)
    t.strictSame(own.concat(EXCEPTIONS).sort(), calls.sort())
  })

  t.test(`${source}: each request succeeds`, async (t) => {
    const { url, run, runJson } = await startCommandServer(t, { now: Date.parse(TIMES[source]!) })
    const { output } = await run('world env --format http-client')
    const { refresh_token } = await runJson('token 2500000101 --refresh')
    const { id: credit_id } = await runJson('lead create MLA1400000001')
    // An own listing that the marketplace ships, and one that the seller does.
    const [[printable], [own]] = [await runJson('buy MLA1400000001'), await runJson('buy MLA1400000014')]
    const [written] = await runJson('buy MLA1400000001')
    await run(`order message ${written.id} Hola`)
    const claims: Record<string, number> = {}
    for (const name of ['open_claim_id', 'return_claim_id', 'partial_claim_id']) {
      const [sale] = await runJson('buy MLA1400000001')
      claims[name] = (await runJson(`order claim ${sale.id}`)).id
    }
    const variables = {
      ...{ ...JSON.parse(output).mercadito, refresh_token, credit_id },
      ...{ printable_shipment_id: printable.shipping.id, own_shipment_id: own.shipping.id },
      ...{ pack_id: written.pack_id, new_pack_id: printable.pack_id },
      ...claims,
    }
    t.equal(variables.url, url)
    const folder = source.replace(/\/[^/]*\.json$/, '')
    const fill = (text: string) =>
      text.replace(/\{\{(.*?)\}\}/g, (_, name) => {
        if (variables[name] === undefined) throw new Error(`no variable ${name}`)
        return variables[name]
      })
    const send = async (request: Request) => {
      const headers = Object.entries(request.headers).map(([key, value]): [string, string] => [key, fill(value)])
      const body = bodyOf(request, folder, fill)
      const answer = await fetch(fill(request.url), { method: request.method, headers, ...(body && { body }) })
      return { answer, text: await answer.text() }
    }
    for (const [variable, { request, path }] of Object.entries(ANSWERED)) {
      const { text } = await send(requests.find(({ name }) => name === request)!)
      variables[variable] = path.reduce((value, name) => value[name], JSON.parse(text))
    }
    const failed: string[] = []
    for (const request of requests) {
      const { name, script } = request
      const { answer, text } = await send(request)
      const { responses } = operations.get(name)!
      if (!answer.ok || !responses[answer.status]) failed.push(`${name}: ${answer.status} ${text}`)
      const results = script === undefined ? [['none']] : runScript(script, { status: answer.status, text })
      if (results.length === 0) failed.push(`${name}: has no tests`)
      for (const [test, error] of results) if (error !== undefined) failed.push(`${name}: ${test}: ${error}`)
    }
    t.strictSame(failed, [])
  })
}

t.test('the test scripts notice another status and other members', async (t) => {
  const requests = parseCollection(JSON.parse(read(COLLECTION)))
  const failures = (name: string, status: number, text: string) =>
    runScript(requests.find((one) => one.name === name)!.script!, { status, text }).flatMap(([test, error]) =>
      error ? [`${test}: ${error}`] : [],
    )
  const { decimal_places, ...incomplete } = { id: 'ARS', description: 'Peso argentino', symbol: '$', decimal_places: 2 }
  const currency = { ...incomplete, decimal_places }
  const rows: [name: string, status: number, text: string, expected: string[]][] = [
    ['Read one currency', 200, JSON.stringify(currency), []],
    ['Read one currency', 201, JSON.stringify(currency), ['status 200: Error: 201 is not 200']],
    [
      'Read one currency',
      200,
      JSON.stringify(incomplete),
      ["members: Error: data must have required property 'decimal_places'"],
    ],
    [
      'Read one currency',
      200,
      JSON.stringify({ ...currency, more: 1 }),
      ['members: Error: data must NOT have additional properties'],
    ],
    ['Read one currency', 200, JSON.stringify({ ...currency, id: 1 }), ['members: Error: data/id must be string']],
    ['List the currencies', 200, JSON.stringify([currency]), []],
    [
      'List the currencies',
      200,
      JSON.stringify([incomplete]),
      ["members: Error: data/0 must have required property 'decimal_places'"],
    ],
    ['Offer a listing with Flex', 204, '{}', ['no body: Error: {} is not ']],
  ]
  for (const [name, status, text, expected] of rows) t.strictSame(failures(name, status, text), expected, name)
})
