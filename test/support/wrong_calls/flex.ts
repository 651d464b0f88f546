import { assignDriver, createParcel, unassignDriver } from '../../../domains/shipments/driver_operations.ts'
import type { TestApp } from '../app.ts'
import { configurationQuery, flexFixtures, type Kind } from '../flex.ts'
import type { Draft, WrongCalls } from './draft.ts'

const NO_USER = 999
const NO_SERVICE = 5
const SERVICE = '/flex/sites/:site_id/users/:user_id/services/:service_id'
const NO_ITEM = 'MLA9999999999'

const BODIES: Record<Kind | NewerKind, Record<string, unknown>> = {
  custom: { delivery_ranges: { week: [{ from: 14, to: 21, capacity: 30, cutoff: 13 }] } },
  zone: { zones: [{ id: 'CABA' }] },
  accurate: { delivery_ranges: { week: [10, 11, 12].map((from) => ({ from, to: from + 2, capacity: 20 })) } },
  radius: { radius: 5000 },
  zones: { zones: [{ id: 'CABA' }] },
  ranges: { delivery_ranges: { week: [{ from: 14, to: 21, capacity: 30, cutoff: 13 }] } },
  holidays: { holidays: [] },
}
type NewerKind = 'zones' | 'ranges' | 'holidays'

