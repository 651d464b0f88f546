import { Type } from '@sinclair/typebox'
import { type Q, yieldToEventLoop } from '../../db/engine.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import { StrictBody } from '../shared/control_schemas.ts'
import { utcMillis } from '../shared/instants.ts'
import { Instant, OneOf } from '../shared/schemas.ts'
import { Int, ItemRef } from '../shared/world_file/fields.ts'
import { type ExportContext, type WorldFileSection, worldFileList } from '../world_file.ts'
import { createContactWriter } from './operations.ts'
import {
  CONTACT_KIND_BY_NAME,
  CONTACT_KIND_NAMES,
  CONTACT_KINDS,
  type ContactKind,
  type ContactKindName,
} from './tables.ts'
import { contactsOf, firstContactAt, questionTimesOf, type Series, sellersWithContacts } from './world_file_queries.ts'

/** Instants of one element. */
const MAX_INSTANTS = 10_000
/** Contacts of one file, each instant counted. */
const MAX_CONTACTS = 20_000_000

const FileContacts = StrictBody(
  {
    kind: OneOf(Object.keys(CONTACT_KIND_BY_NAME) as ContactKindName[], {
      description:
        'Kind of the contacts. Questions of the file are counted automatically and must not be repeated here',
      examples: ['phone_view'],
    }),
    item_id: ItemRef,
    at: Type.Array(Instant('Instant', '2026-03-02T12:00:00.000Z'), {
      minItems: 1,
      maxItems: MAX_INSTANTS,
      description: 'Instants of the contacts',
      'x-message': `must be an array of 1 to ${MAX_INSTANTS} ISO 8601 date-times`,
    }),
    buyer_ids: Type.Optional(
      Type.Array(
        Type.Unsafe<number | string | null>({
          type: ['integer', 'string', 'null'],
          'x-message': 'must be the id or the nickname of a user of the file, or null',
        }),
        {
          maxItems: MAX_INSTANTS,
          description: 'Buyers, one for each instant; null for a guest. Default: guests',
          'x-message': 'must be an array with one user, or null, for each instant',
        },
      ),
    ),
    count: Type.Optional(Int('Number of contacts at each instant', 1, 100_000, { default: 1 })),
  },
  { title: 'FileContacts', description: 'Contacts of one kind with one listing' },
)

const contacts = worldFileList({
  description: 'Phone views, clicks on the messaging button, and visits',
  element: FileContacts,
  maxElements: 10_000_000,
  async import(context, list) {
    const { users, items } = context
    const contacts = createContactWriter(context.q, context)
    let total = 0
    await list.each(async ({ kind, item_id, at, buyer_ids, count = 1 }, place) => {
      const { seller_id: user_id } = items.resolve(place, item_id)
      if (buyer_ids && buyer_ids.length !== at.length)
        throw badRequest(`${place}.buyer_ids: must be an array with one user, or null, for each instant`)
      total += at.length * count
      if (total > MAX_CONTACTS) throw badRequest(`${place}: a world may have at most ${MAX_CONTACTS} contacts`)
      for (const [n, text] of at.entries()) {
        const buyer = buyer_ids?.[n] ?? null
        const buyer_id = buyer === null ? null : users.resolve(`${place}.buyer_ids[${n}]`, buyer)
        const instant = context.instantOf(`${place}.at[${n}]`, text)
        await contacts.add({ kind: CONTACT_KIND_BY_NAME[kind], item_id, user_id, buyer_id, at: instant }, count)
      }
    })
    await contacts.flush()
  },
  async *export(context) {
    for (const { user_id } of await sellersWithContacts(context.q))
      for (const kind of CONTACT_KINDS) yield* exportSeries(context, { user_id, kind })
  },
})

const WEEK_MS = 7 * 24 * 3_600_000

/** By week and listing, so that no more than a week of a seller is in memory. */
async function* exportSeries(context: ExportContext, series: Series & { kind: ContactKind }) {
  const { q, origin } = context
  const kind = CONTACT_KIND_NAMES[series.kind]
  let first = await firstContactAt(q, series, -Number.MAX_SAFE_INTEGER)
  while (first !== undefined) {
    const from = Math.floor(first / WEEK_MS) * WEEK_MS
    const byItem = await contactsByItem(context, series, from)
    for (const item_id of [...byItem.keys()].sort())
      yield splitIntoElements(byItem.get(item_id)!).map((contacts) => ({
        kind,
        item_id,
        at: contacts.map(([at]) => utcMillis(at + origin)),
        ...(contacts.some(([, buyer]) => buyer !== null) && { buyer_ids: contacts.map(([, buyer]) => buyer) }),
      }))
    first = await firstContactAt(q, series, from + WEEK_MS)
  }
}

type ContactOfItem = [at: number, buyer: number | null]

/** Contacts of a week by listing, without those that an import creates from the file's questions. */
async function contactsByItem({ q, origin }: ExportContext, series: Series, from: number) {
  const to = from + WEEK_MS
  const questionCounts =
    series.kind === 'questions' ? await countQuestions(q, series.user_id, from + origin, to + origin) : new Map()
  const byItem = new Map<string, ContactOfItem[]>()
  for await (const rows of contactsOf(q, series, from, to)) {
    for (const { at, item_id, buyer_id } of rows) {
      const key = `${item_id} ${at + origin} ${buyer_id}`
      const remaining = questionCounts.get(key) ?? 0
      if (remaining > 0) questionCounts.set(key, remaining - 1)
      else if (byItem.has(item_id)) byItem.get(item_id)!.push([at, buyer_id])
      else byItem.set(item_id, [[at, buyer_id]])
    }
    await yieldToEventLoop()
  }
  return byItem
}

/** Questions to a seller by listing, instant and buyer. */
async function countQuestions(q: Q, seller_id: number, from: number, to: number): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for await (const rows of questionTimesOf(q, seller_id, from, to))
    for (const { item_id, date_created, buyer_id } of rows) {
      const key = `${item_id} ${date_created} ${buyer_id}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  return counts
}

/** Sorts contacts by time and buyer, and splits them into parts that one element may have. */
function splitIntoElements(contacts: ContactOfItem[]): ContactOfItem[][] {
  contacts.sort(([a, one], [b, other]) => a - b || (one ?? -1) - (other ?? -1))
  return Array.from({ length: Math.ceil(contacts.length / MAX_INSTANTS) }, (_, n) =>
    contacts.slice(n * MAX_INSTANTS, (n + 1) * MAX_INSTANTS),
  )
}

export const worldFile: WorldFileSection = {
  after: ['users', 'items', 'questions'],
  lists: { contacts },
  tables: { contact_event: 'exported', contact_item_hour: 'derived', contact_user_hour: 'derived' },
}
