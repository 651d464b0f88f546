import { and, lte, sql } from 'drizzle-orm'
import { $, type Q } from '../../db/engine.ts'
import { derived, nextNumber } from '../../db/ids.ts'
import { publish } from '../../db/outbox.ts'
import { deleteRows, insertInto, updateReturning, updateRows } from '../../db/rows.ts'
import type { World } from '../../db/world.ts'
import { utcMillis } from '../shared/instants.ts'
import { uuid } from '../shared/texts.ts'
import { hasShortLink } from './bodies.ts'
import { stateOf } from './conversation.ts'
import {
  attachmentsFull,
  conversationBlocked,
  messageNotFound,
  tooManyAttachments,
  unknownAttachment,
} from './errors.ts'
import { attachmentById, attachmentTotals, type Conversation, type Filter, factsOf, messageById } from './queries.ts'
import {
  type AttachmentRow,
  conversation_block,
  type MessageRow,
  message,
  message_attachment,
  type Substatus,
} from './tables.ts'

// Call these inside `world.tx`: they publish the event in the same transaction.

export const MODERATION_REASONS = [
  ...([
    'OUT_OF_PLACE_LANGUAGE',
    'SOCIAL_NETWORK_LINK',
    'LINK_SHORT_URL',
    'AUTOMATIC_MESSAGE',
    'PERSONAL_DATA',
  ] as const),
  ...(['LINK_MERCADOPAGO', 'ML_LINKS_PAYPAL', 'EVASION_CLAIM_SELLER'] as const),
] as const
export interface Moderation {
  status: 'clean' | 'rejected' | 'pending'
  reason?: (typeof MODERATION_REASONS)[number] | undefined
}

/** The columns of a moderation: what is not clean is held back. */
const moderated = ({ status, reason }: Moderation, at: number) => ({
  status: status === 'clean' ? ('available' as const) : ('moderated' as const),
  moderation: JSON.stringify({ status, reason: reason ?? null, moderation_date: utcMillis(at) }),
})

/** The seller and the buyer; of a message that is held back its sender only [spec: messages.events]. */
const publishMessage = (q: Q, row: MessageRow, action: 'created' | 'read', at: number) =>
  publish(q, {
    ...{ topic: 'messages', resource: row.id, actions: [action], at },
    users: row.status === 'available' ? [row.seller_id, row.buyer_id] : [row.from_id],
  })

export interface NewMessage {
  from_id: number
  text: string
  /** Ids. */
  attachments: unknown
  client_id: number | null
  /** The motive with which a seller begins. */
  option_id?: string
  /** World time, ms; default: now. */
  at?: number | undefined
  moderation?: Moderation | undefined
}

/**
 * Writes a message. Throws, in this order: 422 for an unknown attachment, 400 for too many, 403 for a seller who uses no
 * motive where the conversation is blocked.
 */
export async function send(
  q: Q,
  world: World,
  conversation: Conversation,
  { from_id, text, client_id, option_id, ...sent }: NewMessage,
): Promise<MessageRow> {
  const { pack_id, site_id, seller_id, buyer_id } = conversation
  const attachments = await describeAttachments(q, world, from_id, sent.attachments)
  if (from_id === seller_id && option_id === undefined) {
    const { substatus } = await stateOf(
      q,
      world,
      conversation,
      await factsOf(q, { pack_id, seller_id, user_id: from_id }),
    )
    if (substatus !== null) throw conversationBlocked(substatus)
  }
  const at = sent.at ?? world.clock.now()
  const moderation = sent.moderation ?? (hasShortLink(text) ? SHORT_LINK : undefined)
  const row = {
    id: await nextMessageId(q, world),
    ...{ site_id, client_id, pack_id, seller_id, buyer_id, from_id, text },
    ...{ status: 'available' as const, moderation: null, ...(moderation && moderated(moderation, at)) },
    attachments: JSON.stringify(attachments),
    option_id: option_id ?? null,
    ...{ date_created: at, date_read: null },
  }
  await insertMessage(q, { n: null, ...row } as unknown as MessageRow)
  const written = (await messageById(q, row.id))!
  await publishMessage(q, written, 'created', world.clock.now())
  return written
}
const insertMessage = insertInto(message)
/** 32 hexadecimal digits. */
export const nextMessageId = async (q: Q, { key }: Pick<World, 'key'>): Promise<string> =>
  derived(key, `message ${await nextNumber(q, 'message')}`, 32)
const SHORT_LINK: Moderation = { status: 'rejected', reason: 'LINK_SHORT_URL' }

