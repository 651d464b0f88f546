import { OneOf } from '../shared/schemas.ts'

/** Each site: its country (ISO 3166), the currency of its prices (ISO 4217), and the name of the country, as the sites have it. */
const TABLE = {
  MLA: ['AR', 'ARS', 'Argentina'],
  MLB: ['BR', 'BRL', 'Brasil'],
  MLM: ['MX', 'MXN', 'Mexico'],
  MLC: ['CL', 'CLP', 'Chile'],
  MCO: ['CO', 'COP', 'Colombia'],
  MLU: ['UY', 'UYU', 'Uruguay'],
  MPE: ['PE', 'PEN', 'Perú'],
  MEC: ['EC', 'USD', 'Ecuador'],
  MLV: ['VE', 'VEF', 'Venezuela'],
  MBO: ['BO', 'BOB', 'Bolivia'],
  MPY: ['PY', 'PYG', 'Paraguay'],
  MCR: ['CR', 'CRC', 'Costa Rica'],
  MPA: ['PA', 'PAB', 'Panamá'],
  MRD: ['DO', 'DOP', 'Dominicana'],
  MGT: ['GT', 'GTQ', 'Guatemala'],
  MHN: ['HN', 'HNL', 'Honduras'],
  MNI: ['NI', 'NIO', 'Nicaragua'],
  MSV: ['SV', 'USD', 'El Salvador'],
  MCU: ['CU', 'CUC', 'Cuba'],
} as const

export type SiteId = keyof typeof TABLE
export const SITES = Object.keys(TABLE) as SiteId[]
const column = (n: number) =>
  Object.fromEntries(SITES.map((site) => [site, TABLE[site][n]])) as Readonly<Record<SiteId, string>>
export const COUNTRY_OF = column(0)
export const CURRENCY_OF = column(1)
export const COUNTRY_NAMES = column(2)

/** The language of the texts of a site. */
export const languageOf = (site_id: string): 'es' | 'pt' => (site_id === 'MLB' ? 'pt' : 'es')

/** Sorts users by site, in this order, then by id: the first one has the first site, whatever its id. */
export const bySite = (a: { site_id: string; id: number }, b: { site_id: string; id: number }): number =>
  SITES.indexOf(a.site_id as SiteId) - SITES.indexOf(b.site_id as SiteId) || a.id - b.id

export const isSite = (id: string): id is SiteId => Object.hasOwn(TABLE, id)
export const Site = OneOf(SITES, { description: 'Country site', examples: ['MLA'] })

/** The description of the city of a user that a caller sets. */
export const CITY_OF_USER = 'City; decides whether the user is in a coverage area of Flex'

/** Names of the states in which users of the demo live, by code; a code is the country and the state. */
const STATES = `
AR-B Buenos Aires, AR-C Capital Federal, AR-M Mendoza, AR-Q Neuquén, AR-S Santa Fe, BR-GO Goiás, BR-MG Minas Gerais,
BR-PE Pernambuco, BR-SC Santa Catarina, BR-SP São Paulo, CL-AN Antofagasta, CL-BI Biobío, CL-LL Los Lagos,
CL-RM RM (Metropolitana), CL-VS Valparaíso, CO-ANT Antioquia, CO-ATL Atlántico, CO-DC Bogotá D.C., CO-SAN Santander,
CO-VAC Valle del Cauca, EC-A Azuay, EC-G Guayas, EC-M Manabí, EC-P Pichincha, EC-T Tungurahua, MX-CMX Distrito Federal,
MX-JAL Jalisco, MX-NLE Nuevo León, MX-PUE Puebla, MX-YUC Yucatán, PE-ARE Arequipa, PE-CUS Cusco, PE-LAL La Libertad,
PE-LMA Lima, PE-PIU Piura, UY-MA Maldonado, UY-MO Montevideo, UY-PA Paysandú, UY-RV Rivera, UY-SA Salto`
const stateNames = new Map(STATES.split(',').map((one) => one.trim().split(/ (.*)/s) as [string, string]))

/** States of a country whose names are known. */
export const statesOf = (country: string): { id: string; name: string }[] =>
  [...stateNames].flatMap(([id, name]) => (id.startsWith(`${country}-`) ? [{ id, name }] : []))

/** Code and name of the state of an address, which people may have written in any form. */
export const stateOf = (state: string): { code: string; name: string } => ({
  code: /^[A-Z]{2}-[A-Z0-9]{1,4}$/.test(state) ? state : '',
  name: stateNames.get(state) ?? state,
})

/** The house number follows the street, in Colombia after a sign. */
export function splitStreet(address: string): { street_name: string; street_number: string } {
  const [, street_name, street_number] = /^(.*?)\s+#?\s*(\d[\d-]*)$/.exec(address) ?? [null, address, '']
  return { street_name: street_name!, street_number: street_number! }
}

/** The address of a user has one id wherever it is answered; it is invented from the user's. */
export const addressIdOf = (user_id: number): number => 1_300_000_000 + (user_id % 100_000_000)

/** In the form of the public service: base64 of the site, C for city, and a name without accents. */
export function cityIdOf(site_id: string, name: string): string {
  const letters = name.normalize('NFD').replace(/[^A-Za-z]/g, '')
  return Buffer.from(`${site_id}C${letters.slice(0, 8).toUpperCase()}`).toString('base64url')
}
