import type { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { yieldToEventLoop } from '../../../db/engine.ts'
import type { World } from '../../../db/world.ts'
import { parseJson } from '../../../http/bodies.ts'
import type { AnsweredError } from '../../../http/errors/answered_error.ts'
import { badRequest, notFound } from '../../../http/errors/control_errors.ts'
import { stateOf } from '../../../http/request_state.ts'
import { StrictBody } from '../../shared/control_schemas.ts'
import { utcMillis } from '../../shared/instants.ts'
import { PastInstant } from '../../shared/past_instants.ts'
import { errorResponses, Id, Instant, Integer, ItemId, Nullable, OneOf, ResponseObject } from '../../shared/schemas.ts'
import { recordContacts } from '../operations.ts'
import { config } from '../schemas.ts'
import { CONTACT_KIND_BY_NAME, CONTACT_KIND_NAMES, type ContactKindName } from '../tables.ts'
import {
  CONTACTS_PER_YIELD,
  type CountedContact,
  createContactReader,
  InvalidContact,
  MAX_COUNT,
} from './contact_body.ts'
import { CHUNK_CONTACTS, importLines, MAX_LINE_BYTES } from './import.ts'
import series from './series.ts'

/** Limit of an array of contacts. */
const MAX_ELEMENTS = 10_000
const NDJSON = 'application/x-ndjson'
const NDJSON_PATTERN = /^\s*application\/(x-)?ndjson\s*(;|$)/i

const Kind = OneOf(Object.keys(CONTACT_KIND_BY_NAME) as ContactKindName[], {
  description: 'Kind of the contact; `question` counts a question without a text',
  examples: ['phone_view'],
})
const Buyer = Nullable(Id('User identifier', 2500000111), { description: 'The buyer; null for a guest' })
const Count = Integer(1, MAX_COUNT, 'Number of contacts at that instant', { examples: [1] })
const SAMPLE = { kind: 'phone_view', item_id: 'MLA1400000001', at: '2026-03-02T12:00:00.000Z' }
const NewContact = StrictBody(
  {
    kind: Kind,
    item_id: ItemId,
    at: Type.Optional(PastInstant('Time; default: now')),
    buyer_id: Type.Optional(Buyer),
    count: Type.Optional(Count),
  },
  { title: 'NewContact', description: 'A contact of a buyer', examples: [SAMPLE] },
)
export const RecordedContact = ResponseObject(
  {
    kind: Kind,
    item_id: ItemId,
    seller_id: Id('Seller of the listing', 2500000101),
    buyer_id: Buyer,
    at: Instant('Time, UTC', '2026-03-02T12:00:00.000Z'),
    count: Count,
  },
  { title: 'RecordedContact', description: 'A recorded contact' },
)
const ImportedContacts = ResponseObject(
  { imported: Type.Integer({ description: 'Number of recorded contacts', examples: [3] }) },
  { title: 'ImportedContacts', description: 'Recorded contacts' },
)

const contacts: FastifyPluginAsyncTypebox = async (app) => {
  // The body is streamed as fast as it is written: it has no size limit.
  app.addContentTypeParser(NDJSON, (_request, payload, result) => result(null, payload))

  await series(app, {})
  app.post(
    '/contacts',
    {
      config: { ...config, upload: true },
      onRequest({ raw }, _reply, done) {
        if (NDJSON_PATTERN.test(stateOf(raw).contentType ?? '')) raw.headers['content-type'] = NDJSON
        done()
      },
      schema: {
        summary: 'Record phone views, messaging clicks, questions and visits',
        description: `The body is one contact; an array of at most ${MAX_ELEMENTS} contacts, with counts of at most ${MAX_COUNT} in total, recorded completely or not at all; or, as \`${NDJSON}\`, any number of lines with one contact each, of at most ${MAX_LINE_BYTES} bytes. Lines are recorded in chunks of about ${CHUNK_CONTACTS} contacts, each completely or not at all. An invalid line stops the import: \`message\` names the error, and \`cause\` has the number of the line (\`line\`) and the numbers of recorded contacts (\`imported\`) and lines (\`imported_lines\`). An import is fastest in the order of time. The status of the listing does not matter. The statistics show contacts at once; no topic notifies of them.`,
        body: {
          'x-read': 'route',
          content: {
            'application/json': {
              schema: { anyOf: [NewContact, Type.Array(NewContact, { maxItems: MAX_ELEMENTS })], 'x-read': 'route' },
            },
            [NDJSON]: {
              schema: {
                type: 'string',
                description: 'One contact per line',
                examples: [`${JSON.stringify(SAMPLE)}\n`],
                'x-read': 'route',
              },
            },
          },
        },
        response: {
          201: Type.Union([RecordedContact, ImportedContacts], {
            description: 'The contact, or the number of contacts',
          }),
          ...errorResponses(400, 404),
        },
      },
    },
    async ({ world, raw, body }, reply) => {
      if (raw.headers['content-type'] === NDJSON) {
        const done = await importLines(world, body as Readable)
        if (!('cause' in done)) return reply.code(201).send(done)
        // An unread body would keep the connection open, and the server from closing.
        raw.resume()
        return reply.code(400).send(done)
      }
      const { value } = parseJson(body)
      if (value === undefined) throw badRequest('body: must be JSON')
      return reply.code(201).send(Array.isArray(value) ? await recordMany(world, value) : await recordOne(world, value))
    },
  )
}
export default contacts

async function recordOne(world: World, value: unknown) {
  const contact = await readContact(createContactReader(world), value, '')
  await world.tx((q) => recordContacts(q, world, [contact]))
  const { kind, item_id, user_id: seller_id, buyer_id, at, count } = contact
  return { kind: CONTACT_KIND_NAMES[kind], item_id, seller_id, buyer_id, at: utcMillis(at), count }
}

async function recordMany(world: World, values: unknown[]) {
  if (values.length > MAX_ELEMENTS) throw badRequest(`body: must have at most ${MAX_ELEMENTS} elements; use ${NDJSON}`)
  const reader = createContactReader(world)
  const contacts: CountedContact[] = []
  let imported = 0
  for (const [n, value] of values.entries()) {
    contacts.push(await readContact(reader, value, `[${n}]`))
    imported += contacts[n]!.count
    if (imported > MAX_COUNT) throw badRequest(`count: must add up to at most ${MAX_COUNT}; use ${NDJSON}`)
    if (n % CONTACTS_PER_YIELD === CONTACTS_PER_YIELD - 1) await yieldToEventLoop()
  }
  await world.tx((q) => recordContacts(q, world, contacts))
  return { imported }
}

async function readContact(
  reader: ReturnType<typeof createContactReader>,
  value: unknown,
  pathPrefix: string,
): Promise<CountedContact> {
  try {
    return await reader(value)
  } catch (error) {
    throw error instanceof InvalidContact ? toApiError(error, pathPrefix) : error
  }
}

/** The error of an invalid contact, with its place in an array. */
function toApiError({ member, message, isNotFound }: InvalidContact, pathPrefix: string): AnsweredError {
  if (isNotFound) return notFound(pathPrefix === '' ? message : `${pathPrefix}: ${message}`)
  if (member === undefined) return badRequest(`${pathPrefix || 'body'}: ${message}`)
  return badRequest(`${pathPrefix === '' ? '' : `${pathPrefix}.`}${member}: ${message}`)
}
