import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsync } from 'fastify'
import { notFound } from '../../http/errors/errors.ts'
import { both, named, type Read } from '../shared/reads.ts'
import { shape } from '../shared/shape.ts'
import { addressOf } from '../users/queries.ts'
import {
  COUNTRY_NAMES,
  COUNTRY_OF,
  CURRENCY_OF,
  cityIdOf,
  languageOf,
  SITES,
  type SiteId,
  stateOf,
  statesOf,
} from '../users/sites.ts'
import { addressesOfSite, addressesOfState, addressOfZipCode } from './queries.ts'
import { addReads } from './reads.ts'

// Countries and states are constants, cities and postal codes are where the world's users live [spec: catalogue.locations].

const countryOf = (site_id: SiteId) => ({ id: COUNTRY_OF[site_id] as string, name: COUNTRY_NAMES[site_id] })
const siteOfCountry = (id: string) => SITES.find((site_id) => COUNTRY_OF[site_id] === id)
function presentCountry(site_id: SiteId) {
  const { id, name } = countryOf(site_id)
  return { id, name, locale: `${languageOf(site_id)}_${id}`, currency_id: CURRENCY_OF[site_id] }
}
const wholeCountry = (site_id: SiteId) => ({
  ...presentCountry(site_id),
  decimal_separator: ',',
  thousands_separator: '.',
  time_zone: null,
  geo_information: null,
  states: statesOf(COUNTRY_OF[site_id]),
})
const Countries = Type.Array(shape(presentCountry('MLA'), { title: 'CountryName', description: 'A country' }))
const Country = shape(wholeCountry('MLA'), { title: 'Country', description: 'A country with its states' })

const rule = 'catalogue.locations.not_found'
const OF_COUNTRY = named('country_id', { rule, words: ['country', 'AR', 'El país', 'O país'], find: siteOfCountry })

interface Named {
  id: string
  name: string
}
interface State extends Named {
  site_id: SiteId
}
function stateById(id: string): State | undefined {
  const site_id = siteOfCountry(id.slice(0, 2))
  const state = site_id && statesOf(COUNTRY_OF[site_id]).find((one) => one.id === id)
  return state && { ...state, site_id: site_id! }
}
const OF_STATE = named('state_id', { rule, words: ['state', 'AR-C', 'El estado', 'O estado'], find: stateById })

const cityOf = (site_id: string, name: string): Named => ({ id: cityIdOf(site_id, name), name })

async function citiesOf(state: State, { world }: Read) {
  const rows = await addressesOfState(world.read, state.id)
  const names = [...new Set(rows.map((row) => addressOf(row).city))].sort()
  return names.map((name) => cityOf(state.site_id, name))
}
const NOWHERE = { geo_information: null, time_zone: null }
function presentState({ id, name, site_id }: State, cities: Named[]) {
  return { id, name, country: countryOf(site_id), ...NOWHERE, cities }
}
const wholeState = async (state: State, request: Read) => presentState(state, await citiesOf(state, request))
const STATE = stateById('AR-C')!
const CITY = cityOf(STATE.site_id, 'Buenos Aires')
const StateOfCountry = shape(presentState(STATE, [CITY]), {
  title: 'State',
  description: 'A state with the cities in which users of the world live',
})

function presentCity(city: Named, { id, name, site_id }: State) {
  return { ...city, state: { id, name }, country: countryOf(site_id), ...NOWHERE, neighborhoods: [] }
}
/** The id of a city begins with its site. */
async function cityById(city_id: string, { world }: Read) {
  const site_id = Buffer.from(city_id, 'base64url').toString().slice(0, 3)
  const rows = await addressesOfSite(world.read, site_id)
  const found = rows.map(addressOf).find(({ city, state }) => stateById(state) && cityIdOf(site_id, city) === city_id)
  return found && presentCity({ id: city_id, name: found.city }, stateById(found.state)!)
}
const OF_CITY = named('city_id', { rule, words: ['city', CITY.id, 'La ciudad', 'A cidade'], find: cityById })
const City = shape(presentCity(CITY, STATE), { title: 'City' })

function presentZipCode(zip_code: string, site_id: SiteId, address: { city: string; state: string }) {
  const [city, id] = [cityOf(site_id, address.city), address.state]
  return { zip_code, city, state: { id, name: stateOf(id).name }, country: countryOf(site_id) }
}
async function findZipCode(zip_code: string, { world, params: { country_id } }: Read) {
  const site_id = siteOfCountry(country_id)!
  const row = await addressOfZipCode(world.read, site_id, zip_code)
  return row && presentZipCode(zip_code, site_id, addressOf(row))
}
const OF_ZIP_CODE = named('zip_code', {
  rule,
  words: ['postal code', '1425', 'El código postal', 'O CEP'],
  find: findZipCode,
  error: (code, field) => notFound(rule, `Zip code not found: ${code}`, field),
})
const ZipCode = shape(presentZipCode('1425', 'MLA', { city: CITY.name, state: STATE.id }), { title: 'ZipCode' })

const resource = { name: 'Locations', description: 'Countries, states and cities' }
const config = { resource, access: 'public' } as const

const locations: FastifyPluginAsync = async (app) => {
  const classified = '/classified_locations'
  addReads(app, config, { checks: [], params: {}, find: () => SITES }, [
    [`${classified}/countries`, 'List the countries', Countries, (sites) => sites.map(presentCountry)],
  ])
  addReads(app, config, OF_COUNTRY, [
    [`${classified}/countries/:country_id`, 'Read one country', Country, wholeCountry],
    ['/countries/:country_id', 'Read one country, by its shorter path', Country, wholeCountry],
  ])
  addReads(app, config, OF_STATE, [[`${classified}/states/:state_id`, 'Read one state', StateOfCountry, wholeState]])
  addReads(app, config, OF_CITY, [[`${classified}/cities/:city_id`, 'Read one city', City, (city) => city]])
  addReads(app, config, both(OF_COUNTRY, OF_ZIP_CODE), [
    ['/countries/:country_id/zip_codes/:zip_code', 'Read where a postal code is', ZipCode, ([, found]) => found],
  ])
}
export default locations
