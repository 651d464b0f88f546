import type { World } from '../../../db/world.ts'
import { itemNotFound, userNotFound } from '../../shared/errors.ts'
import { parseInstant } from '../../shared/instants.ts'
import { INSTANT_MESSAGE, ITEM_ID, MAX_ID } from '../../shared/schemas.ts'
import type { Contact } from '../operations.ts'
import { isUser, sellerOf } from '../subjects.ts'
import { CONTACT_KIND_BY_NAME, type ContactKindName } from '../tables.ts'

/** Limit of `count`. */
export const MAX_COUNT = 100_000

/** An invalid contact in a body. */
export class InvalidContact extends Error {
  /** The invalid member; undefined if the whole contact is invalid. */
  readonly member: string | undefined
  /** Whether the member is valid, but refers to an entity that does not exist. */
  readonly isNotFound: boolean

  constructor(member: string | undefined, message: string, isNotFound = false) {
    super(message)
    this.member = member
    this.isNotFound = isNotFound
  }
}

export interface CountedContact extends Contact {
  count: number
}

/** Contacts that are read before yielding to the event loop: each may need a query. */
export const CONTACTS_PER_YIELD = 200

const MEMBERS = new Set(['kind', 'item_id', 'at', 'buyer_id', 'count'])
const KIND_MESSAGE = `must be one of ${Object.keys(CONTACT_KIND_BY_NAME).join(', ')}`
const COUNT_MESSAGE = `must be an integer from 1 to ${MAX_COUNT}`

/** Creates a parser of contacts. It is synchronous if seller and buyer are cached. Throws InvalidContact. */
export function createContactReader(world: World): (value: unknown) => CountedContact | Promise<CountedContact> {
  async function resolveContact(
    contact: Omit<CountedContact, 'user_id'>,
    ...lookups: [ReturnType<typeof sellerOf>, ReturnType<typeof isUser>]
  ): Promise<CountedContact> {
    const [seller, isBuyer] = await Promise.all(lookups)
    if (seller === undefined) throw new InvalidContact('item_id', itemNotFound(contact.item_id).message, true)
    if (!isBuyer) throw new InvalidContact('buyer_id', userNotFound(contact.buyer_id!).message, true)
    return withSeller(contact, seller)
  }

  return (value) => {
    const contact = readMembers(value, world.clock.now())
    const seller = sellerOf(world, contact.item_id)
    const isBuyer = contact.buyer_id === null || isUser(world, contact.buyer_id)
    return typeof seller === 'number' && isBuyer === true
      ? withSeller(contact, seller)
      : resolveContact(contact, seller, isBuyer)
  }
}

function withSeller(contact: Omit<CountedContact, 'user_id'>, user_id: number): CountedContact {
  if (contact.buyer_id === user_id) throw new InvalidContact('buyer_id', 'must not be the seller of the listing')
  return { ...contact, user_id }
}

/** Parses all members, without queries; `now` in ms. */
function readMembers(value: unknown, now: number): Omit<CountedContact, 'user_id'> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InvalidContact(undefined, 'must be a JSON object')
  const members = value as Record<string, unknown>
  for (const name in members)
    if (!MEMBERS.has(name)) throw new InvalidContact(truncatedName(name), 'is an unknown member')
  const { kind, item_id, at, buyer_id = null, count = 1 } = members
  if (typeof kind !== 'string' || !Object.hasOwn(CONTACT_KIND_BY_NAME, kind))
    throw new InvalidContact('kind', requiredMessage(kind, KIND_MESSAGE))
  if (typeof item_id !== 'string' || !ITEM_ID.test(item_id))
    throw new InvalidContact(
      'item_id',
      requiredMessage(item_id, 'must be the identifier of a listing, such as MLA1400000001'),
    )
  const buyer = buyer_id === null ? null : readInteger(buyer_id)
  if (buyer === undefined || (buyer !== null && buyer > MAX_ID))
    throw new InvalidContact('buyer_id', 'must be an integer, or null for a guest')
  const times = readInteger(count)
  if (times === undefined || times < 1 || times > MAX_COUNT) throw new InvalidContact('count', COUNT_MESSAGE)
  return {
    kind: CONTACT_KIND_BY_NAME[kind as ContactKindName],
    item_id,
    buyer_id: buyer,
    at: at === undefined ? now : readAt(at, now),
    count: times,
  }
}

function readAt(at: unknown, now: number): number {
  const ms = typeof at === 'string' && at.length <= 64 ? parseInstant(at) : undefined
  if (ms === undefined) throw new InvalidContact('at', INSTANT_MESSAGE)
  if (ms < 0 || ms > now) throw new InvalidContact('at', 'must be between 1970 and the world’s present time')
  return ms
}

/** An integer from 0, as a number or as text. */
function readInteger(value: unknown): number | undefined {
  const n = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  return typeof n === 'number' && Number.isInteger(n) && n >= 0 ? n : undefined
}

const requiredMessage = (value: unknown, message: string) => (value === undefined ? `is required, ${message}` : message)

/** An unknown name, cut for the error message. */
const truncatedName = (name: string) => (name.length > 64 ? `${name.slice(0, 64)}…` : name)
