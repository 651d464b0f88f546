import { derived } from '../../db/ids.ts'
import { utcSeconds } from '../shared/instants.ts'
import { addressOf, type UserRow } from '../users/queries.ts'
import { addressIdOf, COUNTRY_NAMES, COUNTRY_OF, cityIdOf, type SiteId, splitStreet, stateOf } from '../users/sites.ts'
import type { Address } from './schemas.ts'

/** Where users live who have no address, and the coordinates of all users of a site. */
const HOMES: { [Site in SiteId]?: readonly [...string[], latitude: number, longitude: number] } = {
  MLA: ['Av. de los Jacarandás', 'Buenos Aires', 'AR-C', '1414', -34.6037, -58.3816],
  MLB: ['Rua dos Ipês-Roxos', 'São Paulo', 'BR-SP', '04101-000', -23.5505, -46.6333],
  MLM: ['Calle de los Sauces', 'Ciudad de México', 'MX-CMX', '06100', 19.4326, -99.1332],
  MLC: ['Los Aromos', 'Santiago', 'CL-RM', '8320000', -33.4489, -70.6693],
  MCO: ['Calle 45', 'Bogotá', 'CO-DC', '110311', 4.711, -74.0721],
  MLU: ['Camino de los Ceibos', 'Montevideo', 'UY-MO', '11200', -34.9011, -56.1645],
  MPE: ['Jirón Los Molles', 'Lima', 'PE-LMA', '15001', -12.0464, -77.0428],
  MEC: ['Calle de los Arrayanes', 'Quito', 'EC-P', '170102', -0.1807, -78.4678],
}
const homeOf = (site: SiteId) =>
  (HOMES[site] ?? ['Calle Central', COUNTRY_NAMES[site], '', '10101', 0, 0]) as readonly [
    ...[street: string, city: string, state: string, zip_code: string],
    ...[latitude: number, longitude: number],
  ]

const HIDDEN = 'XXXXXXX'
const hiddenPlace = { id: null, name: HIDDEN }
const CONSTANTS = {
  municipality: { id: null, name: null },
  agency: null,
  geolocation_type: 'APPROXIMATE',
  geolocation_source: 'mercadito',
}

/** The address of one who must not be known yet, or is not known. */
const hiddenAddress = (types: string[]): Address => ({
  ...{ id: null, address_line: HIDDEN, street_name: HIDDEN, street_number: HIDDEN, comment: HIDDEN, zip_code: HIDDEN },
  ...{ city: hiddenPlace, state: hiddenPlace, country: hiddenPlace, neighborhood: hiddenPlace },
  ...CONSTANTS,
  ...{ types, latitude: null, longitude: null, geolocation_last_updated: null },
})

/** An end of a shipment as answers have it: who, and where. */
export interface End {
  id: number | null
  name: string
  phone: string
  address: Address
}

/** A user as sender or receiver; a missing address is invented from the id [spec: shipments.addresses]. */
export function endOf(user: UserRow, types: string[]): End {
  const site = user.site_id as SiteId
  const digits = Number.parseInt(derived('address', String(user.id), 8), 16)
  const [street, homeCity, homeState, homeZip, latitude, longitude] = homeOf(site)
  const { address: ownAddress, zip_code, ...own } = addressOf(user)
  // The parts of an address belong together: a city of their own is not in an invented state.
  const { city, state } = own.city || own.state ? own : { city: homeCity, state: homeState }
  const address_line = ownAddress || `${street} ${100 + (digits % 4800)}`
  const { code, name } = stateOf(state)
  const address = {
    ...{ id: addressIdOf(user.id), address_line, ...splitStreet(address_line), comment: null },
    zip_code: zip_code || (city === homeCity ? homeZip : ''),
    city: { id: cityIdOf(site, city), name: city },
    state: { id: code || null, name },
    country: { id: COUNTRY_OF[site], name: COUNTRY_NAMES[site] },
    neighborhood: { id: null, name: null },
    ...CONSTANTS,
    ...{ types, latitude, longitude, geolocation_last_updated: utcSeconds(user.registration_date) },
  }
  return { id: user.id, name: `${user.first_name} ${user.last_name}`.trim(), phone: user.phone, address }
}

/** One who must not be known yet, or is not known. */
export const hiddenEnd = (id: number | null, types: string[]): End => ({
  ...{ id, name: HIDDEN, phone: HIDDEN },
  address: hiddenAddress(types),
})
export const HIDDEN_PHONE = HIDDEN
