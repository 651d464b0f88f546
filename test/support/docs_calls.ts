import { readFileSync } from 'node:fs'
import { at } from '../../tools/root.ts'

// The calls of the two pages of /docs, as tests send them: through the page's own modules, or by its forms.

export interface Call {
  /** Such as `GET /items/{item_id}`. */
  name: string
  path: string
  method: string
  tag: string
}

/** Calls that cannot succeed in a test. Those without a form are in the page's own lists. */
export const EXCEPTIONS: Record<string, string> = {
  'POST /authorization': 'has no form',
  'GET /sites/{site_id}/search': 'has no form',
  'DELETE /users/{user_id}/applications/{application_id}': 'ends the token of the calls after it',
  'POST /pictures/items/upload': 'needs a file, which a person chooses',
  'POST /messages/attachments': 'needs a file, which a person chooses',
  'POST /packs/{pack_id}/fiscal_documents': 'needs a file, which a person chooses',
  'GET /messages/attachments/{attachment_id}': 'needs a file that was uploaded',
  'GET /_sandbox/events': 'has no form',
  'GET /_sandbox/recording': 'has no form',
  'GET /_sandbox/world': 'has no form',
  'POST /_sandbox/backup': 'writes to a folder that only the operator can choose',
}

/** Calls with optional fields that are filled in, because they need them. */
export const FILLED = new Set([
  'GET /authorization',
  'GET /orders/search',
  'GET /products/search',
  'GET /items/{item_id}/shipping_options',
  'GET /users/{user_id}/shipping_options/free',
  'POST /messages/attachments',
  'GET /post-purchase/v1/claims/search',
  'GET /_sandbox/contacts/series',
])

/** When a call is sent: deletions after those that need the same data, then what deletes or replaces all of it. */
const RANKS: Record<string, number> = {
  'POST /_sandbox/snapshots/{name}/restore': 2,
  'DELETE /_sandbox/snapshots/{name}': 3,
  'DELETE /_sandbox/faults': 3,
  'DELETE /_sandbox/stubs': 3,
  'POST /_sandbox/undo': 2,
  'POST /_sandbox/reset': 4,
  'PUT /_sandbox/world': 5,
}
export const rankOf = ({ name, method }: Call): number => RANKS[name] ?? (method === 'DELETE' ? 1 : 0)

/** A document of the repository. */
export const readDocument = (isControl: boolean): OpenApi =>
  JSON.parse(readFileSync(at(isControl ? 'openapi.sandbox.json' : 'openapi.json'), 'utf8'))

export interface OpenApi {
  paths: Record<string, Record<string, { tags: string[]; responses: object }>>
}

/** Those that anyone can succeed with, by rank, then in the order of the document. */
export const callsOf = ({ paths }: OpenApi): Call[] =>
  Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { responses }]) => Object.keys(responses).some((status) => status < '4'))
        .map(([method, { tags }]) => ({
          name: `${method.toUpperCase()} ${path}`,
          ...{ path, method: method.toUpperCase(), tag: tags[0]! },
        })),
    )
    .sort((a, b) => rankOf(a) - rankOf(b))

// biome-ignore lint/suspicious/noExplicitAny: of answers, some members are read
type SendControl = (call: string, body?: unknown, headers?: Record<string, string>) => Promise<any>

/** What the forms of the API need: parcels that the seller brings, and a claim for each way in which one ends. */
export async function prepareSales(send: SendControl): Promise<void> {
  await send('PATCH /items/MLA1400000014', { available_quantity: 2 })
  for (let n = 0; n < 2; n++) await send('POST /orders', { item_id: 'MLA1400000014' })
  const { order } = await send('POST /orders', { item_id: 'MLA1400000001' })
  await send('POST /claims', { order_id: order.id })
}

/** What the forms of the control plane need: notifications that can be held, released, dropped and sent again, and an undo. */
export async function prepareWorld(send: SendControl): Promise<void> {
  const question = { item_id: 'MLA1400000001', text: '¿Hay stock?' }
  const { application } = await send('GET /worlds/1')
  // Nothing listens there, so that attempts fail and are due again later.
  await send(`PUT /applications/${application.id}/notifications`, { callback_url: 'http://127.0.0.1:9/hook' })
  for (let n = 0; n < 4; n++) await send('POST /questions', question)
  const { results } = await send('GET /deliveries?status=pending')
  await send(`POST /deliveries/${results[0].id}/hold`)
  await send(`POST /deliveries/${results[1].id}/drop`)
  await send('POST /questions', question, { 'x-sandbox-snapshot': 'ask' })
}
