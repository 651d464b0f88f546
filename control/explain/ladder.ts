import type { RouteOptions } from 'fastify'
import type { World } from '../../db/world.ts'
import { EMPTY_PARAMETER } from '../../http/assumptions.ts'
import type { Violation } from '../../http/errors/answered_error.ts'
import type { Check } from '../../http/errors/checks.ts'
import type { RuleId } from '../../http/rules.ts'
import { COMMON, OPTIONAL_TOKEN } from './common_checks.ts'

/** The parts of a JSON schema that explanations read. */
export interface Schema {
  type?: string | string[]
  enum?: unknown[]
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
  pattern?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  default?: unknown
  examples?: unknown[]
  'x-message'?: string
  'x-read'?: string
}

interface RouteSchema {
  params?: Schema
  querystring?: Schema
  body?: Schema
}
export const schemaOf = (route: RouteOptions | undefined): RouteSchema => (route?.schema ?? {}) as RouteSchema

/** What is known of a call before its handler. */
interface CallTarget {
  /** Undefined: no path or method of the emulated API. */
  route: RouteOptions | undefined
  hasCallback: boolean
  /** A stub has answered it. */
  isStubbed?: boolean
}

/** The checks of a call, in the order in which they run: see the hooks in docs/architecture.md. */
export function ladderOf(
  { route, hasCallback, isStubbed = false }: CallTarget,
  world: Pick<World, 'switches'>,
): readonly Check[] {
  const { request, capacity, world: worldExists, faults, callback, path, method } = COMMON
  const first = [request, capacity, worldExists, faults, ...(hasCallback ? [callback] : [])]
  const token = route?.config?.access === 'token' ? COMMON.token : OPTIONAL_TOKEN
  if (isStubbed) return [...first, token, COMMON.stub]
  if (!route) return [...first, path, method]
  const { config } = route
  return [
    ...first,
    path,
    method,
    token,
    ...bodyAndSchemaChecks(route, world),
    ...(config?.checks?.checks ?? []),
    COMMON.server,
  ]
}

function bodyAndSchemaChecks(route: RouteOptions, world: Pick<World, 'switches'>): Check[] {
  const { params, querystring, body } = schemaOf(route)
  const hasBody = route.method !== 'GET'
  const isParsed = hasBody && isValidated(body)
  return [
    ...(hasBody ? [COMMON.body_size] : []),
    ...(EMPTY_PARAMETER.of(world) === 'reject' ? [COMMON.empty_parameters] : []),
    ...(isParsed ? [COMMON.json] : []),
    ...(isValidated(params) ? pathChecks(params) : []),
    ...(isParsed ? [COMMON.body] : []),
    ...(isValidated(querystring) ? [COMMON.query] : []),
  ]
}

/** A route may read a part of the request itself. */
const isValidated = (schema: Schema | undefined): schema is Schema =>
  schema !== undefined && schema['x-read'] !== 'route'

const pathChecks = ({ properties = {} }: Schema): Check[] =>
  Object.entries(properties)
    .filter(([, schema]) => isConstrained(schema))
    .map(([name]) => ({
      id: `path.${name}`,
      rules: [],
      field: name,
      text: {
        en: `${name} in the path has its form`,
        es: `${name} en la ruta tiene su forma`,
        pt: `${name} no caminho tem sua forma`,
      },
    }))

const isConstrained = ({ type, pattern, maxLength, enum: values }: Schema): boolean =>
  type !== 'string' || pattern !== undefined || maxLength !== undefined || values !== undefined

/** The rule that gives the order of a call's checks. */
export const orderOf = (route: RouteOptions | undefined): RuleId => route?.config?.checks?.order ?? 'http.order'

/** The check that found a violation: the one that it names, or that has its rule; if several have it, its field decides. */
export function refusingCheck(ladder: readonly Check[], { rule, check, field }: Violation): Check | undefined {
  if (check !== undefined) return ladder.find(({ id }) => id === check)
  const found = ladder.filter(({ rules }) => rules.includes(rule))
  return found.find(({ id }) => id === field) ?? found[0]
}
