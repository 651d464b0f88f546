import {
  type Argument,
  type Client,
  type CommandSet,
  defineCommand,
  fields,
  integer,
  mustBe,
  type Output,
  oneOf,
  parseUser,
  path,
  table,
} from '../shared/commands.ts'
import type { Order } from './schemas.ts'
import { ORDER_STATUSES } from './tables.ts'

/** An order; with its shipment where it is shown. */
type Shown = Order & { shipment?: { status: string; substatus: string | null } }

const ORDER: Argument = ['<order>', 'id of the order', integer(1)]

const formatOrder = (order: Shown): Output => {
  const { item, quantity } = order.order_items[0]!
  return fields({
    order: order.id,
    status: order.status,
    listing: `${item.id} ${item.title}`,
    quantity,
    total: `${order.currency_id} ${order.total_amount}`,
    seller: `${order.seller.id} ${order.seller.nickname}`,
    buyer: `${order.buyer.id} ${order.buyer.nickname}`,
    bought: order.date_created,
    payments: order.payments.map(({ id, status }) => `${id} ${status}`).join(', ') || null,
    shipment: [order.shipping.id, order.shipment?.status, order.shipment?.substatus].filter(Boolean).join(' ') || null,
    tags: order.tags.join(', '),
  })
}

/** The ids of purchases, and the calls of the API that read them. */
const formatBought = (orders: Order[]): Output => [
  table(
    ['order', 'pack', 'listing', 'quantity', 'total', 'status'],
    orders.map(({ id, pack_id, status, total_amount, currency_id, order_items: [one] }) => [
      ...[id, pack_id, one!.item.id, one!.quantity, `${currency_id} ${total_amount}`, status],
    ]),
  ),
  'Read with a token of the seller or the buyer:',
  ...new Set(
    orders.flatMap(({ id, pack_id, payments, shipping }) => [
      `  GET /orders/${id}`,
      ...(pack_id === null ? [] : [`  GET /packs/${pack_id}`]),
      ...payments.map((one) => `  GET /collections/${one.id}`),
      ...(shipping.id === null ? [] : [`  GET /shipments/${shipping.id}`]),
    ]),
  ),
]

/** One listing of the first test seller with units for sale, another one for each purchase. */
async function anyListing(client: Client): Promise<string> {
  const [seller] = (await client.server.call(path`GET /worlds/${client.world}`)).sellers
  const query = { seller_id: seller?.id, status: 'active', limit: 1000 }
  const listings = (await client.get('/items', query)).results.filter(
    ({ available_quantity }: { available_quantity: number }) => available_quantity > 0,
  )
  if (listings.length === 0) throw mustBe('the id of a listing, because the first seller has nothing for sale')
  const { total } = (await client.get('/orders', { limit: 0 })).paging
  return listings[total % listings.length].id
}

const parseAmount = (text: string): number => {
  if (!/^\d+(\.\d+)?$/.test(text)) throw mustBe('a number, such as 1500.50')
  return Number(text)
}

