import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { Q } from '../../db/engine.ts'
import { standardError } from '../../http/errors/answered_error.ts'
import { badParameter, forbidden } from '../../http/errors/errors.ts'
import { pick, requestedAttributes } from '../../http/projection.ts'
import { testItemById } from '../credits/test_subject_queries.ts'
import { itemNotFound, userNotFound } from '../shared/errors.ts'
import { errorResponses, splitCommaLists } from '../shared/schemas.ts'
import { toWellFormed, withoutUndefined } from '../shared/texts.ts'
import { userById } from '../users/queries.ts'
import { CHANGE_ITEM, READ_ITEM, READ_ITEMS, SEARCH_ITEMS, SEARCH_SITE } from './checks.ts'
import { changeOwnItem } from './operations.ts'
import { answerItem } from './present.ts'
import { PublicSearch, PublicSearchQuery, SiteParams, searchSite } from './public_search.ts'
import { itemById } from './queries.ts'
import { FoundItems, Item, ItemChange, ItemParams, Items, MAX_ITEMS, ManyItems } from './schemas.ts'
import { FoundItemIds, ItemSearchQuery, SellerParams, searchOwnItems } from './search.ts'

const SiteSearch = { name: 'Site search', description: 'What buyers find on a site', id: 'site_id' }

const search: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/users/:user_id/items/search',
    {
      config: { resource: Items, access: 'token', checks: SEARCH_ITEMS },
      schema: {
        operationId: 'searchItems',
        summary: 'List the listings of the caller',
        description:
          'Only one’s own. `offset` + `limit` reach at most 1000: beyond that `search_type=scan` answers a `scroll_id` with each page, null after the last listing. A listing stops 60 days after it was listed.',
        params: SellerParams,
        querystring: ItemSearchQuery,
        response: { 200: FoundItemIds, ...errorResponses(400, 401, 403, 404) },
      },
    },
    async ({ world, caller, params: { user_id }, query }) => {
      if (user_id !== caller.user_id)
        throw (await userById(world.read, user_id)) ? forbidden('items.search') : userNotFound(user_id)
      return searchOwnItems(world, user_id, query)
    },
  )

  app.get(
    '/sites/:site_id/search',
    {
      config: { resource: SiteSearch, access: 'public', checks: SEARCH_SITE },
      schema: {
        operationId: 'searchSite',
        summary: 'Search the active listings of a site',
        description: 'Closed to everyone since April 2025. A world can open it: `search.public=open`.',
        params: SiteParams,
        querystring: PublicSearchQuery,
        response: { 200: PublicSearch, ...errorResponses(400, 401, 403, 404) },
      },
    },
    ({ world, params: { site_id }, query }) => searchSite(world, site_id, query),
  )
}

const items: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/items/:item_id',
    {
      config: { resource: Items, access: 'public', checks: READ_ITEM },
      schema: { summary: 'Read one listing', params: ItemParams, response: { 200: Item, ...errorResponses(401, 404) } },
    },
    async ({ world, caller, params: { item_id } }) => {
      const item = await readableItem(world.read, item_id)
      if (!item) throw itemNotFound(item_id)
      return answerItem(world, item, { caller })
    },
  )

  app.put(
    '/items/:item_id',
    {
      config: { resource: Items, access: 'token', checks: CHANGE_ITEM },
      schema: {
        summary: 'Change a listing of the caller',
        description:
          'All or nothing; other members are ignored. A closed listing cannot be changed, and one under review keeps its state: `validation_error`. Closing closes the unanswered questions.',
        params: ItemParams,
        body: ItemChange,
        response: { 200: Item, ...errorResponses(400, 401, 403, 404, 413) },
      },
    },
    async ({ world, caller, params: { item_id }, body }) => {
      const { status, title, price, available_quantity } = body
      // Not the whole body: an ignored member may be nested too deeply for a recursive function.
      const changes = toWellFormed(withoutUndefined({ status, title, price, available_quantity }))
      const changed = await world.tx((q) => changeOwnItem(q, world, caller.user_id, item_id, changes))
      return answerItem(world, changed, { caller })
    },
  )

  // PUT reads, as GET does [spec: items.multiget.put].
  for (const method of ['GET', 'PUT'] as const)
    app.route({
      method,
      url: '/items',
      config: { resource: Items, access: 'public', checks: READ_ITEMS, projects: true },
      schema: {
        summary: method === 'GET' ? 'Read several listings' : 'Read several listings (the same as GET)',
        querystring: ManyItems,
        response: { 200: FoundItems, ...errorResponses(400, 401) },
      },
      handler: async (request) => {
        const ids = splitCommaLists(request.query.ids)
        if (ids.length < 1 || ids.length > MAX_ITEMS)
          throw badParameter('ids', ManyItems.properties.ids['x-message'], 'items.multiget')
        return Promise.all(ids.map((id) => multigetElement(request, id)))
      },
    })

  await search(app, {})
}
export default items

/** A stored listing, or one that test leads name [spec: credits.test_leads.subjects]. */
const readableItem = async (q: Q, id: string) => (await itemById(q, id)) ?? testItemById(q, id)

/** `attributes` applies to `body`; a selected `status` is also beside it [spec: items.multiget.status]. */
async function multigetElement({ world, caller, query }: FastifyRequest, id: string) {
  const row = await readableItem(world.read, id)
  if (!row) return { code: 404, body: standardError(itemNotFound(id)) }
  const names = requestedAttributes(query)
  const item = await answerItem(world, row, { caller })
  if (!names) return { code: 200, body: item }
  const body = pick(item, names) as Partial<Item>
  return names.has('status') ? { code: 200, body, status: item.status } : { code: 200, body }
}
