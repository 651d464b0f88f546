import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import { type CallChecks, defineChecks, NO_CHECKS } from '../../http/errors/checks.ts'
import { siteNotFound } from '../shared/errors.ts'
import { errorResponses, ResponseObject } from '../shared/schemas.ts'
import { COUNTRY_NAMES, CURRENCY_OF, SITES } from '../users/sites.ts'

const SiteOfCountry = ResponseObject(
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

const ALL_SITES: SiteOfCountry[] = SITES.map((id) => ({
  id,
  name: COUNTRY_NAMES[id],
  default_currency_id: CURRENCY_OF[id],
}))

const CHECKS = defineChecks({
  site_exists: ['sites.not_found', 'The site exists', 'El sitio existe', 'O site existe', 'id'],
})

const READ_SITE: CallChecks = {
  order: 'http.order',
  checks: [CHECKS.site_exists],
  values: { id: () => ALL_SITES.map(({ id }) => id) },
}

const Sites = { name: 'Sites', description: 'The marketplaces, one for each country' }

const byId = new Map(ALL_SITES.map((site) => [site.id, site]))

const sites: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/sites',
    {
      config: { resource: Sites, access: 'public', checks: NO_CHECKS },
      schema: {
        summary: 'List the sites',
        response: { 200: Type.Array(SiteOfCountry, { description: 'All sites' }), ...errorResponses(401) },
      },
    },
    async () => ALL_SITES,
  )

  app.get(
    '/sites/:id',
    {
      config: { resource: Sites, access: 'public', checks: READ_SITE },
      schema: {
        summary: 'Read one site',
        params: Type.Object({ id: Type.String({ description: 'Site identifier', examples: ['MLA'] }) }),
        response: { 200: SiteOfCountry, ...errorResponses(401, 404) },
      },
    },
    async ({ params: { id } }) => {
      const site = byId.get(id)
      if (!site) throw siteNotFound(id)
      return site
    },
  )
}
export default sites
