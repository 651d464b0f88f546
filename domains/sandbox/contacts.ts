import type { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { yieldToEventLoop } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import { parseJson } from '../../plugins/bodies.ts'
import { badRequest, notFound, type ApiError } from '../../plugins/errors.ts'
import { recordContacts } from '../contacts/operations.ts'
import { ResponseObject, errorResponses, Id, Instant, ItemId, Nullable, OneOf } from '../shared/atoms.ts'
import { utcMillis } from '../shared/instants.ts'
import { BadContact, type Counted, contactReader, KINDS, type KindName, MOST_AT_ONCE, SLICE } from './contact_bodies.ts'
import { CHUNK, importLines, LONGEST_LINE } from './imports.ts'
import { Past } from './past.ts'
import { body, Sandbox } from './shapes.ts'

/** Elements of an array. */
const MOST = 10_000
const NDJSON = 'application/x-ndjson'
const IS_NDJSON = /^\s*application\/(x-)?ndjson\s*(;|$)/i

const Kind = OneOf(Object.keys(KINDS) as KindName[], {
  description: 'What the buyer did; `question` counts one without a text',
  examples: ['phone_view'],
})
const Buyer = Nullable(Id('User identifier', 2500000111), { description: 'Who it was; null for a guest' })
const Count = Type.Integer({ minimum: 1, maximum: MOST_AT_ONCE, description: 'So many at that instant', examples: [1] })
const SAMPLE = { kind: 'phone_view', item_id: 'MLA1400000001', at: '2026-03-02T12:00:00.000Z' }
const Asked = body(
  {
    kind: Kind,
    item_id: ItemId,
    at: Type.Optional(Past('When; default now')),
    buyer_id: Type.Optional(Buyer),
    count: Type.Optional(Count),
  },
  { title: 'NewContact', description: 'What a buyer did', examples: [SAMPLE] },
)
const Recorded = ResponseObject(
  {
    kind: Kind,
    item_id: ItemId,
    seller_id: Id('Whose listing it is', 2500000101),
    buyer_id: Buyer,
    at: Instant('When, UTC', '2026-03-02T12:00:00.000Z'),
    count: Count,
  },
  { title: 'RecordedContact', description: 'What was recorded' },
)
const Imported = ResponseObject(
  { imported: Type.Integer({ description: 'How many contacts, each as often as its count', examples: [3] }) },
  { title: 'ImportedContacts', description: 'Contacts that were recorded' },
)

const contacts: FastifyPluginAsyncTypebox = async (app) => {
  // Read as it comes in, and as fast as it can be written: such a body has no limit.
  app.addContentTypeParser(NDJSON, (_request, payload, done) => done(null, payload))

  app.post(
    '/contacts',
    {
      config: { ...Sandbox.contacts, upload: true },
      onRequest({ raw }, _reply, done) {
        if (IS_NDJSON.test(raw.contentType ?? '')) raw.headers['content-type'] = NDJSON
        done()
      },
      schema: {
        summary: 'Record phone views, messaging clicks and questions',
        description: `One; an array of at most ${MOST} with counts of at most ${MOST_AT_ONCE} in all, all or nothing; or, as \`${NDJSON}\`, one a line (at most ${LONGEST_LINE} bytes), as many as you like. Lines are recorded in chunks of about ${CHUNK} contacts, each all or nothing: one that is wrong stops the import, \`message\` names it, and \`cause\` has its number (\`line\`) and what stays: \`imported\` contacts of \`imported_lines\` lines. Quickest in the order of time. A listing’s status does not matter. They show in the statistics at once; there is no topic that tells of contacts.`,
        body: {
          'x-read': 'route',
          content: {
            'application/json': {
              schema: { anyOf: [Asked, Type.Array(Asked, { maxItems: MOST })], 'x-read': 'route' },
            },
            [NDJSON]: {
              schema: {
                type: 'string',
                description: 'One contact a line',
                examples: [`${JSON.stringify(SAMPLE)}\n`],
                'x-read': 'route',
              },
            },
          },
        },
        response: {
          201: Type.Union([Recorded, Imported], { description: 'The contact; or how many it were' }),
          ...errorResponses(400, 404),
        },
      },
    },
    async ({ world, raw, body }, reply) => {
      if (raw.headers['content-type'] === NDJSON) {
        const done = await importLines(world, body as Readable)
        if (!('cause' in done)) return reply.code(201).send(done)
        // What nobody reads would keep the connection open, and the server from ending.
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
  const contact = await read(contactReader(world), value, '')
  await world.tx((q) => recordContacts(q, world, [contact]))
  const { kind, item_id, user_id: seller_id, buyer_id, at, count } = contact
  return { kind: nameOf[kind], item_id, seller_id, buyer_id, at: utcMillis(at), count }
}
const nameOf = Object.fromEntries(Object.entries(KINDS).map(([name, kind]) => [kind, name])) as Record<
  Counted['kind'],
  KindName
>

async function recordMany(world: World, values: unknown[]) {
  if (values.length > MOST) throw badRequest(`body: must have at most ${MOST} elements; use ${NDJSON}`)
  const reader = contactReader(world)
  const contacts: Counted[] = []
  let imported = 0
  for (const [n, value] of values.entries()) {
    contacts.push(await read(reader, value, `[${n}]`))
    imported += contacts[n]!.count
    if (imported > MOST_AT_ONCE) throw badRequest(`count: may add up to ${MOST_AT_ONCE}; use ${NDJSON}`)
    if (n % SLICE === SLICE - 1) await yieldToEventLoop()
  }
  await world.tx((q) => recordContacts(q, world, contacts))
  return { imported }
}

async function read(reader: ReturnType<typeof contactReader>, value: unknown, where: string): Promise<Counted> {
  try {
    return await reader(value)
  } catch (error) {
    throw error instanceof BadContact ? told(error, where) : error
  }
}

/** In the words that a body of one contact is refused with, and where in an array it stands. */
function told({ member, message, absent }: BadContact, where: string): ApiError {
  if (absent) return notFound(where === '' ? message : `${where}: ${message}`)
  if (member === undefined) return badRequest(`${where || 'body'}: ${message}`)
  return badRequest(`${where === '' ? '' : `${where}.`}${member}: ${message}`)
}
