import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { type Check, defineChecks } from '../../http/errors/checks.ts'
import { notFound } from '../../http/errors/errors.ts'
import type { RuleId } from '../../http/rules.ts'
import { exists } from './checks.ts'
import { siteNotFound } from './errors.ts'
import { errorResponses } from './schemas.ts'

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

type Find<Subject> = (id: string, request: Read) => Subject | undefined | Promise<Subject | undefined>
interface Named<Subject> {
  rule: RuleId
  /** In English, with an example, and in Spanish and Portuguese with articles. */
  words: readonly [en: string, example: string, es: string, pt: string]
  find: Find<Subject>
  error?: (id: string, field: string) => Error
}

/** What a parameter such as `site_id` names: a call is refused with 404 if there is no such thing. */
export function named<Subject>(name: string, { rule, words, find, error }: Named<Subject>): About<Subject> {
  const [en, example, es, pt] = words
  const id = name.replace(/_id$/, '')
  const description = `${en[0]!.toUpperCase()}${en.slice(1)}`
  const orNotFound = error ?? ((sent) => notFound(rule, `${description} not found: ${sent}`, name))
  return {
    checks: Object.values(defineChecks({ [id]: exists(rule, name, { en, es, pt }) })),
    params: { [name]: Type.String({ description, examples: [example] }) },
    async find(request) {
      const sent: string = request.params[name]
      const found = await find(sent, request)
      if (found === undefined) throw orNotFound(sent, name)
      return found
    },
  }
}

export const ofSite = <Subject>(find: Find<Subject>): About<Subject> =>
  named('site_id', { rule: 'sites.not_found', words: ['site', 'MLA', 'El sitio', 'O site'], find, error: siteNotFound })
const CATEGORY = {
  rule: 'catalogue.categories.not_found',
  words: ['category', 'MLA7001', 'La categoría', 'A categoria'],
} as const
export const ofCategory = <Subject>(find: Find<Subject>): About<Subject> => named('category_id', { ...CATEGORY, find })

/** About two things: a call is refused for the first one first. */
export const both = <First, Second>(first: About<First>, second: About<Second>): About<readonly [First, Second]> => ({
  checks: [...first.checks, ...second.checks],
  params: { ...first.params, ...second.params },
  find: async (request) => [await first.find(request), await second.find(request)],
})

interface ReadOptions {
  url: string
  summary: string
  description?: string
  checks: readonly Check[]
  /** What the words in paths are; others are identifiers. */
  params: Readonly<Record<string, TSchema>>
  query?: TObject | undefined
  /** Undefined for a call that is always refused. */
  answer: TSchema | undefined
}

/** The names of the parameters of a path. */
export const namesOf = (url: string): string[] => url.match(/(?<=:)\w+/g) ?? []

/** The schema of a call that changes nothing: its errors follow from its checks. */
export function readSchema({ url, checks, params, query, answer, ...texts }: ReadOptions) {
  const rules = checks.flatMap((check) => check.rules)
  const has = (endings: RegExp, status: number) => (rules.some((rule) => endings.test(rule)) ? [status] : [])
  const errors = [401, ...has(/foreign_data$|not_owned$|refused$/, 403), ...has(/not_found$|absent$/, 404)]
  const names = namesOf(url).map((name) => [name, params[name] ?? Type.String({ description: 'Identifier' })] as const)
  return {
    ...texts,
    ...(names.length > 0 && { params: Type.Object(Object.fromEntries(names)) }),
    ...(query && { querystring: query }),
    response: { ...(answer && { 200: answer }), ...errorResponses(...(query ? [400] : []), ...errors) },
  }
}
