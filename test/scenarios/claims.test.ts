import t from 'tap'
import { MONDAY } from '../../scenarios/names.ts'
import { DAY, HOUR, start } from '../support/app.ts'
import { demoRows } from '../support/demo_rows.ts'
import { SEED } from '../support/property.ts'

t.test(
  'claims are on delivered sales, agree with their orders, and nothing changes after the day before the origin',
  async (t) => {
    for (const seed of [1, SEED]) {
      const { claim, claim_message, sale_order, payment, shipment, shipment_step } = await demoRows(seed, MONDAY)
      t.ok(claim.length > 15 && claim.length < 40, `${claim.length} claims`)
      const orders = new Map(sale_order.map((order) => [order.id, order]))
      t.equal(new Set(claim.map(({ order_id }) => order_id)).size, claim.length)
      for (const one of claim) {
        const order = orders.get(one.order_id)!
        const delivered = shipment_step.find(
          ({ shipment_id, status }) => shipment_id === order.shipment_id && status === 'delivered',
        )!
        t.ok(one.date_created > delivered.at && one.date_created < delivered.at + 2 * DAY)
        t.ok(one.last_updated < MONDAY - DAY)
        t.strictSame(JSON.parse(order.mediations), one.stage === 'dispute' ? [{ id: one.id, status: one.status }] : [])
        const { reason } = JSON.parse(one.resolution ?? '{}')
        t.equal(
          order.status,
          reason === 'payment_refunded' ? 'cancelled' : reason === 'partial_refunded' ? 'partially_refunded' : 'paid',
        )
        const paid = payment.filter(({ order_id }) => order_id === order.id).at(-1)!
        t.equal(paid.status, reason === 'payment_refunded' ? 'refunded' : 'approved')
        const parcel = shipment.find(({ id }) => id === one.return_shipment_id)
        t.equal(parcel?.type ?? null, one.return_shipment_id === null ? null : 'return')
      }
      const ids = new Set(claim.map(({ id }) => id))
      t.ok(claim_message.every(({ claim_id, date_created }) => ids.has(claim_id) && date_created < MONDAY - HOUR))
    }
  },
)

t.test('every state occurs with the first seller', async (t) => {
  const { sellers } = await start(t)
  const [seller] = sellers
  const found = async (query: string) =>
    (await seller!.get(`/post-purchase/v1/claims/search?${query}`)).body.data as {
      related_entities: string[]
      resolution: { reason: string } | null
    }[]
  for (const query of [
    'stage=claim&status=opened',
    'stage=dispute&status=opened',
    'stage=dispute&status=closed',
    'type=return',
  ])
    t.ok((await found(query)).length > 0, query)
  t.strictSame([...new Set((await found('status=closed')).map(({ resolution }) => resolution!.reason))].sort(), [
    'partial_refunded',
    'payment_refunded',
    'product_delivered',
  ])
})
