import { sql } from 'drizzle-orm'
import t from 'tap'
import { ORDER_STATUSES } from '../../domains/orders/tables.ts'
import { start } from '../support/app.ts'
import { demoRows } from '../support/demo_rows.ts'

// The history of sales agrees with the stock, the questions and itself.

const DAY = 24 * 3_600_000
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
      for (const [seller, own] of Map.groupBy(orders, ({ seller_id }) => seller_id))
        t.ok(own.length >= 40 && own.length <= 160, `${seller}: ${own.length}`)
      const carts = [...packs.values()].filter((pack) => pack.length === 2)
      t.ok(carts.length > purchases / 12 && carts.length < purchases / 7, `${carts.length} of ${purchases}`)
      t.notOk([...packs.values()].some((pack) => pack.length > 2))
      for (const [one, two] of carts as [(typeof orders)[0], (typeof orders)[0]][])
        t.strictSame([two.buyer_id, two.date_created, two.shipping_cost], [one.buyer_id, one.date_created, null])
      const without = orders.filter(({ pack_id }) => pack_id === null).length
      t.ok(without > orders.length / 6 && without < orders.length / 3, `${without} without a pack`)
    })

    t.test('what was there, less what was sold, is available', async (t) => {
      for (const { id, available_quantity, sold_quantity, details } of item) {
        const own = orders.filter((order) => order.item_id === id && SOLD.has(order.status))
        const sold = own.reduce((sum, { quantity }) => sum + quantity, 0)
        if (sold === 0) continue
        t.equal(sold_quantity, sold, id)
        t.equal(JSON.parse(details!).initial_quantity - sold, available_quantity, id)
      }
    })

    t.test('one sale in six is by a buyer who got an answer on that listing', async (t) => {
      const isAfterAnswer = (order: (typeof orders)[0]) =>
        question.some(
          ({ item_id, from_id, status, answered_at }) =>
            item_id === order.item_id &&
            from_id === order.buyer_id &&
            status === 'ANSWERED' &&
            answered_at! < order.date_created,
        )
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
      t.notOk(orders.some(({ item_id, seller_id }) => item.find(({ id }) => id === item_id)!.seller_id !== seller_id))
    })

    t.test('payments agree with their orders, and nothing changes after the day before the origin', async (t) => {
      for (const { id, status, unit_price, quantity, date_created, last_updated, date_closed } of orders) {
        const last = paymentsOf.get(id)!.at(-1)!
        const expected =
          SOLD.has(status) || status === 'invalid' ? 'approved' : status === 'cancelled' ? 'refunded' : null
        if (expected) t.equal(last.status, expected, status)
        else t.match(last.status, /pending|in_process/)
        t.ok(Math.abs(last.transaction_amount - unit_price * quantity) < 0.001)
        t.ok(last_updated === date_created || last_updated < MONDAY - DAY, `${status} ${id}`)
        t.equal(date_closed === null, expected === null && status !== 'confirmed', status)
      }
    })
  })

t.test('every state occurs with the first seller, at any time of the week, and stock agrees', async (t) => {
  for (const days of [0.1, 2.5, 5.4, 6.9]) {
    const now = Date.UTC(2026, 2, 2, 4) + days * DAY
    const { control, sellers, world } = await start(t, { now })
    for (const status of ORDER_STATUSES) {
      const { paging } = (await control(`GET /orders?seller_id=${sellers[0]!.id}&status=${status}&limit=0`)).body
      t.ok(paging.total > 0, `${status} on day ${days}`)
    }
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