const MAX_PER_MESSAGE = 25
/** An attachment that no message refers to is deleted after this time. */
const UNSENT_LIFE_MS = 48 * 3_600_000
export const isGone = ({ is_sent, date_created }: { is_sent: number; date_created: number }, now: number): boolean =>
  is_sent === 0 && date_created + UNSENT_LIFE_MS <= now

/** What a message says of its attachments. */
async function describeAttachments(q: Q, { clock }: World, user_id: number, ids: unknown): Promise<object[]> {
  const described: object[] = []
  const list: readonly unknown[] = Array.isArray(ids) ? ids : [undefined]
  for (const id of list.slice(0, MAX_PER_MESSAGE + 1)) {
    const row = typeof id === 'string' ? await attachmentById(q, id) : undefined
    if (!row || row.user_id !== user_id || isGone(row, clock.now())) throw unknownAttachment()
    const { filename, type, size, date_created } = row
    described.push({
      ...{ filename: row.id, original_filename: filename, type, size, potential_security_threat: false },
      creation_date: utcMillis(date_created),
    })
  }
  if (list.length > MAX_PER_MESSAGE) throw tooManyAttachments(MAX_PER_MESSAGE)
  return described
}

/** Marks what a user has received in a conversation; one event, of the last message. */
export async function markAsRead(q: Q, { clock }: World, filter: Filter): Promise<void> {
  const now = clock.now()
  const rows = await setRead(q).all({ ...filter, now })
  const last = rows.sort((a, b) => b.date_created - a.date_created || b.n - a.n)[0]
  if (last) await publishMessage(q, last, 'read', now)
}
const setRead = updateReturning(
  message,
  { date_read: $('now') },
  { pack_id: $, seller_id: $ },
  () => sql`${message.from_id} <> ${$('user_id')} AND ${message.date_read} IS NULL AND ${message.status} = 'available'`,
)

export interface MessageChange {
  status?: MessageRow['status'] | undefined
  moderation?: Moderation | undefined
  read?: boolean | undefined
}

/** Moderates a message, or marks it. One that becomes available publishes its event. Throws 404 if there is none. */
export async function changeMessage(q: Q, { clock }: World, id: string, change: MessageChange): Promise<MessageRow> {
  const row = await messageById(q, id)
  if (!row) throw messageNotFound(id)
  const now = clock.now()
  const changed = {
    ...row,
    ...(change.moderation && moderated(change.moderation, now)),
    ...(change.status && { status: change.status }),
    ...(change.read !== undefined && { date_read: change.read ? (row.date_read ?? now) : null }),
  }
  await updateMessage(q).run(changed)
  if (row.status !== 'available' && changed.status === 'available') await publishMessage(q, changed, 'created', now)
  if (row.date_read === null && changed.date_read !== null) await publishMessage(q, changed, 'read', now)
  return changed
}
const updateMessage = updateRows(message, { status: $, moderation: $, date_read: $ }, { id: $ })

/** Blocks the conversations of a pack, or (null) ends that. */
export async function block(q: Q, { clock }: World, id: number, substatus: Substatus | null): Promise<void> {
  await deleteBlock(q).run({ id })
  if (substatus !== null) await insertBlock(q, { id, substatus, at: clock.now() })
}
const insertBlock = insertInto(conversation_block)
const deleteBlock = deleteRows(conversation_block, { id: $ })

/** What the attachments of a world may be together. */
const MAX_ATTACHMENTS = { n: 1000, bytes: 100 * 1024 * 1024 }

/** Stores a file of a user; returns its id. Those that no message refers to go after 48 hours. Throws 507 if it is full. */
export async function attach(
  q: Q,
  { key, clock }: World,
  file: Pick<AttachmentRow, 'user_id' | 'filename' | 'type' | 'bytes'> & { extension: string },
): Promise<string> {
  const { extension, ...row } = file
  const now = clock.now()
  await deleteUnsent(q).run({ until: now - UNSENT_LIFE_MS })
  const size = row.bytes.length
  const { n, bytes } = await attachmentTotals(q)
  if (n >= MAX_ATTACHMENTS.n || bytes + size > MAX_ATTACHMENTS.bytes) throw attachmentsFull()
  const digits = derived(key, `message attachment ${await nextNumber(q, 'message_attachment')}`, 32)
  const id = `${row.user_id}_${uuid(digits)}.${extension}`
  await insertAttachment(q, { id, ...row, size, date_created: now })
  return id
}
const insertAttachment = insertInto(message_attachment)
const deleteUnsent = deleteRows(message_attachment, {}, () =>
  and(
    lte(message_attachment.date_created, $('until')),
    sql`${message_attachment.id} NOT IN (SELECT a.value ->> 'filename' FROM ${message} m, json_each(m.attachments) a
        WHERE m.attachments <> '[]')`,
  ),
)
