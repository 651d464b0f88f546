import t from 'tap'
import { HOUR, NOW, start } from '../support/app.ts'
import fc, { runs } from '../support/property.ts'
import { questionFixtures } from '../support/questions.ts'

// The states of a shipment, compared with a model after random control calls and moves of the clock, also back.

const app = await start(t)
const { control } = app
const { createParties, createListing } = questionFixtures(app)

/** The way of a parcel that is dropped off, with the hours after the stage before; null: only by a call. */
const WAY: [state: string, hours: number | null][] = [
  ['ready_to_ship ready_to_print', null],
  ['ready_to_ship printed', null],
  ['ready_to_ship dropped_off', 4],
  ['shipped null', 8],
  ['shipped out_for_delivery', 24],
  ['delivered null', 4],
]

interface Model {
  now: number
  steps: { state: string; at: number }[]
}

type Step = { kind: 'advance' } | { kind: 'set'; state: string } | { kind: 'cancel' } | { kind: 'clock'; hours: number }

const sets = ['shipped delayed', 'ready_to_ship printed', 'delivered null', 'not_delivered lost', 'pending buffered']
const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constant({ kind: 'advance' as const }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('set' as const), state: fc.constantFrom(...sets) }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'cancel' as const }) },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('clock' as const), hours: fc.integer({ min: -10, max: 30 }) }),
    },
  ) as fc.Arbitrary<Step>,
  { minLength: 4, maxLength: 16 },
)

const currentOf = ({ steps, now }: Model): number =>
  Math.max(
    0,
    steps.findLastIndex(({ at }) => at <= now),
  )
const stateOf = (model: Model): string => model.steps[currentOf(model)]!.state

/** Enters states; what was to come is forgotten. */
function enter(model: Model, states: Model['steps']): void {
  model.steps = [...model.steps.slice(0, currentOf(model) + 1), ...states]
}

/** Changes the model as a call should; returns the status that it is answered with. */
function apply(model: Model, step: Exclude<Step, { kind: 'clock' }>): number {
  const state = stateOf(model)
  const [status] = state.split(' ')
  // A clock that has gone back before the first state changes nothing about it.
  const at = Math.max(model.now, model.steps[currentOf(model)]!.at)
  if (step.kind === 'cancel') {
    if (['pending', 'ready_to_ship'].includes(status!)) enter(model, [{ state: 'cancelled null', at }])
    return 200
  }
  if (step.kind === 'set') {
    if (step.state !== state) enter(model, [{ state: step.state, at }])
    return 200
  }
  const exact = WAY.findIndex(([one]) => one === state)
  const stage =
    status === 'pending' ? -1 : exact >= 0 ? exact : WAY.findLastIndex(([one]) => one.startsWith(`${status} `))
  if ((stage < 0 && status !== 'pending') || stage === WAY.length - 1) return 409
  let last = at
  const next = WAY.slice(stage + 1)
  const end = next.findIndex(([, hours], n) => n > 0 && hours === null)
  enter(
    model,
    next.slice(0, end < 0 ? undefined : end).map(([one, hours], n) => {
      if (n > 0) last += hours! * HOUR
      return { state: one, at: last }
    }),
  )
  return 200
}

function send(id: number, step: Exclude<Step, { kind: 'clock' }>) {
  if (step.kind === 'advance') return control(`POST /shipments/${id}/advance`, {})
  if (step.kind === 'cancel') return undefined
  const [status, substatus] = step.state.split(' ')
  return control(`PATCH /shipments/${id}`, { status, substatus: substatus === 'null' ? null : substatus })
}

t.test('a shipment follows the model, and a clock that goes back reverts it [spec: shipments.clock]', async (t) => {
  const { seller, buyer } = await createParties()
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      await control('PUT /clock', { mode: 'frozen', now: new Date(NOW).toISOString() })
      const { body } = await control('POST /orders', { item_id: await createListing(seller), buyer: buyer.id })
      const { id } = body.shipment
      let isCancelled = false
      const model: Model = { now: NOW, steps: [{ state: WAY[0]![0], at: NOW }] }
      for (const step of all) {
        if (step.kind === 'clock') {
          model.now += step.hours * HOUR
          await control('POST /clock/advance', { by: `${step.hours}h` })
        } else if (step.kind === 'cancel') {
          // An order is cancelled once.
          if (isCancelled) continue
          isCancelled = true
          apply(model, step)
          await control(`POST /orders/${body.order.id}/cancel`, {})
        } else {
          const expected = apply(model, step)
          t.equal((await send(id, step)!).status, expected, JSON.stringify(step))
        }
        const { status, substatus, steps } = (await control(`GET /shipments/${id}`)).body
        t.equal(`${status} ${substatus}`, stateOf(model), JSON.stringify(step))
        t.strictSame(
          steps.map((one: { status: string; substatus: string; at: string }) => [
            `${one.status} ${one.substatus}`,
            Date.parse(one.at),
          ]),
          model.steps.map(({ state, at }) => [state, at]),
        )
      }
    }),
    { numRuns: runs(15) },
  )
})
