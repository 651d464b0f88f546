import type { Static } from '@sinclair/typebox'
import {
  type Argument,
  type Client,
  type CommandSet,
  defineCommand,
  fields,
  integer,
  oneOf,
  parseJson,
  parseUser,
  path,
  readOrWrite,
  type Setting,
  table,
} from '../shared/commands.ts'
import type { Settings, Zones } from './control/configuration.ts'
import type { AnySubscription } from './control/subscriptions.ts'
import { FLEX_MODES, NEXT_STATUSES, STATUS_CHANGES } from './tables.ts'

const STATUSES = Object.keys(NEXT_STATUSES)

type Subscription = Static<typeof AnySubscription>

const formatMembers = (answer: object) =>
  fields(Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, flatValue(value)])))
/** The status of a subscription is an object. */
const flatValue = (value: unknown) =>
  typeof value === 'object' && value !== null ? ((value as { id?: unknown }).id ?? JSON.stringify(value)) : value

const yesOrNo = (value: boolean) => (value ? 'yes' : 'no')

const SUBSCRIPTION: Argument = ['<subscription>', 'id of the subscription', integer(0)]
const SHIPMENT: Argument = ['<shipment>', 'id of the shipment', integer(0)]
const MODE: Setting = {
  flags: '--mode <mode>',
  description: 'kind of the subscription',
  defaultValue: 'FLEX',
  choices: FLEX_MODES,
}
const DRIVER: Setting = {
  flags: '--driver <id>',
  description: 'the driver, who starts the route; default: none',
  parse: integer(1),
}

