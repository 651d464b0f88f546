import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import type { Check } from '../../http/errors/checks.ts'
import { errorResponses } from './schemas.ts'

interface Read {
  url: string
  summary: string
  description?: string
  checks: readonly Check[]
  /** What the words in paths are; others are identifiers. */
  params: Readonly<Partial<Record<string, object>>>
  query?: TObject | undefined
  /** Undefined for a call that is always refused. */
  answer: TSchema | undefined
}

/** The names of the parameters of a path. */
export const namesOf = (url: string): string[] => url.match(/(?<=:)\w+/g) ?? []

/** The schema of a call that changes nothing: its errors follow from its checks. */
export function readSchema({ url, checks, params, query, answer, ...texts }: Read) {
  const rules = checks.flatMap((check) => check.rules)
  const has = (endings: RegExp, status: number) => (rules.some((rule) => endings.test(rule)) ? [status] : [])
  const errors = [401, ...has(/foreign_data$|not_owned$|refused$/, 403), ...has(/not_found$|absent$/, 404)]
  const names = namesOf(url).map((name) => [name, params[name] ?? Type.String({ description: 'Identifier' })] as const)
  return {
    ...texts,
    ...(names.length > 0 && { params: Type.Object(Object.fromEntries(names) as Record<string, TSchema>) }),
    ...(query && { querystring: query }),
    response: { ...(answer && { 200: answer }), ...errorResponses(...(query ? [400] : []), ...errors) },
  }
}
