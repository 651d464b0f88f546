import type { ContactKind } from '../../db/schema/contacts.ts'
import type { World } from '../../db/world.ts'
import { isUser, sellerOf } from '../contacts/known.ts'
import type { Contact } from '../contacts/operations.ts'
import { INSTANT_MESSAGE, ITEM_ID, MAX_ID } from '../shared/atoms.ts'
import { itemNotFound, userNotFound } from '../shared/errors.ts'
import { parseInstant } from '../shared/instants.ts'

/** What the statistics call each kind. */
export const KINDS = {
  phone_view: 'phone_views',
  whatsapp: 'whatsapp',
  question: 'questions',
} as const satisfies Record<string, ContactKind>
export type KindName = keyof typeof KINDS

/** So many at one instant. */
export const MOST_AT_ONCE = 100_000

/** What is wrong with one contact of a body. */
export class BadContact extends Error {
  /** The member that is wrong; undefined when the whole is. */
  readonly member: string | undefined
  /** It is well written, but there is no such thing. */
  readonly absent: boolean

  constructor(member: string | undefined, message: string, absent = false) {
    super(message)
    this.member = member
    this.absent = absent
  }
}

export interface Counted extends Contact {
  count: number
}

/** Contacts that are read before others get their turn: who sells a listing takes a look into the file. */
export const SLICE = 200

const MEMBERS = new Set(['kind', 'item_id', 'at', 'buyer_id', 'count'])
export const KIND = `must be one of ${Object.keys(KINDS).join(', ')}`
export const COUNT = `must be an integer from 1 to ${MOST_AT_ONCE}`

/**
 * Reads contacts as bodies have them. Answers at once where it is known who sells the listing and who the buyer is.
 * Throws BadContact.
 */
export function contactReader(world: World): (value: unknown) => Counted | Promise<Counted> {
  async function lookUp(
    contact: Omit<Counted, 'user_id'>,
    ...asked: [ReturnType<typeof sellerOf>, ReturnType<typeof isUser>]
  ): Promise<Counted> {
    const [seller, isBuyer] = await Promise.all(asked)
    if (seller === undefined) throw new BadContact('item_id', itemNotFound(contact.item_id).message, true)
    if (!isBuyer) throw new BadContact('buyer_id', userNotFound(contact.buyer_id!).message, true)
    return sold(contact, seller)
  }

  return (value) => {
    const contact = read(value, world.clock.now())
    const seller = sellerOf(world, contact.item_id)
    const isBuyer = contact.buyer_id === null || isUser(world, contact.buyer_id)
    return typeof seller === 'number' && isBuyer === true ? sold(contact, seller) : lookUp(contact, seller, isBuyer)
  }
}

function sold(contact: Omit<Counted, 'user_id'>, user_id: number): Counted {
  if (contact.buyer_id === user_id) throw new BadContact('buyer_id', 'must not be the seller of the listing')
  return { ...contact, user_id }
}

/** Whatever needs no look into the world; `now`: ms. */
function read(value: unknown, now: number): Omit<Counted, 'user_id'> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new BadContact(undefined, 'must be a JSON object')
  const sent = value as Record<string, unknown>
  for (const name in sent) if (!MEMBERS.has(name)) throw new BadContact(named(name), 'is not known here')
  const { kind, item_id, at, buyer_id = null, count = 1 } = sent
  if (typeof kind !== 'string' || !Object.hasOwn(KINDS, kind)) throw new BadContact('kind', required(kind, KIND))
  if (typeof item_id !== 'string' || !ITEM_ID.test(item_id))
    throw new BadContact('item_id', required(item_id, 'must be the identifier of a listing, such as MLA1400000001'))
  const buyer = buyer_id === null ? null : integer(buyer_id)
  if (buyer === undefined || (buyer !== null && buyer > MAX_ID))
    throw new BadContact('buyer_id', 'must be an integer, or null for a guest')
  const times = integer(count)
  if (times === undefined || times < 1 || times > MOST_AT_ONCE) throw new BadContact('count', COUNT)
  return {
    kind: KINDS[kind as KindName],
    item_id,
    buyer_id: buyer,
    at: at === undefined ? now : instant(at, now),
    count: times,
  }
}

function instant(at: unknown, now: number): number {
  const ms = typeof at === 'string' && at.length <= 64 ? parseInstant(at) : undefined
  if (ms === undefined) throw new BadContact('at', INSTANT_MESSAGE)
  if (ms < 0 || ms > now) throw new BadContact('at', 'must lie between 1970 and the world’s present time')
  return ms
}

/** An integer from 0, or its digits as text. */
function integer(value: unknown): number | undefined {
  const n = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  return typeof n === 'number' && Number.isInteger(n) && n >= 0 ? n : undefined
}

const required = (value: unknown, complaint: string) => (value === undefined ? `is required, ${complaint}` : complaint)

/** A name that somebody made up: told, but not at any length. */
const named = (name: string) => (name.length > 64 ? `${name.slice(0, 64)}…` : name)
