import type { InjectOptions } from 'fastify'
import t from 'tap'
import { at } from '../../tools/root.ts'
import { type Answer, bearer, start } from '../support/app.ts'
import {
  type Call,
  callsOf,
  EXCEPTIONS,
  FILLED,
  type OpenApi,
  prepareSales,
  prepareWorld,
  readDocument,
} from '../support/docs_calls.ts'

// What the forms of /docs begin with, from the page's own modules; `npm run browser -- docs` sends some in a browser.

const { prepareDocument, withoutReferences } = await import(at('web/docs/document.js'))
const { readControlValues, readLiveValues } = await import(at('web/docs/live_values.js'))
const seller = await import(at('web/docs/seller_examples.js'))
const control = await import(at('web/docs/control_examples.js'))

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  example?: unknown
}

interface Operation {
  parameters: Parameter[]
  requestBody?: { content: Record<string, { example?: Record<string, unknown> }> }
}

interface Form {
  operation: Operation
  token: string
  hasForm: boolean
}

const app = await start(t)

/** Of a body of `POST /oauth/token`. */
async function withNewToken(body: Record<string, unknown>): Promise<Record<string, unknown>> {
  if (body.refresh_token !== seller.NEW_REFRESH_TOKEN) return body
  const created = await app.control('POST /tokens', { user_id: app.sellers[0]!.id, refresh: true })
  return { ...body, refresh_token: created.body.refresh_token }
}

async function readValues(isControl: boolean) {
  const read = async (address: string) => (await app.control(`GET ${address}`)).body
  return { ...(await readLiveValues(read, 1)), ...(isControl && (await readControlValues(read))) }
}
type Values = Awaited<ReturnType<typeof readValues>>

/** The form of a call, with values of the world as it is now. */
function readForm(source: OpenApi, { name, path, method }: Call, values: Values, isControl: boolean): Form {
  const examples = isControl ? control.CONTROL_EXAMPLES : seller.SELLER_EXAMPLES
  const exceptions = isControl ? control.CONTROL_EXCEPTIONS : seller.SELLER_EXCEPTIONS
  const exampleOf = (call: string) => examples[call]?.(values) ?? {}
  const valuesByName = isControl ? control.controlValues(values) : seller.sellerValues(values)
  const ofCall = { ...source, paths: { [path]: source.paths[path] } }
  const { paths } = prepareDocument(ofCall, { server: '', valuesByName, exampleOf, exceptions })
  return {
    operation: paths[path][method.toLowerCase()],
    token: (exampleOf(name).caller ?? values.seller).token,
    hasForm: exceptions[name] === undefined,
  }
}

/** Sends what a form begins with. */
async function send({ path, method }: Call, { operation, token }: Form, isControl: boolean): Promise<Answer> {
  const values = (place: Parameter['in']) =>
    operation.parameters.flatMap((one) => (one.in === place && one.example !== undefined ? [one] : []))
  const url = values('path').reduce((filled, { name, example }) => filled.replace(`{${name}}`, `${example}`), path)
  const query = new URLSearchParams()
  for (const { name, example } of values('query')) query.append(name, `${example}`)
  const headers: Record<string, string> = isControl ? {} : bearer(token)
  for (const { name, example } of values('header')) headers[name] = `${example}`
  const request: InjectOptions = { method: method as 'GET', url: `${url}?${query}`, headers }
  for (const [type, { example = {} }] of Object.entries(operation.requestBody?.content ?? {})) {
    const body = await withNewToken(example)
    headers['content-type'] = type
    request.payload = type.includes('json')
      ? JSON.stringify(body)
      : `${new URLSearchParams(body as Record<string, string>)}`
  }
  return app.call(request)
}

const controlWith = (call: string, body?: unknown, headers = {}): Promise<Answer> => {
  const [method, path] = call.split(' ') as ['GET', string]
  return app.call({ method, url: `/_sandbox${path}`, headers, ...(body !== undefined && { payload: body as object }) })
}

for (const isControl of [false, true])
  t.test(`the forms of ${isControl ? 'the control plane' : 'the API'} begin with calls that succeed`, async (t) => {
    const prepare = isControl ? prepareWorld : prepareSales
    await prepare(async (call, body, headers) => (await controlWith(call, body, headers)).body)
    const document = readDocument(isControl)
    const source = withoutReferences(document)
    const wrong: string[] = []
    // Writes make some values obsolete: a call that fails is sent again with those that are there now.
    let values = await readValues(isControl)
    for (const call of callsOf(document)) {
      let form = readForm(source, call, values, isControl)
      const { parameters } = form.operation
      const reason = EXCEPTIONS[call.name]
      if (form.hasForm === (reason === 'has no form')) wrong.push(`${call.name} has a form unless it is an exception`)
      const optional = parameters.filter(({ required, example }) => !required && example !== undefined)
      if (optional.length > 0 && !FILLED.has(call.name)) wrong.push(`${call.name} begins with optional fields`)
      if (parameters.some(({ name }) => name === 'callback')) wrong.push(`${call.name} offers callback`)
      if (reason !== undefined) continue
      let answer = await send(call, form, isControl)
      if (answer.status >= 400) {
        values = await readValues(isControl)
        form = readForm(source, call, values, isControl)
        answer = await send(call, form, isControl)
      }
      if (answer.status >= 400) wrong.push(`${call.name}: ${answer.status} ${answer.text}`)
    }
    t.strictSame(wrong, [])
  })
