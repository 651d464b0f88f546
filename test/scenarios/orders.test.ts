import { sql } from 'drizzle-orm'
import t from 'tap'
import { ORDER_STATUSES } from '../../domains/orders/tables.ts'
import { DAY, start } from '../support/app.ts'
import { demoRows } from '../support/demo_rows.ts'

// The history of sales agrees with the stock, the questions and itself.

const MONDAY = Date.UTC(2024, 0, 1, 4)
const SOLD = new Set(['paid', 'partially_refunded', 'pending_cancel'])

for (const seed of [1, 2 ** 53 - 1])
  t.test(`seed ${seed}`, async (t) => {
    const { sale_order: orders, payment, item, question, user } = await demoRows(seed, MONDAY)
    const paymentsOf = Map.groupBy(payment, ({ order_id }) => order_id)
    const packs = Map.groupBy(
      orders.filter(({ pack_id }) => pack_id !== null),
      ({ pack_id }) => pack_id,
    )
    const purchases = orders.length - [...packs.values()].filter((pack) => pack.length > 1).length

    t.test('40 to 160 sales a shop, one in eight a cart of two', async (t) => {
      const shops = [...Map.groupBy(orders, ({ seller_id }) => seller_id)].map(([seller, own]) => [seller, own.length])
      t.strictSame(
        shops.filter(([, n]) => n! < 40 || n! > 160),
        [],
      )
      const carts = [...packs.values()].filter((pack) => pack.length === 2)
      t.ok(carts.length > purchases / 12 && carts.length < purchases / 7, `${carts.length} of ${purchases}`)
      t.notOk([...packs.values()].some((pack) => pack.length > 2))
      t.strictSame(
        carts.map(([, two]) => [two!.buyer_id, two!.date_created, two!.shipping_cost]),
        carts.map(([one]) => [one!.buyer_id, one!.date_created, null]),
      )
      const without = orders.filter(({ pack_id }) => pack_id === null).length
      t.ok(without > orders.length / 6 && without < orders.length / 3, `${without} without a pack`)
    })

    t.test('what was there, less what was sold, is available', async (t) => {
      const soldOf = new Map<string, number>()
      for (const { item_id, status, quantity } of orders)
        if (SOLD.has(status)) soldOf.set(item_id, (soldOf.get(item_id) ?? 0) + quantity)
      const sold = item.filter(({ id }) => soldOf.has(id))
      t.ok(sold.length > 0)
      t.strictSame(
        sold.map(({ id, sold_quantity, available_quantity: left, details }) => [
          ...[id, sold_quantity, JSON.parse(details!).initial_quantity - left!],
        ]),
        sold.map(({ id }) => [id, soldOf.get(id), soldOf.get(id)]),
      )
    })

    t.test('one sale in six is by a buyer who got an answer on that listing', async (t) => {
      const answered = Map.groupBy(
        question.filter(({ status }) => status === 'ANSWERED'),
        ({ item_id, from_id }) => `${item_id} ${from_id}`,
      )
      const isAfterAnswer = ({ item_id, buyer_id, date_created }: (typeof orders)[0]) =>
        answered.get(`${item_id} ${buyer_id}`)?.some(({ answered_at }) => answered_at! < date_created)
      const after = orders.filter(isAfterAnswer).length
      t.ok(after >= purchases / 8 && after < purchases / 3, `${after} of ${purchases}`)
    })

    t.test('classified listings have no orders, and nobody buys from themselves', async (t) => {
      const classified = new Set(
        item.filter(({ shipping_mode }) => shipping_mode === 'not_specified').map((row) => row.id),
      )
      const users = new Set(user.map(({ id }) => id))
      t.notOk(orders.some(({ item_id }) => classified.has(item_id)))
      t.notOk(orders.some(({ buyer_id, seller_id }) => buyer_id === seller_id || !users.has(buyer_id)))
      const sellerOf = new Map(item.map(({ id, seller_id }) => [id, seller_id]))
      t.notOk(orders.some(({ item_id, seller_id }) => sellerOf.get(item_id) !== seller_id))
    })

    t.test('payments agree with their orders, and nothing changes after the day before the origin', async (t) => {
      const wrong = orders.filter(({ id, status, unit_price, quantity, date_created, last_updated, date_closed }) => {
        const last = paymentsOf.get(id)!.at(-1)!
        const expected =
          SOLD.has(status) || status === 'invalid' ? /^approved$/ : status === 'cancelled' ? /^refunded$/ : undefined
        return (
          !(expected ?? /pending|in_process/).test(last.status) ||
          Math.abs(last.transaction_amount - unit_price * quantity) >= 0.001 ||
          (last_updated !== date_created && last_updated >= MONDAY - DAY) ||
          (date_closed === null) !== (expected === undefined && status !== 'confirmed')
        )
      })
      t.strictSame(wrong, [])
    })
  })

t.test('every state occurs with the first seller, at any time of the week, and stock agrees', async (t) => {
  for (const days of [0.1, 2.5, 5.4, 6.9]) {
    const now = Date.UTC(2026, 2, 2, 4) + days * DAY
    const { control, sellers, world } = await start(t, { now })
    const missed: string[] = []
    for (const status of ORDER_STATUSES) {
      const { paging } = (await control(`GET /orders?seller_id=${sellers[0]!.id}&status=${status}&limit=0`)).body
      if (!(paging.total > 0)) missed.push(`${status} on day ${days}`)
    }
    t.strictSame(missed, [])
    const wrong = world.read.db.all(
      sql.raw(`SELECT id FROM item WHERE sold_quantity <> (SELECT coalesce(sum(quantity), 0) FROM sale_order
        WHERE item_id = item.id AND status IN ('paid', 'partially_refunded', 'pending_cancel'))
        OR coalesce(json_extract(details, '$.initial_quantity'), available_quantity) - sold_quantity <> available_quantity`),
    )
    t.strictSame(wrong, [])
    const [later] = world.read.db.all<{ n: number }>(
      sql.raw(`SELECT count(*) n FROM sale_order WHERE date_created > ${now}`),
    )
    t.equal(later!.n, 0)
  }
})

t.test('a world where nothing has happened has no sales', async (t) => {
  const { control, world } = await start(t, { scenario: 'quiet' })
  t.equal((await control('GET /orders')).body.paging.total, 0)
  t.strictSame(world.read.db.all(sql.raw('SELECT id FROM item WHERE sold_quantity <> 0')), [])
})
