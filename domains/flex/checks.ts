import { type CallChecks, type CallContext, defineChecks, type FindValues, ownUser } from '../../http/errors/checks.ts'
import { itemById, listItems } from '../items/queries.ts'
import { isActiveListing, OWN_LISTING } from '../shared/checks.ts'
import { listShipments, shipmentById } from '../shipments/queries.ts'
import { userById } from '../users/queries.ts'
import { listSubscriptions } from './queries.ts'
import { SETTING_KINDS, type SettingKind } from './setting_operations.ts'

// Values with which calls of Flex succeed, for explanations.

const PAGE = { limit: 20, offset: 0 }

/** The site of what the call names, else that of the caller. */
async function sites({ q, caller, sent }: CallContext): Promise<string[]> {
  const item = await itemById(q, String(sent('item_id')))
  const shipment = await shipmentById(q, Number(sent('shipment_id')))
  const user = await userById(q, caller?.user_id ?? Number(sent('user_id')))
  return [item?.site_id, shipment?.site_id, user?.site_id].filter((one) => one !== undefined)
}

const servicesOf =
  (kind: SettingKind): FindValues =>
  async ({ q, caller, sent }) => {
    const user_id = caller?.user_id ?? Number(sent('user_id'))
    const { rows } = await listSubscriptions(q, { user_id, mode: SETTING_KINDS[kind].modes[0] }, PAGE)
    return rows.filter(({ status }) => status !== 'out').map(({ service_id }) => service_id)
  }

async function sellerOfService({ q, sent }: CallContext): Promise<number[]> {
  const filter = { service_id: Number(sent('service_id')) }
  return (await listSubscriptions(q, filter, PAGE)).rows.map(({ user_id }) => user_id)
}

/** Active listings of the caller that are shipped by ME2; `isInFlex` undefined: offered with Flex or not. */
const switchableListings =
  (isInFlex: boolean | undefined): FindValues =>
  async ({ q, caller }) => {
    if (!caller) return []
    const filter = {
      seller_id: caller.user_id,
      status: 'active' as const,
      shipping_mode: 'me2' as const,
      in_flex: isInFlex === undefined ? undefined : Number(isInFlex),
    }
    return (await listItems(q, filter, PAGE)).rows.map(({ id }) => id)
  }

async function sellerOfListing({ q, sent }: CallContext): Promise<number[]> {
  const item = await itemById(q, String(sent('item_id')))
  return item ? [item.seller_id] : []
}

/** Shipments of the caller whose driver is on the way. */
async function shipments({ q, caller }: CallContext): Promise<number[]> {
  if (!caller) return []
  const filter = { seller_id: caller.user_id, driver_status: 'on_route' as const }
  return (await listShipments(q, filter, PAGE)).rows.map(({ id }) => id)
}

/** Shipments of any seller that a courier can take. */
async function shipmentsWithoutDriver({ q, caller }: CallContext): Promise<number[]> {
  const user = await userById(q, caller?.user_id ?? 0)
  const { rows } = await listShipments(q, { driver_status: 'unassigned' }, PAGE)
  // Those of the caller's site first: the site of the call is found by it.
  const isNear = ({ site_id }: { site_id: string }) => site_id === user?.site_id
  return [...rows.filter(isNear), ...rows.filter((row) => !isNear(row))].map(({ id }) => id)
}

