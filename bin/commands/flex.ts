import { type Client, path, queryString } from '../client.ts'
import { type Argument, defineCommand, oneOf } from '../command.ts'
import { fields, table } from '../output.ts'
import { integer, type Setting } from '../settings.ts'

const MODES = ['FLEX', 'TURBO']
const STATUSES = ['pending', 'in', 'out'] as const
type Status = (typeof STATUSES)[number]

interface Subscription {
  id: number
  user_id: number
  service_id: number
  mode: string
  status: { id: Status }
  [member: string]: unknown
}
interface Shipment {
  id: number
  [member: string]: unknown
}

const formatMembers = (one: object) =>
  fields(Object.fromEntries(Object.entries(one).map(([name, value]) => [name, flatValue(value)])))
/** Subscriptions have their status as an object. */
const flatValue = (value: unknown) =>
  typeof value === 'object' && value !== null ? ((value as { id?: unknown }).id ?? JSON.stringify(value)) : value

const SUBSCRIPTION: Argument = ['<subscription>', 'id of the subscription', integer(0)]
const SHIPMENT: Argument = ['<shipment>', 'id of the shipment', integer(0)]
const MODE: Setting = { flags: '--mode <mode>', description: 'of which kind', defaultValue: 'FLEX', choices: MODES }
const DRIVER: Setting = {
  flags: '--driver <id>',
  description: 'who carries it and sets out with it; nobody without',
  parse: integer(1),
}

export const flexCommands = [
  defineCommand<{ results: Subscription[] }>({
    name: 'flex list',
    description: 'Subscriptions of all sellers, or of one',
    flags: [{ flags: '--user <id>', description: 'only those of this seller', parse: integer(0) }],
    isDefault: true,
    examples: ['flex list --user 2500000101'],
    run: ({ client, flags: { user } }) =>
      client.call(`GET /flex/subscriptions${queryString({ user_id: user, limit: 1000 })}`),
    format: ({ results }) =>
      table(
        ['id', 'user', 'service', 'mode', 'status'],
        results.map(({ id, user_id, service_id, mode, status }) => [id, user_id, service_id, mode, status.id]),
      ),
  }),
  defineCommand<Subscription>({
    name: 'flex activate',
    description: 'Let a seller deliver with Flex, whatever the subscription was before',
    args: [['<user>', 'id of the seller', integer(0)]],
    flags: [MODE],
    examples: ['flex activate 2500000701', 'flex activate 2500000101 --mode TURBO'],
    run: ({ client, args: [user], flags: { mode } }) => activate(client, user, mode),
    format: formatMembers,
  }),
  defineCommand<Subscription>({
    name: 'flex move',
    description: 'Move a subscription: pending, then in, then out, then pending again',
    args: [SUBSCRIPTION, ['<status>', STATUSES.join(', '), oneOf(...STATUSES)]],
    examples: ['flex move 111181 out'],
    run: ({ client, args: [id, status] }) => client.call(path`PATCH /flex/subscriptions/${id}`, { status }),
    format: formatMembers,
  }),
  defineCommand<Shipment>({
    name: 'flex ship',
    description: 'Make a shipment of a seller',
    args: [['<user>', 'id of the seller', integer(0)]],
    flags: [DRIVER, { flags: '--id <number>', description: 'id of the new shipment', parse: integer(0) }],
    examples: ['flex ship 2500000101 --driver 81234567'],
    run: ({ client, args: [seller_id], flags: { driver: driver_id, id } }) =>
      client.call('POST /shipments', { seller_id, id, driver_id }),
    format: formatMembers,
  }),
  defineCommand<Shipment>({
    name: 'flex assign',
    description: 'Give a shipment to a driver, who sets out with it',
    args: [
      SHIPMENT,
      ['<driver>', 'id of the driver, or nobody', (text) => (text === 'nobody' ? null : integer(1)(text))],
    ],
    examples: ['flex assign 43000000001 81234567', 'flex assign 43000000001 nobody'],
    run: ({ client, args: [id, driver_id] }) => client.call(path`PATCH /shipments/${id}`, { driver_id }),
    format: formatMembers,
  }),
  defineCommand<Shipment>({
    name: 'flex route',
    description: 'Say whether the driver is on the way',
    args: [SHIPMENT, ['<state>', 'open, closed', oneOf('open', 'closed')]],
    examples: ['flex route 43000000001 closed'],
    run: ({ client, args: [id, state] }) => client.call(path`PATCH /shipments/${id}`, { route_open: state === 'open' }),
    format: formatMembers,
  }),
]

/** The way from each status to `in`. */
const TRANSITIONS_TO_IN: Record<Status, Status[]> = { pending: ['in'], in: [], out: ['pending', 'in'] }

async function activate(client: Client, user_id: number, mode: string): Promise<Subscription> {
  const { results } = await client.call(`GET /flex/subscriptions${queryString({ user_id, limit: 1000 })}`)
  let found: Subscription | undefined = results.find((one: Subscription) => one.mode === mode)
  if (!found) return client.call('POST /flex/subscriptions', { user_id, mode, status: 'in' })
  for (const status of TRANSITIONS_TO_IN[found.status.id])
    found = (await client.call(path`PATCH /flex/subscriptions/${found!.id}`, { status })) as Subscription
  return found
}
