import type { TObject, TSchema } from '@sinclair/typebox'
import type { FastifyInstance, RouteHandlerMethod, RouteOptions } from 'fastify'
import { type CallChecks, ownUser } from '../../http/errors/checks.ts'
import { forbidden } from '../../http/errors/errors.ts'
import { type ItemRow, itemById, ownListingIds } from '../items/queries.ts'
import { LISTING_TYPES } from '../items/tables.ts'
import { LISTING_EXISTS, OWN_LISTING, OWN_USER_DATA, USER_EXISTS } from '../shared/checks.ts'
import { itemNotFound, userNotFound } from '../shared/errors.ts'
import { type About, named, ofCategory, ofSite, type Read, readSchema } from '../shared/reads.ts'
import { ItemIdInPath, UserIdInPath } from '../shared/schemas.ts'
import { type UserRow, userById } from '../users/queries.ts'
import { isSite, SITES, type SiteId, statesOf } from '../users/sites.ts'
import { categoryById, leafOfDomain, leavesOf } from './categories.ts'

export const SITE = ofSite<SiteId>((id) => (isSite(id) ? id : undefined))
export const CATEGORY = ofCategory(categoryById)
export const DOMAIN = named('domain_id', {
  rule: 'catalogue.domains.not_found',
  words: ['domain', 'MLA-SPEAKERS', 'El dominio', 'O domínio'],
  find: leafOfDomain,
})

/** The caller. */
export const OWN_USER: About<UserRow> = {
  checks: [USER_EXISTS, OWN_USER_DATA],
  params: { user_id: UserIdInPath(userNotFound) },
  async find({ world, caller, params: { user_id } }) {
    const user = await userById(world.read, user_id)
    if (!user) throw userNotFound(user_id)
    if (user_id !== caller.user_id) throw forbidden('http.errors.foreign_data')
    return user
  },
}

/** A listing of the caller. */
export const OWN_ITEM: About<ItemRow> = {
  checks: [LISTING_EXISTS, OWN_LISTING],
  params: { item_id: ItemIdInPath(itemNotFound) },
  async find({ world, caller, params: { item_id } }) {
    const row = await itemById(world.read, item_id)
    if (!row) throw itemNotFound(item_id)
    if (row.seller_id !== caller.user_id) throw forbidden('http.errors.foreign_data')
    return row
  },
}

const leaves = () => leavesOf('MLA')
const VALUES: NonNullable<CallChecks['values']> = {
  site_id: () => SITES,
  category_id: () => leaves().map(({ id }) => id),
  domain_id: () => leaves().flatMap(({ leaf }) => (leaf!.domain ? [`MLA-${leaf!.domain}`] : [])),
  listing_type_id: () => LISTING_TYPES,
  user_id: ownUser,
  country_id: () => ['AR', 'BR'],
  state_id: () => statesOf('AR').map(({ id }) => id),
  item_id: ownListingIds,
}

type Config = Pick<NonNullable<RouteOptions['config']>, 'resource' | 'access'>
type Row<Subject> = readonly [
  path: string,
  summary: string,
  answer: TSchema,
  handler: (subject: Subject, request: Read) => unknown,
  query?: TObject,
]

/** Adds reads that are about the same subject, from a table: most of the catalogue are constants with a path. */
export function addReads<Subject>(
  app: FastifyInstance,
  config: Config,
  { checks, params, find }: About<Subject>,
  rows: readonly Row<Subject>[],
): void {
  const ofRow = { ...config, checks: { order: 'http.order' as const, checks, values: VALUES } }
  for (const [url, summary, answer, handler, query] of rows)
    app.get(url, {
      config: ofRow,
      schema: readSchema({ url, summary, checks, params, query, answer }),
      handler: (async (request: Read) => handler(await find(request), request)) as RouteHandlerMethod,
    })
}
