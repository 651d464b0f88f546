import t from 'tap'
import { HOUR, NOW, start } from '../support/app.ts'
import fc, { runs } from '../support/property.ts'
import { questionFixtures } from '../support/questions.ts'

// The states of a claim, of its order and of its mediations, compared with a model after random actions of all players.

const app = await start(t)
const { control } = app
const { createParties, createListing } = questionFixtures(app)

interface Model {
  stage: 'claim' | 'dispute'
  status: 'opened' | 'closed'
  order: 'paid' | 'partially_refunded' | 'cancelled'
  /** World time at which what was sent back arrives, ms. */
  returnedAt: number | null
  now: number
}
const ACTIONS = ['open-dispute', 'refund', 'partial-refund', 'allow-return', 'message', 'to-mediator'] as const
type Step =
  | { by: 'seller' | 'buyer'; action: (typeof ACTIONS)[number] }
  | { by: 'mediator'; change: Change }
  | { by: 'clock'; hours: number }
const CHANGES = [
  { stage: 'dispute' },
  { stage: 'claim' },
  { status: 'closed' },
  { status: 'opened' },
  { status: 'closed', refund: 100 },
  { refund: 50 },
] as const
type Change = { stage?: 'claim' | 'dispute'; status?: 'opened' | 'closed'; refund?: number }

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ by: fc.constantFrom('seller', 'buyer'), action: fc.constantFrom(...ACTIONS) }),
    },
    { weight: 1, arbitrary: fc.record({ by: fc.constant('mediator' as const), change: fc.constantFrom(...CHANGES) }) },
    { weight: 1, arbitrary: fc.record({ by: fc.constant('clock' as const), hours: fc.integer({ min: 1, max: 60 }) }) },
  ) as fc.Arbitrary<Step>,
  { minLength: 1, maxLength: 12 },
)

const refund = (model: Model, percentage: number) => {
  model.status = 'closed'
  model.order = percentage === 100 ? 'cancelled' : 'partially_refunded'
}

/** Changes the model as a step should; returns the status that its call is answered with. */
function apply(model: Model, step: Step): number {
  const isPaid = model.order !== 'cancelled'
  if (step.by === 'clock') {
    const before = model.now
    model.now += step.hours * HOUR
    const { returnedAt } = model
    const hasArrived = returnedAt !== null && returnedAt > before && returnedAt <= model.now
    if (hasArrived && model.status === 'opened') refund(model, 100)
    return 200
  }
  if (step.by === 'mediator') {
    const { stage = model.stage, status = model.status, refund: percentage } = step.change
    if (percentage !== undefined && !isPaid) return 409
    Object.assign(model, { stage, status })
    if (percentage !== undefined) refund(model, percentage)
    return 200
  }
  const isEarly = model.stage === 'claim'
  const isSeller = step.by === 'seller'
  const can = {
    'open-dispute': isEarly,
    refund: isSeller && isPaid,
    'partial-refund': isSeller && isEarly && isPaid,
    'allow-return': isSeller && isEarly && isPaid && model.returnedAt === null,
    message: isEarly,
    'to-mediator': !isEarly,
  }[step.action]
  if (model.status === 'closed' || !can) return 400
  if (step.action === 'open-dispute') model.stage = 'dispute'
  if (step.action === 'refund') refund(model, 100)
  if (step.action === 'partial-refund') refund(model, 50)
  if (step.action === 'allow-return') model.returnedAt = model.now + 48 * HOUR
  return step.action === 'message' || step.action === 'to-mediator' ? 201 : 200
}

t.test('a claim and its order follow the model', async (t) => {
  const { seller, buyer } = await createParties()
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      await control('PUT /clock', { mode: 'frozen', now: new Date(NOW).toISOString() })
      const { order } = (await control('POST /orders', { item_id: await createListing(seller), buyer: buyer.id })).body
      const { id } = (await control('POST /claims', { order_id: order.id })).body
      const path = `/post-purchase/v1/claims/${id}`
      const model: Model = { stage: 'claim', status: 'opened', order: 'paid', returnedAt: null, now: NOW }
      const send = (step: Step) => {
        if (step.by === 'clock') return control('POST /clock/advance', { by: `${step.hours}h` })
        if (step.by === 'mediator') return control(`PATCH /claims/${id}`, step.change)
        const person = step.by === 'seller' ? seller : buyer
        if (step.action === 'open-dispute') return person.post(`${path}/actions/open-dispute`)
        if (step.action === 'message' || step.action === 'to-mediator') {
          const other = step.by === 'seller' ? 'complainant' : 'respondent'
          const receiver_role = step.action === 'message' ? other : 'mediator'
          return person.post(`${path}/actions/send-message`, { receiver_role, message: 'x' })
        }
        return person.post(`${path}/expected-resolutions/${step.action}`, {})
      }
      for (const step of all) {
        const { status, text } = await send(step)
        const expected = apply(model, step)
        if (status !== expected) throw new Error(`${JSON.stringify(step)}: ${status} instead of ${expected}: ${text}`)
        const { body: claim } = await seller.get(path)
        const { body: sold } = await seller.get(`/orders/${order.id}`)
        const actual = {
          ...{ stage: claim.stage, status: claim.status, order: sold.status },
          isReturned: claim.related_entities.length > 0,
        }
        const { returnedAt, now: _, ...states } = model
        const wanted = { ...states, isReturned: returnedAt !== null }
        if (JSON.stringify(actual) !== JSON.stringify(wanted))
          throw new Error(`${JSON.stringify(step)}: ${JSON.stringify(actual)} instead of ${JSON.stringify(wanted)}`)
        const mediations = model.stage === 'dispute' ? [{ id }] : []
        if (JSON.stringify(sold.mediations) !== JSON.stringify(mediations))
          throw new Error(`mediations ${JSON.stringify(sold.mediations)}`)
        if ((claim.resolution === null) !== (model.status === 'opened'))
          throw new Error(JSON.stringify(claim.resolution))
      }
    }),
    { numRuns: runs(60) },
  )
  t.pass('all states')
})
