import t from 'tap'
import { advance, cancelShipment, createShipment, printLabels, setState } from '../../domains/shipments/operations.ts'
import { ordersOfShipment, shipmentById, stepsOf } from '../../domains/shipments/queries.ts'
import { stateAt } from '../../domains/shipments/states.ts'
import { NOW, start } from '../support/app.ts'
import { questionFixtures } from '../support/questions.ts'

const app = await start(t)
const { world, control } = app
const { createParties, setClock } = questionFixtures(app)
t.beforeEach(() => setClock(NOW))

t.test('contract', async (t) => {
  const { item, buyer } = await createParties()
  const { status, body } = await control('POST /orders', { item_id: item, buyer: buyer.id })
  t.equal(status, 201)
  t.ok(body.shipment, JSON.stringify(body))
  const row = (await shipmentById(world.read, body.shipment.id))!
  t.equal((await ordersOfShipment(world.read, world, row)).length, 1)
  await world.tx((q) => printLabels(q, world, [row]))
  const steps = (await stepsOf(world.read, [row])).get(row.id)!
  t.matchOnly(
    steps.map(({ substatus }) => substatus),
    ['ready_to_print', 'printed', 'dropped_off', null, 'out_for_delivery', null],
  )
  t.match(stateAt(steps, world.clock.now()), { status: 'ready_to_ship', substatus: 'printed' })
  await world.tx((q) => advance(q, world, row))
  await world.tx((q) => cancelShipment(q, world, row))
  await world.tx((q) => setState(q, world, row, { status: 'delivered', substatus: null }))
  t.ok(createShipment)
})
