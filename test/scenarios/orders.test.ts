import { sql } from 'drizzle-orm'
import t from 'tap'
import { ORDER_STATUSES } from '../../domains/orders/tables.ts'
import { start } from '../support/app.ts'

const DAY = 24 * 3_600_000

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
