import { type Static, Type } from '@sinclair/typebox'
import { ResponseObject } from '../shared/schemas.ts'
import { CURRENCY_OF, SITES, type SiteId } from '../users/sites.ts'

export const SiteOfCountry = ResponseObject(
  {
    id: Type.String({ description: 'Site identifier', examples: ['MLA'], 'x-path': '/sites/:id' }),
    name: Type.String({ description: 'Name of the country', examples: ['Argentina'] }),
    default_currency_id: Type.String({
      description: 'Currency of prices',
      examples: ['ARS'],
      'x-path': '/currencies/:id',
    }),
  },
  { title: 'Site', description: 'The marketplace of a country' },
)
type SiteOfCountry = Static<typeof SiteOfCountry>

const NAMES: Record<SiteId, string> = {
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

export const ALL_SITES: SiteOfCountry[] = SITES.map((id) => ({
  id,
  name: NAMES[id],
  default_currency_id: CURRENCY_OF[id],
}))
