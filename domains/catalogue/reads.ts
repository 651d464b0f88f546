import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { CallChecks } from '../../http/errors/checks.ts'
import { forbidden } from '../../http/errors/errors.ts'
import { type ItemRow, itemById } from '../items/queries.ts'
import { itemNotFound, siteNotFound, userNotFound } from '../shared/errors.ts'
import { readSchema } from '../shared/reads.ts'
import { ItemIdInPath, UserIdInPath } from '../shared/schemas.ts'
import { type UserRow, userById } from '../users/queries.ts'
import { isSite, type SiteId } from '../users/sites.ts'

const text = (description: string, example: string) => Type.String({ description, examples: [example] })

/** What the words in paths are. */
const PARAMS = {
  site_id: text('Site', 'MLA'),
  category_id: text('Category', 'MLA7001'),
  domain_id: text('Domain', 'MLA-SPEAKERS'),
  listing_type_id: text('Listing type', 'gold_special'),
  product_id: text('Product', 'MLA12345678'),
  country_id: text('Country', 'AR'),
  state_id: text('State', 'AR-C'),
  city_id: text('City', 'QVItQy9CdWVub3MgQWlyZXM'),
  zip_code: text('Postal code', '1425'),
  item_id: ItemIdInPath(itemNotFound),
  user_id: UserIdInPath(userNotFound),
}
type Params = { [Name in keyof typeof PARAMS]: Static<(typeof PARAMS)[Name]> }

// biome-ignore lint/suspicious/noExplicitAny: a handler names the query of its row
export type Read<Asked = any> = FastifyRequest<{ Params: Params; Querystring: Asked }>

interface Reads<Subject> {
  resource: { name: string; description: string }
  access: 'public' | 'token'
  checks: CallChecks
  /** What the path is about. Throws 403 or 404. */
  subject: (request: Read) => Subject | Promise<Subject>
}

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
  { subject, ...config }: Reads<Subject>,
  rows: readonly Row<Subject>[],
): void {
  for (const [url, summary, answer, handler, query] of rows)
    app.get(url, {
      config,
      schema: readSchema({ url, summary, checks: config.checks.checks, params: PARAMS, query, answer }),
      handler: (async (request: Read) => handler(await subject(request), request)) as RouteHandlerMethod,
    })
}

/** The site of a path. Throws 404. */
export function siteOf({ params: { site_id } }: Read): SiteId {
  if (!isSite(site_id)) throw siteNotFound(site_id, 'site_id')
  return site_id
}

/** The caller as the user of a path. Throws 404, 403. */
export async function ownUserOf({ world, caller, params: { user_id } }: Read): Promise<UserRow> {
  const user = await userById(world.read, user_id)
  if (!user) throw userNotFound(user_id)
  if (user_id !== caller.user_id) throw forbidden('http.errors.foreign_data')
  return user
}

/** A listing of the caller. Throws 404, 403. */
export async function ownItemOf({ world, caller, params: { item_id } }: Read): Promise<ItemRow> {
  const row = await itemById(world.read, item_id)
  if (!row) throw itemNotFound(item_id)
  if (row.seller_id !== caller.user_id) throw forbidden('http.errors.foreign_data')
  return row
}
