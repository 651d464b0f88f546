import { start } from './app.ts'

interface File {
  users: { id: number }[]
  grants: { user_id: number }[]
  tokens: { user_id: number }[]
  items: { id: string; seller_id: number }[]
  questions: { item_id: string }[]
  blocked_buyers: { seller_id: number; buyer_id: number }[]
  contacts: { item_id: string }[]
  loans: { item_id: string }[]
  orders: { id: number; pack_id?: number | null; item_id: string; buyer_id: number }[]
  flex_subscriptions: { user_id: number }[]
  shipments: { seller_id: number; order_id?: number | null }[]
  messages: { pack_id: number }[]
  claims: { order_id: number }[]
}

/** Of each of two sellers. */
const ITEMS = 2
const QUESTIONS = 40
const ORDERS = 10
const CONTACTS = 60

/** The demo with the test users, some listings and what belongs to them: the whole demo would be most of each recording. */
export async function createSmallWorld(): Promise<string> {
  const ends: (() => unknown)[] = []
  const { control, sellers, buyers } = await start({ teardown: (end) => void ends.push(end) })
  const file = JSON.parse((await control('GET /world')).text) as File
  for (const end of ends) await end()
  const itemsOf = ({ id }: { id: number }) => file.items.filter(({ seller_id }) => seller_id === id).slice(0, ITEMS)
  const items = sellers.slice(0, 2).flatMap(itemsOf)
  const hasItem = ({ item_id }: { item_id: string }) => items.some(({ id }) => id === item_id)
  const questions = file.questions.filter(hasItem).slice(-QUESTIONS)
  const contacts = file.contacts.filter(hasItem).slice(-CONTACTS)
  const loans = file.loans.filter(hasItem)
  const orders = file.orders.filter(hasItem).slice(-ORDERS)
  const orderIds = new Set(orders.map(({ id }) => id))
  const packs = new Set(orders.map(({ id, pack_id }) => pack_id ?? id))
  const rows = JSON.stringify([items, questions, contacts, loans, orders])
  const referenced = (rows.match(/\b\d{10}\b/g) ?? []).map(Number)
  const ids = new Set([...sellers, ...buyers].map(({ id }) => id).concat(referenced))
  const ofUsers = <T extends { user_id: number }>(rows: T[]) => rows.filter(({ user_id }) => ids.has(user_id))
  return JSON.stringify({
    ...file,
    users: file.users.filter(({ id }) => ids.has(id)),
    grants: ofUsers(file.grants),
    tokens: ofUsers(file.tokens),
    ...{ items, questions, contacts, loans, orders },
    blocked_buyers: file.blocked_buyers.filter((one) => ids.has(one.seller_id) && ids.has(one.buyer_id)),
    flex_subscriptions: ofUsers(file.flex_subscriptions),
    shipments: file.shipments.filter(({ seller_id, order_id }) =>
      order_id ? orderIds.has(order_id) : ids.has(seller_id),
    ),
    messages: file.messages.filter(({ pack_id }) => packs.has(pack_id)),
    claims: file.claims.filter(({ order_id }) => orderIds.has(order_id)),
  })
}
