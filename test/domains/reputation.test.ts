import t from 'tap'
import { DAY, NOW, start } from '../support/app.ts'
import { questionFixtures } from '../support/questions.ts'
import { reputationNumbers } from '../support/reputation.ts'

const app = await start(t)
const { control, call } = app
const { createParties, createListing, setClock } = questionFixtures(app)

t.test(
  'reputation counts sales, claims and opinions [spec: users.reputation.transactions, users.reputation.metrics]',
  async (t) => {
    const { seller, buyer } = await createParties()
    const reputation = async () => (await seller.get('/users/me')).body.seller_reputation
    const none = { level_id: null, power_seller_status: null, ...reputationNumbers() }
    t.strictSame(await reputation(), none)
    const orders: number[] = []
    for (const days of [70, 5, 4, 0]) {
      const date_created = new Date(NOW - days * DAY).toISOString()
      const item_id = await createListing(seller)
      orders.push((await control('POST /orders', { item_id, buyer: buyer.id, date_created })).body.order.id)
    }
    await control(`POST /orders/${orders[1]}/cancel`, { by: 'seller' })
    await control('POST /claims', { order_id: orders[2] })
    const rate = async (order: number | undefined, rating: string) =>
      t.equal((await buyer.post(`/orders/${order}/feedback`, { fulfilled: true, rating })).status, 201)
    await rate(orders[2], 'positive')
    await rate(orders[3], 'negative')
    const metric = (value: number, share: number) => ({ period: '60 days', rate: share, value })
    const counted = await reputation()
    t.strictSame(counted, {
      ...none,
      transactions: {
        canceled: 1,
        completed: 3,
        period: 'historic',
        ratings: { negative: 0.5, neutral: 0, positive: 0.5 },
        total: 4,
      },
      metrics: {
        sales: { period: '60 days', completed: 2 },
        claims: metric(1, 0.5),
        delayed_handling_time: metric(0, 0),
        cancellations: metric(1, 0.5),
      },
    })
    t.strictSame((await call(`/users/${seller.id}`)).body.seller_reputation, counted)
    t.strictSame((await control(`GET /users/${seller.id}`)).body.seller_reputation, counted)
    setClock(NOW + 61 * DAY)
    const { metrics, transactions } = await reputation()
    t.equal(transactions.total, 4)
    t.match(metrics, { sales: { completed: 0 }, claims: { value: 0 }, cancellations: { value: 0 } })
  },
)

t.test(
  'a sale that was shipped after more than three days counts as late [spec: users.reputation.metrics]',
  async (t) => {
    const { seller, buyer } = await createParties()
    const late = async () => (await seller.get('/users/me')).body.seller_reputation.metrics.delayed_handling_time.value
    setClock(NOW)
    const { shipment } = (await control('POST /orders', { item_id: await createListing(seller), buyer: buyer.id })).body
    setClock(NOW + 4 * DAY)
    t.equal(await late(), 0, 'not shipped yet')
    await control(`PATCH /shipments/${shipment.id}`, { status: 'shipped' })
    t.equal(await late(), 1)
    setClock(NOW + 2 * DAY)
    t.equal(await late(), 0, 'the clock has gone back')
  },
)
