import { readFileSync } from 'node:fs'
import { sandbox } from '../../lib/sandbox.ts'
import { at } from '../root.ts'

/** A call of the emulated API with values of the demo world; `{{name}}` is a variable. */
export interface ExampleCall {
  /** As in the document: `GET /items/{item_id}`. */
  call: string
  summary: string
  /** What a reader has to do before. */
  note?: string
  tag: string
  method: string
  /** Segments of the path. */
  path: string[]
  /** Required parameters have values; the others are offered with examples. */
  query: { name: string; value: string; isRequired: boolean; description?: string }[]
  /** JSON text, in which a variable may stand for a number. */
  body?: string
  /** Name of the member of a form that has a file. */
  file?: string
  /** Name of the variable with the token; undefined: the call needs none. */
  token?: 'token' | 'buyer_token'
  /** What the call answers when it succeeds: its status, and its shape if it is JSON; null if it is empty. */
  answer: { status: number; shape?: Shape | null }
}

/** The part of a JSON Schema that says which members a value has. */
interface Shape {
  type?: string | string[]
  enum?: unknown[]
  properties?: Record<string, Shape>
  required?: string[]
  additionalProperties?: boolean | Shape
  items?: Shape
  anyOf?: Shape[]
}

/** The file that requests send; it is in their folders. */
export const PICTURE = 'picture.png'

/** They are not emulated. */
const WITHOUT_STATE = 'Answers without state'

/** Not made with an HTTP client, closed by default, or the end of the token that the others need. */
const EXCEPTIONS = new Set([
  'POST /authorization',
  'GET /openapi.json',
  'GET /sites/{site_id}/search',
  'DELETE /users/{user_id}/applications/{application_id}',
])
const NOTES: Record<string, string> = {
  'PUT /flex/sites/{site_id}/users/{user_id}/services/{service_id}/configurations/holidays/v1':
    'date: a holiday that the GET of this path lists.',
  'POST /oauth/token': 'refresh_token: as `mercadito token 2500000101 --refresh --json` prints it.',
  'GET /vis/loans/{credit_id}': 'credit_id: the id that `mercadito lead create MLA1400000001` prints.',
  'POST /items/{item_id}/description': 'new_item_id: the id that the request that creates a listing answers.',
  'PUT /orders/{order_id}/notes/{note_id}': 'note_id: the id that the request that writes a note answers.',
  'DELETE /orders/{order_id}/notes/{note_id}': 'note_id: as above. The note is gone after it.',
  'GET /shipment_labels': 'printable_shipment_id: the id of the shipment that `mercadito buy MLA1400000001` prints.',
  'POST /shipments/{shipment_id}/seller_notifications':
    'own_shipment_id: the id of the shipment that `mercadito buy MLA1400000014` prints.',
  'POST /messages/packs/{pack_id}/sellers/{seller_id}':
    'pack_id: the pack of a sale that `mercadito buy MLA1400000001` prints, after `mercadito order message ORDER Hola`.',
  'GET /messages/{message_id}': 'message_id: the id that the request that writes to the buyer answers.',
  'GET /messages/attachments/{attachment_id}': 'attachment_id: the id that the request that uploads a file answers.',
  ...Object.fromEntries(
    ['packs/{pack_id}', 'packs/{pack_id}/caps_available'].map((path) => [
      `GET /messages/action_guide/${path}`,
      'new_pack_id: the pack of a sale that `mercadito buy MLA1400000001` prints.',
    ]),
  ),
  'POST /messages/action_guide/packs/{pack_id}/option': 'new_pack_id: as above.',
  'POST /post-purchase/v1/claims/{claim_id}/actions/send-message':
    'open_claim_id: the id that `mercadito order claim ORDER` prints, of a sale that `mercadito buy` prints.',
  'POST /post-purchase/v1/claims/{claim_id}/expected-resolutions/allow-return': 'return_claim_id: another one.',
  'POST /post-purchase/v1/claims/{claim_id}/expected-resolutions/partial-refund': 'partial_claim_id: another one.',
  'PUT /shipments/{shipment_id}': 'own_shipment_id: as for seller_notifications.',
  'POST /pictures/items/upload': 'picture.png: a JPG or PNG; one is in the folder of these requests.',
}

/** The scenario moves by whole weeks: what is true at the begin and at the end of a week is true at any time. */
const WEEK = ['2026-03-02T04:00:00.000Z', '2026-03-09T03:59:00.000Z'] as const