const commands = [
  defineCommand<Order[]>({
    name: 'buy',
    description: 'Buy listings, as any buyer',
    args: [['[items...]', 'ids of listings; default: any listing of the first seller']],
    flags: [
      { flags: '--quantity <n>', description: 'units of each', defaultValue: 1, parse: integer(1) },
      {
        flags: '--buyer <user>',
        description: 'the buyer (id or nickname); default: a test buyer of the listing’s site',
        parse: parseUser,
      },
      { flags: '--unpaid', description: 'the payment is missing: `order pay` makes it' },
      { flags: '--cart', description: 'buy all in one pack' },
    ],
    examples: ['buy', 'buy MLA1400000001 --quantity 2', 'buy MLA1400000001 MLA1400000002 --cart'],
    async run({ client, args: [given], flags: { quantity, buyer, unpaid, cart } }) {
      const ids: string[] = given?.length > 0 ? given : [await anyListing(client)]
      const units = ids.map((item_id) => ({ item_id, quantity }))
      const more = { buyer, ...(unpaid && { status: 'payment_required' }) }
      const bodies = cart && units.length > 1 ? [{ items: units }] : units
      const orders: Order[] = []
      for (const body of bodies) {
        const { order, pack } = await client.call('POST /orders', { ...body, ...more })
        orders.push(order)
        // The answer has the first order of a cart, and the ids of all.
        for (const { id } of pack?.orders ?? [])
          if (id !== order.id) orders.push(await client.call(path`GET /orders/${id}`))
      }
      return orders
    },
    format: formatBought,
  }),
  defineCommand<{ results: Order[] }>({
    name: 'order list',
    description: 'List the orders of all sellers, the latest last',
    isDefault: true,
    flags: [
      { flags: '--seller <user>', description: 'only sales of this user', parse: parseUser },
      { flags: '--buyer <user>', description: 'only purchases of this user', parse: parseUser },
      { flags: '--status <status>', description: 'only those in this state', choices: ORDER_STATUSES },
      { flags: '--item <id>', description: 'only those of this listing' },
      { flags: '--limit <n>', description: 'at most this many, the latest', defaultValue: 50, parse: integer(1, 1000) },
    ],
    examples: ['order list', 'order list --status payment_required'],
    async run({ client, flags: { seller: seller_id, buyer: buyer_id, status, item: item_id, limit } }) {
      const answer = await client.get('/orders', { seller_id, buyer_id, status, item_id, limit })
      return { ...answer, results: answer.results.reverse() }
    },
    format: ({ results }) =>
      table(
        ['order', 'bought', 'status', 'seller', 'buyer', 'listing', 'total'],
        results.map(({ id, date_created, status, seller, buyer, order_items: [one], currency_id, total_amount }) => [
          ...[id, date_created, status, seller.nickname, buyer.nickname, one!.item.id],
          `${currency_id} ${total_amount}`,
        ]),
      ),
  }),
  defineCommand<Shown>({
    name: 'order show',
    description: 'Show an order',
    impliedBy: /^\d+$/,
    args: [ORDER],
    examples: ['order show 2000010000000001'],
    async run({ client, args: [id] }) {
      const order: Order = await client.call(path`GET /orders/${id}`)
      const { id: shipment } = order.shipping
      return shipment === null ? order : { ...order, shipment: await client.call(path`GET /shipments/${shipment}`) }
    },
    format: formatOrder,
  }),
  defineCommand<Order>({
    name: 'order pay',
    description: 'Pay an order whose payment is missing',
    args: [ORDER],
    examples: ['order pay 2000010000000001'],
    run: ({ client, args: [id] }) => client.call(path`POST /orders/${id}/pay`),
    format: formatOrder,
  }),
  defineCommand<Order>({
    name: 'order cancel',
    description: 'Cancel an order: the buyer gets the money back',
    args: [ORDER],
    flags: [
      {
        flags: '--by <who>',
        description: 'who cancels; default: buyer',
        parse: oneOf('buyer', 'seller', 'mediations'),
      },
      { flags: '--reason <text>', description: 'why' },
      { flags: '--restock', description: 'the units are for sale again' },
    ],
    examples: ['order cancel 2000010000000001 --by seller --restock'],
    run: ({ client, args: [id], flags: { by, reason, restock } }) =>
      client.call(path`POST /orders/${id}/cancel`, { by, reason, restock }),
    format: formatOrder,
  }),
  defineCommand<Order>({
    name: 'order refund',
    description: 'Give the buyer money back; all of it cancels the order',
    args: [ORDER],
    flags: [{ flags: '--amount <number>', description: 'default: all that was paid', parse: parseAmount }],
    examples: ['order refund 2000010000000001 --amount 500'],
    run: ({ client, args: [id], flags: { amount } }) => client.call(path`POST /orders/${id}/refund`, { amount }),
    format: formatOrder,
  }),
]

export default {
  parents: { order: 'Sales: list, show, pay, ship, deliver, cancel and refund them' },
  commands,
} satisfies CommandSet
