import type { Static } from '@sinclair/typebox'
import {
  type Argument,
  type Client,
  type CommandSet,
  defineCommand,
  fields,
  integer,
  mustBe,
  type Output,
  path,
} from '../shared/commands.ts'
import type { ShipmentWithSteps } from './control_schemas.ts'
import { ADVANCE_TO } from './states.ts'

type Shipment = Static<typeof ShipmentWithSteps>

const ID: Argument = ['<id>', 'id of an order or of a shipment', integer(1)]
const stateName = ({ status, substatus }: { status: string; substatus: string | null }) =>
  substatus ? `${status}, ${substatus}` : status

const format = ({ id, mode, logistic_type, tracking_number, steps, ...shipment }: Shipment): Output => [
  fields({
    shipment: id,
    order: shipment.order_id,
    state: stateName(shipment),
    kind: `${mode} ${logistic_type}`,
    tracking: tracking_number,
    next: steps.filter((step) => !step.is_published).map((step) => `${stateName(step)} at ${step.at}`)[0] ?? null,
  }),
  'Read with a token of the seller or the buyer:',
  `  GET /shipments/${id}`,
]

async function advance(client: Client, id: number, to: string | undefined): Promise<Shipment> {
  const order = await client.request(path`GET /orders/${id}`)
  const shipment: number | null = order.status === 200 ? order.body.shipping.id : id
  if (shipment === null) throw mustBe('the id of an order with a shipment')
  return client.call(path`POST /shipments/${shipment}/advance`, { to })
}

const commands = [
  defineCommand<Shipment>({
    name: 'order ship',
    description: 'Move the shipment of an order to its next state, or on to another one',
    args: [ID],
    flags: [{ flags: '--to <state>', description: 'how far; default: the next state', choices: ADVANCE_TO }],
    examples: ['order ship 2000010000000001', 'order ship 43000000001 --to shipped'],
    run: ({ client, args: [id], flags: { to } }) => advance(client, id, to),
    format,
  }),
  defineCommand<Shipment>({
    name: 'order deliver',
    description: 'Deliver the shipment of an order',
    args: [ID],
    examples: ['order deliver 2000010000000001'],
    run: ({ client, args: [id] }) => advance(client, id, 'delivered'),
    format,
  }),
]

export default { commands } satisfies CommandSet
