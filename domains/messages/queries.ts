import { and, asc, desc, eq, getTableColumns, gt, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { createDatedList } from '../../db/lists.ts'
import { rowById, selectRows } from '../../db/rows.ts'
import type { Moment } from '../../db/world.ts'
import { ordersOfPurchase } from '../orders/queries.ts'
import type { OrderRow } from '../orders/tables.ts'
import { pages } from '../shared/world_file/operations.ts'
import { conversation_block, type MessageRow, message, message_attachment, type Substatus } from './tables.ts'

/** What a buyer and one of the sellers of a purchase write each other. */
export interface Conversation {
  pack_id: number
  site_id: string
  seller_id: number
  buyer_id: number
  /** Those of the seller, as they are now. */
  orders: OrderRow[]
}

/** The conversations of a pack, one for each of its sellers; none if there is no such pack. */
export async function conversationsOf(q: Q, world: Moment, pack_id: number): Promise<Conversation[]> {
  const orders = await ordersOfPurchase(q, world, pack_id)
  return [...Map.groupBy(orders, ({ seller_id }) => seller_id).values()].map((own) => {
    const { site_id, seller_id, buyer_id } = own[0]!
    return { pack_id, site_id, seller_id, buyer_id, orders: own }
  })
}

/** The conversation of a seller about a pack; undefined if the seller has no order in it. */
export const conversationOf = async (q: Q, world: Moment, { pack_id, seller_id }: Omit<Filter, 'user_id'>) =>
  (await conversationsOf(q, world, pack_id)).find((one) => one.seller_id === seller_id)

/** Held back: only the sender sees it [spec: messages.hidden]. */
export const isVisible = ({ status, from_id }: MessageRow, user_id: number): boolean =>
  status === 'available' || from_id === user_id
const visible = sql`(${message.status} = 'available' OR ${message.from_id} = ${$('user_id')})`
const inConversation = and(eq(message.pack_id, $('pack_id')), eq(message.seller_id, $('seller_id')))

export interface Filter {
  pack_id: number
  seller_id: number
  /** Who reads. */
  user_id: number
}

/** A page of the messages of a conversation that a user sees, the newest first. */
export const messagesOf = (q: Q, filter: Filter & { limit: number; offset: number }): Promise<MessageRow[]> =>
  selectMessages(q).all({ ...filter })
const selectMessages = prepared(({ db }) =>
  db
    .select()
    .from(message)
    .where(and(inConversation, visible))
    .orderBy(desc(message.date_created), desc(message.n))
    .limit($('limit'))
    .offset($('offset')),
)

/** What is known of a conversation as a whole; times in ms. */
export interface Facts {
  /** Messages that the user sees. */
  total: number
  first_id: string | null
  last_at: number | null
  /** The last message of the buyer that the seller sees. */
  buyer_at: number | null
  /** JSON: the motives with which the seller has written. */
  options: string
}
export const factsOf = async (q: Q, filter: Filter): Promise<Facts> => (await selectFacts(q).one({ ...filter }))!
const selectFacts = prepared(({ db }) =>
  db
    .select({
      total: sql<number>`count(*) FILTER (WHERE ${visible})`.as('total'),
      first_id: sql<string | null>`(SELECT f.id FROM ${message} f WHERE f.pack_id = ${$('pack_id')}
        AND f.seller_id = ${$('seller_id')} ORDER BY f.date_created, f.n LIMIT 1)`.as('first_id'),
      last_at: sql<number | null>`max(${message.date_created})`.as('last_at'),
      buyer_at: sql<number | null>`max(${message.date_created})
        FILTER (WHERE ${message.from_id} = ${message.buyer_id} AND ${message.status} = 'available')`.as('buyer_at'),
      options: sql<string>`json_group_array(${message.option_id})
        FILTER (WHERE ${message.option_id} IS NOT NULL)`.as('options'),
    })
    .from(message)
    .where(inConversation),
)

export const messageById = rowById(message)

/** How many messages of others a user has not read, in each conversation; the newest first, at most 500. */
export const unreadOf = (
  q: Q,
  role: 'seller' | 'buyer',
  filter: { user_id: number; pack_id?: number; seller_id?: number },
) => selectUnread[role](q).all({ pack_id: null, seller_id: null, ...filter })
const unreadBy = (own: typeof message.seller_id | typeof message.buyer_id) =>
  prepared(({ db }) =>
    db
      .select({
        pack_id: message.pack_id,
        seller_id: message.seller_id,
        count: sql<number>`count(*)`.as('count'),
      })
      .from(message)
      .where(
        and(
          eq(own, $('user_id')),
          sql`${message.date_read} IS NULL AND ${message.status} = 'available' AND ${message.from_id} <> ${own}`,
          sql`(${$('pack_id')} IS NULL OR ${message.pack_id} = ${$('pack_id')})`,
          sql`(${$('seller_id')} IS NULL OR ${message.seller_id} = ${$('seller_id')})`,
        ),
      )
      .groupBy(message.pack_id, message.seller_id)
      .orderBy(sql`max(${message.date_created}) DESC, max(${message.n}) DESC`)
      .limit(500),
  )
const selectUnread = { seller: unreadBy(message.seller_id), buyer: unreadBy(message.buyer_id) }

/** By what a control call has blocked a conversation. */
export const blockOf = (q: Q, id: number): Promise<{ substatus: Substatus; at: number } | undefined> =>
  selectBlock(q).one({ id })
const selectBlock = selectRows(conversation_block, { id: $ }, { columns: ['substatus', 'at'] })

/** An attachment without its bytes; `is_sent`: a message refers to it. */
export const attachmentById = (q: Q, id: string) => selectAttachment(q).one({ id })
const { bytes: _, ...described } = getTableColumns(message_attachment)
/** The messages with an attachment; its senders are few, so that these are, too. */
const senders = (id: unknown) =>
  sql`${message} m, json_each(m.attachments) a WHERE m.attachments <> '[]' AND a.value ->> 'filename' = ${id}`
const selectAttachment = prepared(({ db }) =>
  db
    .select({ ...described, is_sent: sql<0 | 1>`EXISTS (SELECT 1 FROM ${senders($('id'))})`.as('is_sent') })
    .from(message_attachment)
    .where(eq(message_attachment.id, $('id'))),
)

/** Whether a user has got an attachment in a message. */
export const hasReceived = async (q: Q, id: string, user_id: number): Promise<boolean> =>
  (await selectReceived(q).one({ id, user_id }))?.found === 1
const selectReceived = prepared(({ db }) =>
  db
    .select({
      found: sql<0 | 1>`EXISTS (SELECT 1 FROM ${senders($('id'))} AND m.status = 'available'
        AND ${$('user_id')} IN (m.seller_id, m.buyer_id))`.as('found'),
    })
    .from(sql`(SELECT 1)`),
)

/** The bytes of an attachment. */
export const bytesOf = async (q: Q, id: string): Promise<Buffer> => (await selectBytes(q).one({ id }))!.bytes
const selectBytes = selectRows(message_attachment, { id: $ }, { columns: ['bytes'] })

/** How many attachments a world has, and their bytes. */
export const attachmentTotals = async (q: Q): Promise<{ n: number; bytes: number }> => (await selectTotals(q).one())!
const selectTotals = prepared(({ db }) =>
  db
    .select({
      n: sql<number>`count(*)`.as('n'),
      bytes: sql<number>`coalesce(sum(${message_attachment.size}), 0)`.as('bytes'),
    })
    .from(message_attachment),
)

/** Messages of all sellers, the newest first; with `unread`, `'true'`, only those that are not read. */
export const listMessages = createDatedList(message, message.date_created, {
  unread: sql`(${message.date_read} IS NULL AND ${$('unread')} = 'true')`,
})

/** All messages in the order in which they were written. */
export const allMessages = (q: Q): AsyncGenerator<MessageRow[]> =>
  pages(selectAll(q), { after: 0 }, ({ n }) => ({ after: n }))
const selectAll = prepared(({ db }) =>
  db
    .select()
    .from(message)
    .where(gt(message.n, $('after')))
    .orderBy(asc(message.n))
    .limit($('page')),
)
