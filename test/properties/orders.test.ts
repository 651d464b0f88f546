import { eq } from 'drizzle-orm'
import t from 'tap'
import { item } from '../../domains/items/tables.ts'
import { DAY, NOW, start } from '../support/app.ts'
import fc, { runs } from '../support/property.ts'
import { questionFixtures } from '../support/questions.ts'

// The states of orders, their payments and the stock, compared with a model after random control calls and moves of the clock.

const app = await start(t)
const { world, control } = app
const { createParties, createListing, setClock } = questionFixtures(app)
const STOCK = 5

interface Sale {
  id: number
  status: string
  quantity: number
  refunded: number
  created: number
}
interface Model {
  now: number
  stock: number
  sold: number
  sales: Sale[]
}

const UNPAID = ['confirmed', 'payment_required', 'payment_in_process']
const PAID = ['paid', 'partially_refunded']
const statusAt = ({ status, created }: Sale, now: number) =>
  UNPAID.includes(status) && now - created >= 3 * DAY ? 'cancelled' : status

type Step =
  | { kind: 'buy'; status: string; quantity: number }
  | { kind: 'pay'; n: number }
  | { kind: 'cancel'; n: number; restock: boolean }
  | { kind: 'refund'; n: number; amount: number | undefined }
  | { kind: 'clock'; days: number }

const n = fc.nat(5)
const steps = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('buy' as const),
      status: fc.constantFrom('paid', ...UNPAID),
      quantity: fc.integer({ min: 1, max: 3 }),
    }),
    fc.record({ kind: fc.constant('pay' as const), n }),
    fc.record({ kind: fc.constant('cancel' as const), n, restock: fc.boolean() }),
    fc.record({ kind: fc.constant('refund' as const), n, amount: fc.constantFrom(undefined, 100, 900, 1000) }),
    fc.record({ kind: fc.constant('clock' as const), days: fc.constantFrom(-2, 1, 2) }),
  ) as fc.Arbitrary<Step>,
  { minLength: 5, maxLength: 25 },
)

/** Changes the model as a step should; returns the status that its call is answered with. */
function apply(model: Model, step: Exclude<Step, { kind: 'clock' }>): number {
  if (step.kind === 'buy') {
    if (step.quantity > model.stock) return 409
    if (step.status === 'paid') take(model, step.quantity)
    return 201
  }
  const sale = model.sales[step.n % model.sales.length]!
  const status = statusAt(sale, model.now)
  const isPaid = PAID.includes(status)
  const end = (returned: number) => {
    if (isPaid) {
      model.sold -= sale.quantity
      model.stock += returned
    }
    sale.status = 'cancelled'
    return 200
  }
  if (step.kind === 'cancel') return isPaid || UNPAID.includes(status) ? end(step.restock ? sale.quantity : 0) : 409
  if (step.kind === 'refund') {
    if (!isPaid) return 409
    const rest = sale.quantity * 1000 - sale.refunded
    const { amount = rest } = step
    if (amount > rest) return 400
    if (amount === rest) return end(0)
    sale.refunded += amount
    sale.status = 'partially_refunded'
    return 200
  }
  if (!UNPAID.includes(status)) return 409
  sale.status = sale.quantity > model.stock ? 'cancelled' : 'paid'
  if (sale.status === 'paid') take(model, sale.quantity)
  return 200
}
function take(model: Model, quantity: number): void {
  model.stock -= quantity
  model.sold += quantity
}

/** The call of a step. */
function send(listing: string, buyer: number, { sales }: Model, step: Exclude<Step, { kind: 'clock' }>) {
  if (step.kind === 'buy') {
    const { status, quantity } = step
    return control('POST /orders', { item_id: listing, buyer, status, quantity })
  }
  const { id } = sales[step.n % sales.length]!
  if (step.kind === 'pay') return control(`POST /orders/${id}/pay`)
  if (step.kind === 'cancel') return control(`POST /orders/${id}/cancel`, { restock: step.restock })
  return control(`POST /orders/${id}/refund`, { amount: step.amount })
}

const PAYMENT_OF: Record<string, RegExp> = {
  paid: /^approved$/,
  partially_refunded: /^approved$/,
  cancelled: /^(refunded|cancelled)$/,
  payment_required: /^pending$/,
  payment_in_process: /^in_process$/,
}

t.test('orders, payments and stock follow the model', async (t) => {
  const { seller, buyer } = await createParties()
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      setClock(NOW)
      const listing = await createListing(seller)
      await world.tx(async (q) =>
        q.db.update(item).set({ available_quantity: STOCK }).where(eq(item.id, listing)).run(),
      )
      const model: Model = { now: NOW, stock: STOCK, sold: 0, sales: [] }
      for (const step of all) {
        if (step.kind === 'clock') {
          model.now += step.days * DAY
          setClock(model.now)
        } else if (step.kind === 'buy' || model.sales.length > 0) {
          const { status, body } = await send(listing, buyer.id, model, step)
          if (status !== apply(model, step)) throw new Error(`${JSON.stringify(step)}: ${JSON.stringify(body)}`)
          if (status === 201)
            model.sales.push({
              ...{ id: body.order.id, status: body.order.status, refunded: 0, created: model.now },
              quantity: body.order.order_items[0].quantity,
            })
        }
        for (const sale of model.sales) {
          const { body } = await control(`GET /orders/${sale.id}`)
          const expected = statusAt(sale, model.now)
          if (body.status !== expected) throw new Error(`${sale.id} is ${body.status}, not ${expected}`)
          const last = body.payments.at(-1)?.status
          if (last && !(PAYMENT_OF[expected] ?? /./).test(last)) throw new Error(`${expected} with a payment ${last}`)
          const paid = PAID.includes(expected) ? sale.quantity * 1000 - sale.refunded : 0
          if (body.paid_amount !== paid) throw new Error(`${body.paid_amount} paid, not ${paid}`)
        }
        const row = world.read.db.select().from(item).where(eq(item.id, listing)).get()!
        if (row.available_quantity !== model.stock || row.sold_quantity !== model.sold)
          throw new Error(`stock ${row.available_quantity}, sold ${row.sold_quantity}: ${JSON.stringify(model)}`)
      }
    }),
    { numRuns: runs(40) },
  )
  t.pass()
})