/** The routes of Flex. */
export async function flexCalls(app: TestApp): Promise<WrongCalls[]> {
  const fixtures = flexFixtures(app)
  const active = await fixtures.createFlexSeller()
  const out = await fixtures.createFlexSeller('out')
  const { seller, flex, turbo } = active
  const withoutFlex = await fixtures.createSeller()
  const waiting = await app.world.tx(
    async (q) => (await createParcel(q, app.world, { site_id: 'MLA', seller_id: seller.id })).id,
  )
  const shipment = await app.world.tx(async (q) => {
    const { id } = await createParcel(q, app.world, { site_id: 'MLA', seller_id: seller.id })
    return (await assignDriver(q, app.world, id, 7))!
  })

  const subscriptions = (route: string): WrongCalls => ({
    route,
    caller: seller,
    params: { site_id: 'MLA', user_id: seller.id },
    breaks: {
      user_exists: (call) => call.setParam('user_id', NO_USER),
      own_user: (call) => call.setParam('user_id', out.seller.id),
    },
    exclusive: { 'param user_id': 'a user who does not exist belongs to no user' },
  })

  const settings = (kind: Kind | NewerKind, route: string): WrongCalls => {
    const isRead = route.startsWith('GET')
    const row = kind === 'accurate' || kind === 'radius' ? 'turbo' : 'flex'
    const [member] = Object.keys(BODIES[kind]) as [string]
    return {
      route,
      caller: seller,
      params: { site_id: 'MLA' },
      ...(!isRead && { body: BODIES[kind] }),
      breaks: {
        settings_body: (call) => call.setText('{'),
        service: (call) => call.setParam('service_id', NO_SERVICE),
        settings_exist: (call) => call.setParam('service_id', NO_SERVICE),
        own_user: (call) => {
          call.uses('param user_id', 'param service_id')
          call.setState('foreign', true)
        },
        subscription_status: (call) => {
          call.uses('param user_id', 'param service_id')
          call.setState('out', true)
        },
        settings: (call) => call.setMember(member, 'x'),
      },
      async prepare(call) {
        const owner = call.state.out ? out : call.state.foreign ? await fixtures.createFlexSeller() : active
        if (call.state.out && !call.state.foreign) call.caller = call.caller && out.seller
        call.fill('param', 'user_id', owner.seller.id)
        call.fill('param', 'service_id', owner[row].service_id)
      },
      exclusive: {
        'param user_id': 'an id that is none has no subscription',
        'param service_id': 'an id that is none, or unknown, has no subscription',
      },
    }
  }

  const items = (route: string, isInFlex: boolean): WrongCalls => {
    const state = (name: string, value: unknown) => (call: Draft) => {
      call.uses('param item_id', ...(name === 'exists' ? [] : ['state exists']))
      call.setState(name, value)
    }
    return {
      route,
      caller: seller,
      params: { site_id: 'MLA' },
      breaks: {
        listing_exists: state('exists', false),
        own_listing: state('foreign', true),
        me2: state('shipping_mode', 'custom'),
        in_flex: state('in_flex', 0),
        not_in_flex: state('in_flex', 1),
        listing_active: state('status', 'paused'),
        subscribed: state('subscribed', false),
      },
      async prepare(call) {
        const { exists = true, foreign = false, subscribed = true, ...columns } = call.state
        // The subscription that counts is that of the caller.
        if (!subscribed && call.caller) call.caller = withoutFlex
        const owner = foreign ? out.seller : subscribed ? seller : withoutFlex
        const item = await fixtures.createListing(owner, { in_flex: isInFlex ? 1 : 0, ...columns })
        call.fill('param', 'item_id', exists ? item : NO_ITEM)
      },
      // Calls are sent one after the other.
      unreachable: ['no_change_in_flight'],
      exclusive: {
        'param item_id': 'an id that is none names no listing',
        'state exists': 'a listing that does not exist has no seller and no status',
      },
    }
  }
  return [
    subscriptions('GET /shipping/flex/sites/:site_id/users/:user_id/subscriptions/v1'),
    subscriptions('GET /flex/sites/:site_id/users/:user_id/subscriptions/v1'),
    {
      route: 'POST /shipping/flex/sites/:site_id/configuration/v3',
      caller: seller,
      params: { site_id: 'MLA' },
      body: { query: configurationQuery(seller.id, flex.service_id) },
      breaks: {
        query_body: (call) => call.setText('{'),
        graphql: (call) => call.setMember('variables', 5),
        user_exists: (call) => call.setMember('query', configurationQuery(NO_USER, flex.service_id)),
        own_user: (call) => call.setMember('query', configurationQuery(out.seller.id, NO_SERVICE)),
        pair: (call) => call.setMember('query', configurationQuery(seller.id, NO_SERVICE)),
      },
      exclusive: { 'member query': 'a query names one user, who does not exist, is another or has no such service' },
    },
    settings('custom', `PUT /shipping${SERVICE}/configuration/delivery/custom/v3`),
    settings('zone', `PUT /shipping${SERVICE}/configuration/coverage/zone/v3`),
    settings('accurate', `PUT /shipping${SERVICE}/configuration/delivery/accurate/v3`),
    settings('radius', `PUT /shipping${SERVICE}/configuration/coverage/radius/v3`),
    ...['GET', 'PUT'].flatMap((method) => [
      settings('zones', `${method} ${SERVICE}/configurations/coverage/zones/v1`),
      settings('ranges', `${method} ${SERVICE}/configurations/delivery-ranges/v1`),
      settings('holidays', `${method} ${SERVICE}/configurations/holidays/v1`),
    ]),
    {
      ...subscriptions('POST /flex/sites/:site_id/users/:user_id/courier-shipment/v1'),
      body: { shipment_id: waiting },
      breaks: {
        ...subscriptions('').breaks,
        shipment_exists: (call) => call.setMember('shipment_id', NO_SERVICE),
        no_driver: (call) => call.setMember('shipment_id', shipment.id),
      },
      exclusive: {
        'param user_id': 'a user who does not exist belongs to no user',
        'member shipment_id': 'an id that is none, or unknown, has no driver',
      },
      // The shipment has no driver as long as every call is refused.
      async prepare(call) {
        await app.world.tx((q) => unassignDriver(q, waiting))
        call.fill('param', 'user_id', seller.id)
      },
    },
    items('GET /sites/:site_id/shipping/selfservice/items/:item_id', true),
    items('POST /sites/:site_id/shipping/selfservice/items/:item_id', false),
    items('DELETE /sites/:site_id/shipping/selfservice/items/:item_id', true),
    items('GET /flex/sites/:site_id/items/:item_id/v2', false),
    items('POST /flex/sites/:site_id/items/:item_id/v2', false),
    items('DELETE /flex/sites/:site_id/items/:item_id/v2', true),
    ...['v1', 'v2'].map(
      (version): WrongCalls => ({
        route: `GET /flex/sites/:site_id/shipments/:shipment_id/assignment/${version}`,
        caller: seller,
        params: { site_id: 'MLA', shipment_id: shipment.id },
        breaks: { assigned: (call) => call.setParam('shipment_id', turbo.id) },
        exclusive: { 'param shipment_id': 'an id that is none names no shipment' },
      }),
    ),
  ]
}
