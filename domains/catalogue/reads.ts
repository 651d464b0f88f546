import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify'
import { type CallChecks, type Check, defineChecks, ownUser } from '../../http/errors/checks.ts'
import { forbidden, notFound } from '../../http/errors/errors.ts'
import type { RuleId } from '../../http/rules.ts'
import { type ItemRow, itemById, listItems } from '../items/queries.ts'
import { LISTING_TYPES } from '../items/tables.ts'
import { exists, isCaller, LISTING_EXISTS, OWN_LISTING, USER_EXISTS } from '../shared/checks.ts'
import { itemNotFound, siteNotFound, userNotFound } from '../shared/errors.ts'
import { readSchema } from '../shared/reads.ts'
import { ItemIdInPath, UserIdInPath } from '../shared/schemas.ts'
import { type UserRow, userById } from '../users/queries.ts'
import { isSite, SITES, type SiteId, statesOf } from '../users/sites.ts'
import { categoryById, leafOfDomain, leavesOf } from './categories.ts'

// biome-ignore lint/suspicious/noExplicitAny: a handler names the query of its row, and what is in its path
export type Read<Asked = any> = FastifyRequest<{ Params: Record<string, any>; Querystring: Asked }>

/** What calls are about. */
export interface About<Subject> {
  checks: readonly Check[]
  /** Schemas of the parameters in their paths. */
  params: Readonly<Record<string, TSchema>>
  /** Throws 403, 404. */
  find: (request: Read) => Subject | Promise<Subject>
}

interface Named<Subject> {
  rule: RuleId
  /** In English, with an example, and in Spanish and Portuguese with articles. */
  words: readonly [en: string, example: string, es: string, pt: string]
  find: (id: string, request: Read) => Subject | undefined | Promise<Subject | undefined>
  error?: (id: string, field: string) => Error
}

/** What a parameter such as `site_id` names: a call is refused with 404 if there is no such thing. */
export function named<Subject>(name: string, { rule, words, find, error }: Named<Subject>): About<Subject> {
  const [en, example, es, pt] = words
  const id = name.replace(/_id$/, '')
  const description = `${en[0]!.toUpperCase()}${en.slice(1)}`
  const orNotFound = error ?? ((sent) => notFound(rule, `${description} not found: ${sent}`, name))
  return {
    checks: Object.values(defineChecks({ [id]: exists(rule, name, en, es, pt) })),
    params: { [name]: Type.String({ description, examples: [example] }) },
    async find(request) {
      const sent: string = request.params[name]
      const found = await find(sent, request)
      if (found === undefined) throw orNotFound(sent, name)
      return found
    },
  }
}

/** About two things: a call is refused for the first one first. */
export const both = <First, Second>(first: About<First>, second: About<Second>): About<readonly [First, Second]> => ({
  checks: [...first.checks, ...second.checks],
  params: { ...first.params, ...second.params },
  find: async (request) => [await first.find(request), await second.find(request)],
})

export const SITE = named<SiteId>('site_id', {
  rule: 'sites.not_found',
  words: ['site', 'MLA', 'El sitio', 'O site'],
  find: (id) => (isSite(id) ? id : undefined),
  error: siteNotFound,
})

export const CATEGORY = named('category_id', {
  rule: 'catalogue.categories.not_found',
  words: ['category', 'MLA7001', 'La categoría', 'A categoria'],
  find: categoryById,
})
export const DOMAIN = named('domain_id', {
  rule: 'catalogue.domains.not_found',
  words: ['domain', 'MLA-SPEAKERS', 'El dominio', 'O domínio'],
  find: leafOfDomain,
})

/** The caller. */
export const OWN_USER: About<UserRow> = {
  checks: [USER_EXISTS, defineChecks({ own_user: isCaller('http.errors.foreign_data') }).own_user],
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
  item_id: async ({ q, caller }) =>
    caller
      ? (await listItems(q, { seller_id: caller.user_id }, { limit: 20, offset: 0 })).rows.map(({ id }) => id)
      : [],
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
