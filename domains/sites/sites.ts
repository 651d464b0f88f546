import { type Static, Type } from '@sinclair/typebox'
import { ResponseObject } from '../shared/schemas.ts'
import { COUNTRY_NAMES, CURRENCY_OF, SITES } from '../users/sites.ts'

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

export const ALL_SITES: SiteOfCountry[] = SITES.map((id) => ({
  id,
  name: COUNTRY_NAMES[id],
  default_currency_id: CURRENCY_OF[id],
}))