const commands = [
  defineCommand<{ results: Subscription[] }>({
    name: 'flex list',
    description: 'List the subscriptions of all sellers, or of one',
    flags: [{ flags: '--user <user>', description: 'only subscriptions of this seller', parse: parseUser }],
    isDefault: true,
    examples: ['flex list --user 2500000101'],
    run: ({ client, flags: { user } }) => client.get('/flex/subscriptions', { user_id: user, limit: 1000 }),
    format: ({ results }) =>
      table(
        ['id', 'user', 'service', 'mode', 'origin', 'status'],
        results.map(({ id, user_id, service_id, mode, status, origin }) => [
          ...[id, user_id, service_id, mode, origin?.city ?? '', status.id],
        ]),
      ),
  }),
  defineCommand<Subscription>({
    name: 'flex activate',
    description: 'Activate Flex for a seller, whatever the status of the subscription',
    args: [['<user>', 'id or nickname of the seller', parseUser]],
    flags: [MODE],
    examples: ['flex activate 1500000701', 'flex activate 2500000101 --mode TURBO'],
    run: ({ client, args: [user], flags: { mode } }) => activate(client, user, mode),
    format: formatMembers,
  }),
  defineCommand<Subscription>({
    name: 'flex move',
    description: `Change the status of a subscription: ${STATUS_CHANGES}`,
    args: [SUBSCRIPTION, ['<status>', STATUSES.join(', '), oneOf(...STATUSES)]],
    examples: ['flex move 111181 out'],
    run: ({ client, args: [id, status] }) => client.call(path`PATCH /flex/subscriptions/${id}`, { status }),
    format: formatMembers,
  }),
  defineCommand<Static<typeof Settings>>({
    name: 'flex settings',
    description: 'Show when and how far a subscription delivers, or change what flags name',
    args: [SUBSCRIPTION],
    flags: [
      { flags: '--window <window>', description: 'when orders arrive', choices: ['same_day', 'next_day'] },
      {
        flags: '--ranges <json>',
        description: 'such as {"week": [{"from": 14, "to": 21, "capacity": 30, "cutoff": 13}], "saturday": null}',
        parse: parseJson,
      },
      { flags: '--radius <metres>', description: 'radius of a TURBO subscription', parse: integer(0) },
      {
        flags: '--daily-capacity <allowed>',
        description: 'whether days may have different capacities',
        choices: ['yes', 'no'],
      },
    ],
    members: { delivery_window: '--window', delivery_ranges: '--ranges' },
    examples: ['flex settings 111181', 'flex settings 111181 --window next_day', 'flex settings 111182 --radius 5000'],
    run: ({ client, args: [id], flags: { window, ranges, radius, dailyCapacity } }) =>
      readOrWrite(client, path`/flex/subscriptions/${id}/configuration`, {
        delivery_window: window,
        delivery_ranges: ranges,
        radius,
        daily_capacity: dailyCapacity && dailyCapacity === 'yes',
      }),
    format: ({ delivery_ranges, mode, delivery_window, radius, daily_capacity }) => [
      fields({ mode, delivery_window, radius, daily_capacity }),
      '',
      table(
        ['days', 'from', 'to', 'capacity', 'cutoff'],
        Object.entries(delivery_ranges).flatMap(([day, ranges]) =>
          (ranges ?? []).map(({ from, to, capacity, cutoff }) => [day, from, to, capacity, cutoff]),
        ),
      ),
    ],
  }),
  defineCommand<Static<typeof Zones>>({
    name: 'flex zones',
    description: 'Show the zones that a subscription can serve, or set those that it serves',
    args: [
      SUBSCRIPTION,
      ['[zones...]', 'ids of the zones to serve', (text, previous: object[] = []) => [...previous, { id: text }]],
    ],
    members: { zones: '[zones...]' },
    examples: ['flex zones 111181', 'flex zones 111181 CABA CABA_Sur'],
    run: ({ client, args: [id, zones] }) =>
      readOrWrite(client, path`/flex/subscriptions/${id}/zones`, { zones: zones?.length > 0 ? zones : undefined }),
    format: ({ zones }) =>
      table(
        ['zone', 'name', 'served', 'mandatory'],
        zones.map(({ id, label, selected, is_mandatory }) => [id, label, yesOrNo(selected), yesOrNo(is_mandatory)]),
      ),
  }),
  defineCommand<object>({
    name: 'flex item',
    description: 'Show whether a listing is offered with Flex, or switch it on or off',
    args: [
      ['<item>', 'id of the listing'],
      ['[state]', 'on, off', oneOf('on', 'off')],
    ],
    members: { has_flex: '[state]' },
    examples: ['flex item MLA1400000009', 'flex item MLA1400000009 on'],
    run: ({ client, args: [id, state] }) =>
      readOrWrite(client, path`/flex/items/${id}`, { has_flex: state && state === 'on' }),
    format: formatMembers,
  }),
  defineCommand<object>({
    name: 'flex ship',
    description: 'Create a shipment of a seller',
    args: [['<user>', 'id or nickname of the seller', parseUser]],
    flags: [DRIVER, { flags: '--id <number>', description: 'id of the new shipment', parse: integer(0) }],
    members: { seller_id: '<user>' },
    examples: ['flex ship 2500000101 --driver 81234567'],
    run: ({ client, args: [seller_id], flags: { driver: driver_id, id } }) =>
      client.call('POST /shipments', { seller_id, id, driver_id }),
    format: formatMembers,
  }),
  defineCommand<object>({
    name: 'flex assign',
    description: 'Assign a shipment to a driver, who starts the route',
    args: [
      SHIPMENT,
      ['<driver>', 'id of the driver, or nobody', (text) => (text === 'nobody' ? null : integer(1)(text))],
    ],
    examples: ['flex assign 43000000001 81234567', 'flex assign 43000000001 nobody'],
    run: ({ client, args: [id, driver_id] }) => client.call(path`PATCH /shipments/${id}`, { driver_id }),
    format: formatMembers,
  }),
  defineCommand<object>({
    name: 'flex route',
    description: 'Set whether the driver is on the way',
    args: [SHIPMENT, ['<state>', 'open, closed', oneOf('open', 'closed')]],
    members: { route_open: '<state>' },
    examples: ['flex route 43000000001 closed'],
    run: ({ client, args: [id, state] }) => client.call(path`PATCH /shipments/${id}`, { route_open: state === 'open' }),
    format: formatMembers,
  }),
]

async function activate(client: Client, user_id: number, mode: string): Promise<Subscription> {
  const { results } = await client.get('/flex/subscriptions', { user_id, limit: 1000 })
  let subscription: Subscription | undefined = results.find((one: Subscription) => one.mode === mode)
  if (!subscription) return client.call('POST /flex/subscriptions', { user_id, mode, status: 'in' })
  while (subscription.status.id !== 'in') {
    const status = NEXT_STATUSES[subscription.status.id][0]
    subscription = (await client.call(path`PATCH /flex/subscriptions/${subscription.id}`, { status })) as Subscription
  }
  return subscription
}

export default { parents: { flex: 'Flex subscriptions, shipments and drivers' }, commands } satisfies CommandSet
