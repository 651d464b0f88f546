import { isObject, parseJson } from '../../http/bodies.ts'
import { invalidJson, schemaMismatch } from './errors.ts'
import type { Query } from './graphql.ts'

/** Parses a body as a JSON object. Throws 400 `invalid JSON body`, by that rule. */
export function parseObjectBody(body: unknown, rule: Parameters<typeof invalidJson>[0]): Record<string, unknown> {
  const { value } = parseJson(body)
  if (!isObject(value)) throw invalidJson(rule)
  return value
}

/** Parses a body as a GraphQL request. null and an empty operation name count as absent: GraphQL clients send them. */
export function parseQueryBody(body: unknown): Query {
  const { query: text, operationName, variables } = parseObjectBody(body, 'flex.query.not_json')
  if (typeof text !== 'string') throw invalidJson('flex.query.not_json', 'query')
  if ((operationName ?? '') !== '' && typeof operationName !== 'string') throw schemaMismatch('operationName')
  if ((variables ?? null) !== null && (typeof variables !== 'object' || Array.isArray(variables)))
    throw schemaMismatch('variables')
  return {
    text,
    operationName: (operationName as string | null) || undefined,
    variables: (variables as Record<string, unknown> | null) ?? undefined,
  }
}
