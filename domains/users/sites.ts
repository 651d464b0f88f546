import { OneOf } from '../shared/schemas.ts'

/** Country of each site, ISO 3166. */
export const COUNTRY_OF = {
  MLA: 'AR',
  MLB: 'BR',
  MLM: 'MX',
  MLC: 'CL',
  MCO: 'CO',
  MLU: 'UY',
  MPE: 'PE',
  MEC: 'EC',
  MLV: 'VE',
  MBO: 'BO',
  MPY: 'PY',
  MCR: 'CR',
  MPA: 'PA',
  MRD: 'DO',
  MGT: 'GT',
  MHN: 'HN',
  MNI: 'NI',
  MSV: 'SV',
  MCU: 'CU',
} as const

export type SiteId = keyof typeof COUNTRY_OF
export const SITES = Object.keys(COUNTRY_OF) as SiteId[]
/** Sorts users by site, in this order, then by id: the first one has the first site, whatever its id. */
export const bySite = (a: { site_id: string; id: number }, b: { site_id: string; id: number }): number =>
  SITES.indexOf(a.site_id as SiteId) - SITES.indexOf(b.site_id as SiteId) || a.id - b.id

export const isSite = (id: string): id is SiteId => Object.hasOwn(COUNTRY_OF, id)
export const Site = OneOf(SITES, { description: 'Country site', examples: ['MLA'] })

/** Currency of the prices on each site, ISO 4217. */
export const CURRENCY_OF: Record<SiteId, string> = {
  MLA: 'ARS',
  MLB: 'BRL',
  MLM: 'MXN',
  MLC: 'CLP',
  MCO: 'COP',
  MLU: 'UYU',
  MPE: 'PEN',
  MEC: 'USD',
  MLV: 'VEF',
  MBO: 'BOB',
  MPY: 'PYG',
  MCR: 'CRC',
  MPA: 'PAB',
  MRD: 'DOP',
  MGT: 'GTQ',
  MHN: 'HNL',
  MNI: 'NIO',
  MSV: 'USD',
  MCU: 'CUC',
}

/** As the sites have them. */
export const COUNTRY_NAMES: Record<SiteId, string> = {
  MLA: 'Argentina',
  MLB: 'Brasil',
  MLM: 'Mexico',
  MLC: 'Chile',
  MCO: 'Colombia',
  MLU: 'Uruguay',
  MPE: 'Perú',
  MEC: 'Ecuador',
  MLV: 'Venezuela',
  MBO: 'Bolivia',
  MPY: 'Paraguay',
  MCR: 'Costa Rica',
  MPA: 'Panamá',
  MRD: 'Dominicana',
  MGT: 'Guatemala',
  MHN: 'Honduras',
  MNI: 'Nicaragua',
  MSV: 'El Salvador',
  MCU: 'Cuba',
}

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
