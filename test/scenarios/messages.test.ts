import t from 'tap'
import { hasShortLink } from '../../domains/messages/bodies.ts'
import { demoRows, isRefundedByClaim } from '../support/demo_rows.ts'

// The history of messages agrees with the sales and itself.

const MONDAY = Date.UTC(2024, 0, 1, 4)
const HOUR = 3_600_000

for (const seed of [1, 2 ** 53 - 1])
  t.test(`seed ${seed}`, async (t) => {
    const { message, sale_order, item } = await demoRows(seed, MONDAY)
    const paid = sale_order.filter(
      (order) => ['paid', 'partially_refunded', 'pending_cancel'].includes(order.status) || isRefundedByClaim(order),
    )
    const purchases = Map.groupBy(paid, ({ pack_id, id }) => pack_id ?? id)
    const conversations = Map.groupBy(message, ({ pack_id }) => pack_id)

    t.test('the buyers of half of the purchases write, most get an answer within hours', async (t) => {
      const share = conversations.size / purchases.size
      t.ok(share > 0.4 && share < 0.6, `${share}`)
      const answered = [...conversations.values()].filter((all) =>
        all.some(({ from_id, seller_id }) => from_id === seller_id),
      )
      t.ok(answered.length > 0.7 * conversations.size, `${answered.length} of ${conversations.size}`)
      const quick = answered.filter(([first, second]) => second!.date_created - first!.date_created < 24 * HOUR)
      t.ok(quick.length > 0.9 * answered.length, `${quick.length} of ${answered.length} within a day`)
    })

    t.test('a conversation is of a paid purchase, and its buyer begins it', async (t) => {
      const wrong = [...conversations].filter(([pack, all]) => {
        const { seller_id, buyer_id, site_id, date_closed } = purchases.get(pack)![0]!
        const isOfSale = (one: (typeof message)[0]) =>
          one.seller_id === seller_id &&
          one.buyer_id === buyer_id &&
          one.site_id === site_id &&
          one.date_created > date_closed! &&
          (one.date_read == null || one.date_read >= one.date_created)
        return !all.every(isOfSale) || all[0]!.from_id !== buyer_id
      })
      t.strictSame(wrong, [])
    })

    t.test('the first seller has unread messages, and one that was held back', async (t) => {
      const first = item[0]!.seller_id
      const own = message.filter(({ seller_id }) => seller_id === first)
      t.ok(own.some(({ from_id, date_read, date_created }) => from_id !== first && !date_read && date_created < MONDAY))
      const held = message.filter(({ status = 'available' }) => status !== 'available')
      t.strictSame(
        held.map((one) => [one.seller_id, one.from_id, one.status, hasShortLink(one.text)]),
        [[first, first, 'moderated', true]],
      )
    })

    t.test('ids are unique, and rows are in the order of time', async (t) => {
      t.equal(new Set(message.map(({ id }) => id)).size, message.length)
      t.ok(message.every(({ date_created }, n) => n === 0 || message[n - 1]!.date_created <= date_created))
      t.notOk(message.some(({ text }) => text.includes('{')))
    })
  })
