import type { DemoGenerator, Shop } from '../demo.ts'
import { isPaid } from '../orders/states.ts'
import type { OrderRow } from '../orders/tables.ts'
import type { Random } from '../shared/demo/random.ts'
import { afterNight, DAY, fill, HOUR, LAST_DAY, MINUTE, periodOf } from '../shared/demo/wording.ts'
import { MESSAGE_TEXTS } from './demo_texts.ts'
import type { message } from './tables.ts'

type Row = Omit<typeof message.$inferInsert, 'n' | 'id'>

export const generateRows: DemoGenerator = (shops, earlier) => {
  const orders = Map.groupBy(earlier.sale_order as OrderRow[], ({ seller_id }) => seller_id)
  const rows = shops.flatMap((shop, n) => {
    const r = shop.random.fork('messages')
    const own = conversationsOf(shop, orders.get(shop.cast.seller.row.id) ?? [], r)
    // The seller of the README has a message that was held back.
    if (n === 0) holdBack(own, shop, r)
    return own.map((row) => ({ row, id: hex(r) }))
  })
  return {
    message: rows
      .sort((a, b) => a.row.date_created - b.row.date_created || a.row.seller_id - b.row.seller_id)
      .map(({ row, id }, n) => ({ n: n + 1, id, ...row })),
  }
}

const hex = (r: Random): string => Array.from({ length: 32 }, () => r.int(0, 15).toString(16)).join('')
const seconds = (ms: number): number => Math.floor(ms / 1000) * 1000

/** The share of purchases whose buyer writes, and of these messages that are answered. */
const WRITES = 0.5
const ANSWERED = 0.85

/** What the buyers of a shop and its seller have written. */
function conversationsOf({ site, cast }: Shop, orders: readonly OrderRow[], r: Random): Row[] {
  const texts = MESSAGE_TEXTS[site.language]
  const people = new Map([...cast.shoppers, ...cast.buyers].map(({ row }) => [row.id, row]))
  const purchases = [...Map.groupBy(orders, ({ pack_id, id }) => pack_id ?? id)]
  return purchases.flatMap(([pack_id, [order]]) => {
    const { site_id, seller_id, buyer_id, date_closed } = order!
    if (!isPaid(order!) || date_closed === null || !r.chance(WRITES)) return []
    const write = (from_id: number, text: string, at: number, read: number | null): Row => ({
      ...{ site_id, pack_id, seller_id, buyer_id, from_id, date_created: at, date_read: read },
      ...{ status: 'available', moderation: null },
      text: fill(text, { name: people.get(buyer_id)?.first_name ?? '' }),
    })
    const { ask, answer } = r.pick(texts.exchanges)
    const askedAt = seconds(afterNight(date_closed + r.int(5, 20 * 60) * MINUTE, r))
    const answeredAt = answerAfter(askedAt, site.seller.pace, r)
    if (askedAt > LAST_DAY * DAY || !r.chance(ANSWERED)) return [write(buyer_id, r.pick(ask), askedAt, null)]
    const readAt = r.chance(0.8) ? seconds(answeredAt + r.int(5, 10 * 60) * MINUTE) : null
    const thankedAt = (readAt ?? answeredAt) + r.int(1, 24 * 60) * MINUTE
    const exchange = [
      write(buyer_id, r.pick(ask), askedAt, seconds(answeredAt - r.int(1, 3) * MINUTE)),
      write(seller_id, r.pick(answer), answeredAt, readAt),
    ]
    if (readAt === null || !r.chance(1 / 3)) return exchange
    const seenAt = r.chance(0.9) ? thankedAt + r.int(1, 8) * HOUR : null
    return [...exchange, write(buyer_id, r.pick(texts.thanks), thankedAt, seenAt)]
  })
}

/** At the pace at which the seller answers questions, not at night. */
function answerAfter(asked: number, pace: Shop['site']['seller']['pace'], r: Random): number {
  const period = periodOf(asked)
  const minutes = pace[period === 'night' ? 'office' : period] * (0.4 + 1.8 * r.next())
  return seconds(afterNight(asked + Math.max(minutes, 4) * MINUTE, r))
}

/** Gives one answer of the weeks before the origin a link that is not allowed: only the seller sees it. */
function holdBack(rows: Row[], { site, cast }: Shop, r: Random): void {
  const { id } = cast.seller.row
  const row = r.pick(rows.filter(({ from_id, date_created }) => from_id === id && date_created < -3 * DAY))
  const buyer = [...cast.shoppers, ...cast.buyers].find((one) => one.row.id === row.buyer_id)!
  Object.assign(row, {
    text: fill(MESSAGE_TEXTS[site.language].moderated, { name: buyer.row.first_name }),
    ...{ status: 'moderated', date_read: null },
    moderation: JSON.stringify({ status: 'rejected', reason: 'LINK_SHORT_URL' }),
  })
}
