import t from 'tap'
import { sale_order } from '../../domains/orders/tables.ts'
import { STAGES, stepsAfter } from '../../domains/shipments/states.ts'
import { type ShipmentRow, shipment_step } from '../../domains/shipments/tables.ts'
import { DAY, start } from '../support/app.ts'
import { demoRows, isRefundedByClaim } from '../support/demo_rows.ts'
import fc, { runs } from '../support/property.ts'

const README_SELLER = 2500000101
const PAID = ['paid', 'partially_refunded', 'pending_cancel']

/** Those that occur in the demo. */
const STATUSES = ['pending', 'handling', 'ready_to_ship', 'shipped', 'delivered', 'not_delivered', 'cancelled']

t.test('each sale of the demo has its shipment, whose states keep to their way', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(1_000_000), async (seed) => {
      const rows = await demoRows(seed, 0)
      const shipments = rows.shipment as Required<ShipmentRow>[]
      const stepsById = Map.groupBy(rows.shipment_step, ({ shipment_id }) => shipment_id)
      const byId = new Map(shipments.map((row) => [row.id, row]))

      for (const order of rows.sale_order) {
        const isRefunded = isRefundedByClaim(order)
        const isSent = PAID.includes(order.status) || isRefunded
        const row = order.shipment_id === null ? undefined : byId.get(order.shipment_id!)
        if (isSent && !row) throw new Error(`order ${order.id} has no shipment`)
        if (!row) continue
        if (row.seller_id !== order.seller_id || row.buyer_id !== order.buyer_id)
          throw new Error(`${order.id}: parties`)
        const steps = stepsById.get(row.id)!
        const isDelivered = steps.some(({ status, at }) => status === 'delivered' && at <= 0)
        if ((order.fulfilled === 1) !== (isDelivered && isSent)) throw new Error(`${order.id}: fulfilled`)
        if (order.status === 'cancelled' && steps.at(-1)!.status !== (isRefunded ? 'delivered' : 'cancelled'))
          throw new Error(`${order.id}: cancelled`)
        if (steps[0]!.at < order.date_created) throw new Error(`${order.id}: before its sale`)
      }
      let waiting = 0
      for (const row of shipments) {
        const steps = stepsById.get(row.id)!
        const name = `${seed}: ${row.id} ${steps.map(({ status, substatus }) => substatus ?? status)}`
        if (steps.some(({ at }, n) => n > 0 && at < steps[n - 1]!.at)) throw new Error(`${name}: order`)
        if (steps.some(({ at, is_published }) => at <= 0 !== (is_published === 1))) throw new Error(`${name}: events`)
        if (row.order_id === null) continue
        const last = steps.at(-1)!
        if (['pending', 'handling'].includes(last.status)) waiting++
        else if (row.date_created < -4 * DAY && last.at > 0) throw new Error(`${name}: is not over`)
        // Behind a printed label follows what the clock would have brought.
        const stage = STAGES[row.logistic_type].findIndex(({ substatus }) => substatus === 'printed')
        const printed = steps.findIndex(({ substatus }) => substatus === 'printed')
        if (stage < 0 || printed < 0) continue
        const expected = stepsAfter(row, stage, steps[printed]!.at)
        const isBack = last.status === 'not_delivered'
        for (const [n, one] of (isBack ? expected.slice(0, -1) : expected).entries()) {
          const step = steps[printed + 1 + n]
          if (step?.at !== one.at || step.status !== one.status) throw new Error(`${name}: ${one.status}`)
        }
      }
      if (waiting !== 4) throw new Error(`${waiting} wait`)
      const own = shipments.filter(({ seller_id }) => seller_id === README_SELLER)
      const now = own.map(({ id }) => stepsById.get(id)!.findLast(({ at }) => at <= 0)?.status)
      for (const status of STATUSES)
        if (now.filter((one) => one === status).length < 2) throw new Error(`${seed}: few are ${status}`)
      const kinds = new Set(shipments.map(({ logistic_type }) => logistic_type))
      for (const kind of ['drop_off', 'cross_docking', 'self_service', 'fulfillment', 'custom'] as const)
        if (!kinds.has(kind)) throw new Error(`${seed}: none is ${kind}`)
    }),
    { numRuns: runs(4) },
  )
})

t.test('the twelve parcels with drivers have the first ids, in all states of a route', async (t) => {
  const { shipment, shipment_step: steps } = await demoRows(1, 0)
  const own = shipment.filter(({ seller_id, order_id }) => seller_id === README_SELLER && order_id === null)
  t.strictSame(
    own.map(({ id }) => id),
    Array.from({ length: 12 }, (_, n) => 43000000001 + n),
  )
  const lastOf = (id: number) => steps.findLast(({ shipment_id }) => shipment_id === id)!.status
  t.strictSame(
    own.map(({ id }) => lastOf(id)),
    [...Array(6).fill('shipped'), 'delivered', 'delivered', ...Array(4).fill('ready_to_ship')],
  )
})

t.test('the present of a world decides what has happened', async (t) => {
  const app = await start(t, { now: Date.UTC(2026, 2, 5, 15) })
  const rows = app.world.read.db.select().from(shipment_step).all()
  const now = app.world.clock.now()
  t.notOk(rows.some(({ at, is_published }) => at <= now !== (is_published === 1)))
  t.notOk(
    rows.some(({ at, substatus }) => at > now && substatus === 'printed'),
    'nobody prints by the clock',
  )
  t.ok(
    rows.some(({ at }) => at > now),
    'parcels are on their way',
  )
  const delivered = new Set(
    rows.filter(({ at, status }) => at <= now && status === 'delivered').map(({ shipment_id }) => shipment_id),
  )
  const orders = app.world.read.db.select().from(sale_order).all()
  t.strictSame(
    orders.filter((one) => one.status === 'paid' && delivered.has(one.shipment_id!) !== (one.fulfilled === 1)),
    [],
  )
})
