import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
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
  item?: Item[]
  request: {
    method: string
    url: { raw: string; host: string[]; path: string[]; query?: { key: string; value: string; disabled?: boolean }[] }
    header?: { key: string; value: string }[]
    body?: { raw: string }
    auth?: { type: string; bearer?: { value: string }[] }
  }
}

/** Builds the address from its parts, as Postman does. */
function parseCollection({ item, auth }: { item: Item[]; auth: Item['request']['auth'] }): Request[] {
  const leaves = item.flatMap((folder) => folder.item!)
  return leaves.map(({ name, request }) => {
    const { host, path, query = [], raw } = request.url
    const enabled = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`)
    const url = `${host.join('.')}/${path.join('/')}${enabled.length > 0 ? `?${enabled.join('&')}` : ''}`
    if (url !== raw) throw new Error(`${raw} is not ${url}`)
    const { type, bearer } = request.auth ?? auth!
    const headers = (request.header ?? []).map(({ key, value }) => [key, value])
    if (type === 'bearer') headers.push(['Authorization', `Bearer ${bearer![0]!.value}`])
    return { name, method: request.method, url, headers: Object.fromEntries(headers), body: request.body?.raw }
  })
}

interface Operation {
  summary: string
  responses: Record<string, unknown>
}
const { paths } = JSON.parse(read('openapi.json')) as { paths: Record<string, Record<string, Operation>> }
const operations = new Map(
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [operation.summary, { ...operation, method, path }]),
  ),
)
/** Not for HTTP clients: the form of a page, the document itself, a search that is closed, and the end of the token. */
const EXCEPTIONS = [
  'POST /authorization',
  'GET /openapi.json',
  'GET /sites/{site_id}/search',
  'DELETE /users/{user_id}/applications/{application_id}',
]

const httpFiles = globSync(`${HTTP_FOLDER}/*.http`, { cwd: root }).sort()
const sources: Record<string, Request[]> = {
  [HTTP_FOLDER]: httpFiles.flatMap((path) => parseHttpFile(read(path))),
  [COLLECTION]: parseCollection(JSON.parse(read(COLLECTION))),
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

  // The history of the demo world is another at each hour of the week.
  for (const now of ['2026-03-02T04:00:00Z', '2026-03-05T19:30:00Z', '2026-03-09T03:59:00Z'])
    t.test(`${source}: each request succeeds at ${now}`, async (t) => {
      const { url, run, runJson } = await startCommandServer(t, { now: Date.parse(now) })
      const { output } = await run('world env --format http-client')
      const { refresh_token } = await runJson('token 2500000101 --refresh')
      const { id: credit_id } = await runJson('lead create MLA1400000001')
      const variables = { ...JSON.parse(output).mercadito, refresh_token, credit_id }
      t.equal(variables.url, url)
      const fill = (text: string) =>
        text.replace(/\{\{(.*?)\}\}/g, (_, name) => {
          if (variables[name] === undefined) throw new Error(`no variable ${name}`)
          return variables[name]
        })
      for (const { name, method, url, headers, body } of requests) {
        const filled = Object.entries(headers).map(([key, value]): [string, string] => [key, fill(value)])
        const answer = await fetch(fill(url), { method, headers: filled, ...(body && { body: fill(body) }) })
        const text = await answer.text()
        const { responses } = operations.get(name)!
        t.ok(answer.ok && responses[answer.status], `${name}: ${answer.status} ${answer.ok ? '' : text}`)
      }
    })
}