const CHECKS = defineChecks({
  user_exists: ['flex.user_not_found', 'The user exists', 'El usuario existe', 'O usuário existe'],
  own_user: ['flex.rights', 'The user is the caller', 'El usuario es quien llama', 'O usuário é quem chama'],
  query_body: [
    'flex.query.not_json',
    'The body is a JSON object with the text query',
    'El cuerpo es un objeto JSON con el texto query',
    'O corpo é um objeto JSON com o texto query',
    'query',
  ],
  graphql: [
    ['flex.query.invalid', 'flex.query.block_strings', 'flex.query.not_of_schema', 'flex.query.null_arguments'],
    'query is a GraphQL query of the schema',
    'query es una consulta GraphQL del esquema',
    'query é uma consulta GraphQL do esquema',
    'query',
  ],
  pair: [
    'flex.query.not_found',
    'The user has a subscription with that service_id on the site',
    'El usuario tiene una suscripción con ese service_id en el sitio',
    'O usuário tem uma assinatura com esse service_id no site',
    'query',
  ],
  settings_body: [
    'flex.settings.ids',
    'The body is a JSON object',
    'El cuerpo es un objeto JSON',
    'O corpo é um objeto JSON',
  ],
  service: [
    'flex.settings.pair',
    'The user has a subscription of this mode with that service_id on the site',
    'El usuario tiene una suscripción de este modo con ese service_id en el sitio',
    'O usuário tem uma assinatura deste modo com esse service_id no site',
    'service_id',
  ],
  subscription_status: [
    'flex.settings.out',
    'The status of the subscription is in or pending',
    'El estado de la suscripción es in o pending',
    'O status da assinatura é in ou pending',
    'service_id',
  ],
  settings_exist: [
    'flex.newer.not_found',
    'The user has a subscription with these settings and that service_id on the site',
    'El usuario tiene una suscripción con esta configuración y ese service_id en el sitio',
    'O usuário tem uma assinatura com esta configuração e esse service_id no site',
    'service_id',
  ],
  settings: [
    [
      'flex.configuration.window',
      'flex.delivery.off',
      'flex.delivery.days',
      'flex.delivery.refusals',
      'flex.delivery.capacity',
      'flex.coverage',
      'flex.coverage.refusals',
      'flex.turbo.settings',
      'flex.newer.zones.cutoff',
      'flex.newer.ranges.cutoff',
      'flex.newer.holidays',
    ],
    'The settings are allowed',
    'La configuración está permitida',
    'A configuração é permitida',
  ],
  listing_exists: [
    'flex.items.order',
    'The listing exists on this site',
    'La publicación existe en este sitio',
    'O anúncio existe neste site',
    'item_id',
  ],
  me2: [
    'flex.items.order',
    'The listing is shipped by ME2',
    'La publicación se envía con ME2',
    'O anúncio é enviado com ME2',
    'item_id',
  ],
  in_flex: [
    'flex.items.state',
    'The listing is offered with Flex',
    'La publicación se ofrece con Flex',
    'O anúncio é oferecido com Flex',
    'item_id',
  ],
  not_in_flex: [
    'flex.items.state',
    'The listing is not offered with Flex yet',
    'La publicación todavía no se ofrece con Flex',
    'O anúncio ainda não é oferecido com Flex',
    'item_id',
  ],
  listing_active: isActiveListing('flex.items.active'),
  subscribed: [
    'flex.activation_needs_subscription',
    'The caller has a FLEX subscription that is in or pending',
    'Quien llama tiene una suscripción FLEX en estado in o pending',
    'Quem chama tem uma assinatura FLEX com status in ou pending',
  ],
  no_change_in_flight: [
    'flex.items.conflict',
    'No other change of the listing is in flight',
    'Ningún otro cambio de la publicación está en curso',
    'Nenhuma outra mudança do anúncio está em andamento',
    'item_id',
  ],
  shipment_exists: [
    'flex.courier',
    'The shipment exists on this site',
    'El envío existe en este sitio',
    'O envio existe neste site',
    'shipment_id',
  ],
  no_driver: [
    'flex.courier.conflict',
    'The shipment has no driver yet',
    'El envío todavía no tiene repartidor',
    'O envio ainda não tem entregador',
    'shipment_id',
  ],
  assigned: [
    'flex.driver',
    'The shipment is one of the caller on this site, and its driver is on the way',
    'El envío es de quien llama en este sitio, y su repartidor está en camino',
    'O envio é de quem chama neste site, e seu entregador está a caminho',
    'shipment_id',
  ],
})

export const LIST_SUBSCRIPTIONS: CallChecks = {
  order: 'flex.order',
  checks: [
    { ...CHECKS.user_exists, field: 'user_id' },
    { ...CHECKS.own_user, field: 'user_id' },
  ],
  values: { site_id: sites, user_id: ownUser },
}

export const QUERY_CONFIGURATION: CallChecks = {
  order: 'flex.order',
  checks: [
    CHECKS.query_body,
    CHECKS.graphql,
    { ...CHECKS.user_exists, field: 'query' },
    { ...CHECKS.own_user, field: 'query' },
    CHECKS.pair,
  ],
  values: { site_id: sites },
}

export const changeSettingsChecks = (kind: SettingKind): CallChecks => ({
  order: 'flex.order',
  checks: [
    CHECKS.settings_body,
    CHECKS.service,
    { ...CHECKS.own_user, field: 'user_id' },
    CHECKS.subscription_status,
    CHECKS.settings,
  ],
  values: { site_id: sites, user_id: ownUser, service_id: servicesOf(kind) },
  callers: sellerOfService,
})

export const readSettingsChecks = (kind: SettingKind): CallChecks => ({
  ...changeSettingsChecks(kind),
  checks: [CHECKS.settings_exist, { ...CHECKS.own_user, field: 'user_id' }],
})

const ITEM_CHECKS = [CHECKS.listing_exists, OWN_LISTING, CHECKS.me2]

const itemChecks = (checks: CallChecks['checks'], isInFlex?: boolean): CallChecks => ({
  order: 'flex.items.order',
  checks: [...ITEM_CHECKS, ...checks],
  values: { site_id: sites, item_id: switchableListings(isInFlex) },
  callers: sellerOfListing,
})

export const CHECK_ITEM = itemChecks([CHECKS.in_flex], true)
export const READ_ITEM = itemChecks([])
export const ACTIVATE_ITEM = itemChecks([CHECKS.not_in_flex, CHECKS.listing_active, CHECKS.subscribed], false)
export const DEACTIVATE_ITEM = itemChecks([CHECKS.in_flex], true)

/** A change in flight is found before the state of the listing is read. */
export const newerItemChecks = ({ checks, ...rest }: CallChecks): CallChecks => ({
  ...rest,
  checks: [...checks.slice(0, ITEM_CHECKS.length), CHECKS.no_change_in_flight, ...checks.slice(ITEM_CHECKS.length)],
})

export const REGISTER_COURIER: CallChecks = {
  order: 'flex.order',
  checks: [...LIST_SUBSCRIPTIONS.checks, CHECKS.shipment_exists, CHECKS.no_driver],
  values: { site_id: sites, user_id: ownUser, shipment_id: shipmentsWithoutDriver },
}

export const READ_ASSIGNMENT: CallChecks = {
  order: 'http.order',
  checks: [CHECKS.assigned],
  values: { site_id: sites, shipment_id: shipments },
}
