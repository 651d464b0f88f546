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
