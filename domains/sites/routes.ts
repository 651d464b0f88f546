import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { NO_CHECKS } from '../../http/errors/checks.ts'
import { notFound } from '../../http/errors/errors.ts'
import { errorResponses } from '../shared/schemas.ts'
import { READ_SITE } from './checks.ts'
import { ALL_SITES, SiteOfCountry } from './sites.ts'

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
      if (!site) throw notFound('sites.not_found', `Site with id ${id} not found`)
      return site
    },
  )
}
export default sites