export async function exampleCalls(): Promise<ExampleCall[]> {
  const { prepareDocument, withoutReferences } = await import(at('web/docs/document.js'))
  const { SELLER_EXAMPLES, sellerValues } = await import(at('web/docs/seller_examples.js'))
  const values = await readValues()
  const source = withoutReferences(JSON.parse(readFileSync(at('openapi.json'), 'utf8')))
  const exampleOf = (call: string) => SELLER_EXAMPLES[call]?.(values) ?? {}
  const { paths }: Document = prepareDocument(source, {
    server: '',
    valuesByName: sellerValues(values),
    exampleOf,
    exceptions: {},
  })
  const calls = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const call = `${method.toUpperCase()} ${path}`
      if (EXCEPTIONS.has(call) || operation.tags[0] === WITHOUT_STATE) return []
      const needsToken = source.paths[path][method].security.length > 0
      return [toExample(call, operation, needsToken ? tokenOf(exampleOf(call).caller) : undefined)]
    }),
  )
  // A folder can be run from its first call to its last.
  return calls.sort((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'))
}

interface Document {
  paths: Record<string, Record<string, Operation>>
}
interface Operation {
  summary: string
  tags: string[]
  parameters: { name: string; in: string; required?: boolean; description?: string; example?: unknown }[]
  requestBody?: { content: Record<string, { example: unknown; schema: Shape }> }
  responses: Record<string, { content?: Record<string, { schema: Shape }> }>
}

const BUYER_TOKEN = '{{buyer_token}}'
const tokenOf = (caller?: { token: string }) => (caller?.token === BUYER_TOKEN ? 'buyer_token' : 'token')

function toExample(call: string, operation: Operation, token: ExampleCall['token']): ExampleCall {
  const { summary, tags, parameters, requestBody, responses } = operation
  const [method, template] = call.split(' ') as [string, string]
  const exampleIn = (name: string) => text(parameters.find((parameter) => parameter.name === name)?.example)
  const [[type, content] = []] = Object.entries(requestBody?.content ?? {})
  return {
    ...{ call, summary, method },
    tag: tags[0]!,
    ...(NOTES[call] && { note: NOTES[call] }),
    path: template
      .slice(1)
      .split('/')
      .map((segment) => segment.replace(/^\{(\w+)\}$/, (_, name) => exampleIn(name))),
    query: parameters
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, example, description }) => ({
        ...{ name, value: encoded(text(example)), isRequired: example !== undefined },
        ...(description && { description }),
      })),
    ...(content && type === 'multipart/form-data' && { file: Object.keys(content.schema.properties!)[0]! }),
    ...(content && type !== 'multipart/form-data' && { body: withVariables(JSON.stringify(content.example, null, 2)) }),
    ...(token && { token }),
    answer: answerOf(responses),
  }
}

/** Variables keep their braces. */
const encoded = (value: string): string => value.replace(/[^!-~]/gu, encodeURIComponent)

function answerOf(responses: Operation['responses']): ExampleCall['answer'] {
  const [status, { content }] = Object.entries(responses).find(([status]) => status < '300')!
  const schema = content?.['application/json']?.schema
  return { status: Number(status), ...(schema ? { shape: shapeOf(schema) } : !content && { shape: null }) }
}

/** Without descriptions, examples and limits. */
function shapeOf({ type, enum: values, properties, required, additionalProperties, items, anyOf }: Shape): Shape {
  return {
    ...(type && { type }),
    ...(values && { enum: values }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, shapeOf(one)])),
    }),
    ...(required && { required }),
    ...(additionalProperties === false && { additionalProperties }),
    ...(items && { items: shapeOf(items) }),
    ...(anyOf && { anyOf: anyOf.map(shapeOf) }),
  }
}

const text = (value: unknown): string => withVariables([value ?? ''].flat().join(','))

const DAYS_MS = 30 * 24 * 3_600_000
const [FROM, TO] = [new Date(Date.parse(WEEK[0]) - DAYS_MS).toISOString(), WEEK[0]].map((instant) =>
  instant.slice(0, 19),
)

/** Numbers that are variables lose their quotes. */
const withVariables = (value: string): string =>
  value
    .replaceAll(FROM!, '{{date_from}}')
    .replaceAll(TO!, '{{date_to}}')
    .replaceAll('(a new one)', '{{refresh_token}}')
    .replace(/"(\{\{\w+_id\}\})"/g, '$1')

/** What the pages of `/docs` read of a world, with variables for what `mercadito world env` prints. */
async function readValues() {
  const { readLiveValues } = await import(at('web/docs/live_values.js'))
  const [start, end] = await Promise.all(
    WEEK.map(async (now) => {
      await using s = await sandbox({ now, port: false })
      return await readLiveValues(async (path: string) => (await s.fetch(`/_sandbox${path}`)).json(), 1)
    }),
  )
  const stillOpen = new Set(end.questions.map(({ id }: { id: number }) => id))
  return {
    ...start,
    seller: { ...start.seller, id: '{{seller_id}}', token: '{{token}}' },
    buyer: { ...start.buyer, id: '{{buyer_id}}', token: BUYER_TOKEN },
    application: { ...start.application, id: '{{client_id}}', secret: '{{client_secret}}' },
    questions: start.questions.filter(({ id }: { id: number }) => stillOpen.has(id)),
    lead: { id: '{{credit_id}}' },
    // The world has no notes, and no listing without a description.
    note: { order_id: start.order.id, id: '{{note_id}}' },
    undescribed: { id: '{{new_item_id}}' },
    parcels: { ...start.parcels, printable: { id: '{{printable_shipment_id}}' }, own: { id: '{{own_shipment_id}}' } },
    message: { id: '{{message_id}}', pack_id: '{{pack_id}}', buyer_id: '{{buyer_id}}' },
    ...{ newPack: { id: '{{new_pack_id}}' }, attachment: { id: '{{attachment_id}}' } },
    claimFor: (action: string) => ({ id: `{{${/return|partial/.exec(action)?.[0] ?? 'open'}_claim_id}}` }),
    leadSeller: undefined,
  }
}
