import { LISTS } from '../control/world_file/sections.ts'
import { isValid } from '../control/world_file/validation.ts'
import { readBack } from '../domains/items/read_back.ts'
import { parseInstant, utcMillis } from '../domains/shared/instants.ts'
import { INSTANT_MESSAGE } from '../domains/shared/schemas.ts'
import { isObject, type Members, membersOf } from './calls.ts'
import type { Facts, Kind } from './facts.ts'

/** A number, also as a text. */
export const numeric = (value: unknown): number | undefined => {
  const n = typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value
  return typeof n === 'number' ? n : undefined
}

/** Members of a world file that answers have under another name, or inside of another member. */
const RENAMED: Partial<Record<Kind, (thing: Members) => Members>> = {
  users({ seller_reputation, status, full_name }) {
    const { transactions, level_id, power_seller_status } = membersOf(seller_reputation)
    const { completed, canceled } = membersOf(transactions)
    const [first_name, ...last] = typeof full_name === 'string' ? full_name.split(' ') : []
    return {
      ...{ level_id, power_seller_status, sales_completed: completed, sales_canceled: canceled },
      ...{ status: membersOf(status).site_status, ...(first_name && { first_name, last_name: last.join(' ') }) },
    }
  },
  items: readBack,
  questions: ({ from }) => ({ from_id: numeric(membersOf(from).id) }),
  loans: ({ id, buyer_id, buyer }) => ({
    ...{ id: typeof id === 'string' ? id.toLowerCase() : undefined },
    buyer_id: numeric(buyer_id) ?? numeric(membersOf(buyer).id),
  }),
  flex_subscriptions({ status, origin }) {
    const { address_line: address, city, zip_code } = membersOf(origin)
    const from = origin && { address, city: membersOf(city).name, zip_code }
    return { status: membersOf(status).id ?? status, origin: from }
  },
}

/** Where things are stored, and the number of the call that shows them. */
interface Source {
  facts: Facts
  n: number
}

/** Learns an element of a list of a world file; `unnamed`: its id, if it has none. */
export function learnThing(source: Source, kind: Kind, thing: Members, known: Members = {}): void {
  const { facts, n } = source
  const { unnamed, ...more } = known
  const renamed = { ...thing, ...RENAMED[kind]?.(thing) }
  const { address: _, ...members } = validMembers(kind, renamed)
  const id = (kind === 'flex_subscriptions' ? members.service_id : members.id) ?? unnamed
  if (id === undefined) return
  const seller_id = numeric(thing.seller_id)
  const address = kind === 'users' ? addressOf(thing.address) : {}
  // An answer that was given or removed is a change, too.
  const answer = kind === 'questions' && thing.answer === null ? { answer: null } : {}
  // Each of the details for itself: some answers have only a part. One that is removed is a change, too.
  const parts = kind === 'items' ? { ...absent(renamed.details), ...members.details, details: undefined } : {}
  facts.set(kind, id, { ...members, ...parts, seller_id, ...address, ...answer, ...more }, n)
  if (members.item_id !== undefined) facts.set('items', members.item_id, { seller_id, caller: more.caller }, n)
  if (isObject(thing.buyer)) learnThing(source, 'users', thing.buyer)
  if (isObject(thing.seller_address)) learnPlace(source, seller_id, thing.seller_address)
  // Of several subscriptions the first one has the own address.
  if (isObject(thing.origin) && !facts.has('users', thing.user_id, 'city'))
    learnThing(source, 'users', { id: thing.user_id, address: thing.origin })
}

const absent = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value === null))

/** The place of a seller, if no answer has shown its address. */
function learnPlace(source: Source, seller_id: number | undefined, { city, state }: Members): void {
  if (seller_id === undefined || source.facts.has('users', seller_id, 'city')) return
  learnThing(source, 'users', { id: seller_id, address: { city, state: membersOf(state).id } })
}

/** Each part for itself: some answers have only a part. */
function addressOf(value: unknown): Members {
  const { address, address_line, city, state, zip_code } = membersOf(value)
  const parts = { street: address ?? address_line, city: membersOf(city).name ?? city, state, zip_code }
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => typeof part === 'string'))
}

interface Schema {
  properties?: Record<string, Schema>
  items?: Schema
  'x-message'?: string
}

/** The members of an element of a list, or of one that orders have, that an object has with a valid value. */
export function validMembers(list: string, from: Members): Members {
  const orders = LISTS.get('orders')!.element as Schema
  return copy((LISTS.get(list)?.element as Schema | undefined) ?? orders.properties![list]!.items!, from)
}

function copy({ properties = {} }: Schema, from: Members): Members {
  const valid = Object.entries(properties).map(([name, schema]) => [name, validValue(schema, from[name])])
  return Object.fromEntries(valid.filter(([, value]) => value !== undefined))
}

function validValue(schema: Schema, given: unknown): unknown {
  const { items } = schema
  const value = items?.properties && Array.isArray(given) ? given.map((one) => copy(items, membersOf(one))) : given
  if (schema['x-message'] === INSTANT_MESSAGE) {
    const ms = typeof value === 'string' ? parseInstant(value) : undefined
    return ms === undefined ? undefined : utcMillis(ms)
  }
  const isWithMembers = Object.keys(schema.properties ?? {}).length > 0 && isObject(value)
  const candidates = isWithMembers ? [copy(schema, value)] : [numeric(value), value]
  return candidates.find((candidate) => candidate !== undefined && isValid(schema, candidate))
}
