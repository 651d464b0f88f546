import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsync } from 'fastify'
import { utcMillis } from '../shared/instants.ts'
import { orNull, shape } from '../shared/shape.ts'
import { addressOf, type UserRow } from '../users/queries.ts'
import { addressIdOf, COUNTRY_NAMES, COUNTRY_OF, cityIdOf, type SiteId, splitStreet, stateOf } from '../users/sites.ts'
import { addReads, OWN_USER } from './reads.ts'

// Addresses and shipping preferences of the caller, from the user [spec: catalogue.addresses, catalogue.shipping_preferences].

function addressesOf(user: UserRow) {
  const { address, city, state, zip_code } = addressOf(user)
  const site = user.site_id as SiteId
  const { street_name, street_number } = splitStreet(address)
  const none = { floor: null, apartment: null }
  return [
    {
      ...{
        id: addressIdOf(user.id),
        user_id: user.id,
        contact: `${user.first_name} ${user.last_name}`,
        phone: user.phone,
      },
      ...{ address_line: address, ...none, street_number: street_number || null, street_name, zip_code },
      ...{ city: { id: cityIdOf(site, city), name: city }, state: { id: state, name: stateOf(state).name } },
      country: { id: COUNTRY_OF[site] as string, name: COUNTRY_NAMES[site] as string },
      ...{ neighborhood: { id: null, name: null }, municipality: { id: null, name: null }, search_location: null },
      types: ['default_selling_address', 'default_buying_address', 'shipping', 'billing'],
      ...{ comment: null, geolocation_type: 'APPROXIMATE', latitude: null, longitude: null, status: 'active' },
      ...{ date_created: utcMillis(user.registration_date), normalized: true, open_hours: null },
    },
  ]
}
const SAMPLE = {
  ...{ id: 2500000101, site_id: 'MLA', first_name: 'Ana', last_name: 'Paz', phone: '1', registration_date: 0 },
  address: JSON.stringify({ address: 'Los Teros 120', city: 'Buenos Aires', state: 'AR-C', zip_code: '1425' }),
} as UserRow
const Addresses = Type.Array(
  shape(
    { ...addressesOf(SAMPLE)[0]!, street_number: orNull('120') },
    { title: 'UserAddress', description: 'An address' },
  ),
)

const way = (type: string, isDefault: boolean) => ({ type, carrier_pickup: false, services: [], default: isDefault })
const preferencesOf = ({ site_id }: UserRow) => ({
  ...{ local_pick_up: true, modes: ['custom', 'not_specified', 'me2'], trusted_user: true, custom_calculator: null },
  ...{ picking_type: 'drop_off', thermal_printer: false, option: 'in', tags: ['me2_available'], carrier_pickup: false },
  ...{ items_combination: true, services: [] },
  logistics: [
    { mode: 'me2', types: [way('drop_off', true), way('self_service', false), way('cross_docking', false)] },
    { mode: 'custom', types: [way('custom', false)] },
    { mode: 'not_specified', types: [way('not_specified', false)] },
  ],
  ...{ content_declaration_disabled: false, conciliation: null, mandatory_invoice_data: false, site_id },
  ...{ free_configurations: [], mandatory_settings: null },
})
const Preferences = shape(preferencesOf(SAMPLE), { title: 'ShippingPreferences', description: 'How the caller ships' })

const resource = {
  name: 'Settings of users',
  description: 'Addresses and shipping preferences of the caller',
  id: 'user_id',
}

const settings: FastifyPluginAsync = async (app) => {
  addReads(app, { resource, access: 'token' }, OWN_USER, [
    ['/users/:user_id/addresses', 'List the addresses of the caller', Addresses, addressesOf],
    ['/users/:user_id/shipping_preferences', 'Read how the caller ships', Preferences, preferencesOf],
  ])
}
export default settings
