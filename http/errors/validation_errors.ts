import type { FastifyRequest, FastifySchemaValidationError } from 'fastify'
import { isWordForId, methodsOf } from '../paths.ts'
import type { RuleId } from '../rules.ts'
import type { AnsweredError } from './answered_error.ts'
import { badParameter, methodNotAllowed, routeNotFound } from './errors.ts'
import { nearest } from './suggestions.ts'

/** Keywords of our schemas that word their own errors. */
interface SchemaMessages {
  /** The allowed values; follows the name of the parameter. */
  'x-message'?: string
  /** The rule that they follow from, if not the common one. */
  'x-rule'?: RuleId
  /** Creates the error, if the domain has its own; gets the value in the path. */
  'x-error'?: (value: unknown) => AnsweredError
  properties?: Record<string, SchemaMessages>
}

/** The checks of the parts of a request. */
const PART_CHECKS: Record<string, string> = { querystring: 'query', body: 'body', headers: 'headers' }

/** The validator's first error, worded by the schema that it violates [spec: http.query.bad_parameter]. */
export function validationError(
  failure: FastifySchemaValidationError,
  part: string | undefined,
  request?: FastifyRequest,
): AnsweredError {
  const { instancePath, keyword, params, message } = failure
  const schema = (failure as { parentSchema?: SchemaMessages }).parentSchema ?? {}
  const path = instancePath.split('/').slice(1)
  const check = part === 'params' ? `path.${instancePath.slice(1)}` : PART_CHECKS[part ?? '']
  if (keyword === 'additionalProperties') {
    const unknown = [...path, params.additionalProperty].join('.')
    const problem = part === 'querystring' ? unknownParameter(unknown, schema) : 'is an unknown member'
    return withCheck(badParameter(unknown, problem), check)
  }
  const missing = keyword === 'required' ? [String(params.missingProperty)] : []
  // A nested member has the names of its parents; an element of a list has the name of the list.
  const field = [...path.filter((part) => !/^\d*$/.test(part)), ...missing].join('.')
  const violated = schema.properties?.[missing[0] ?? ''] ?? schema
  if (part === 'params' && request && isWordForId(request.routeOptions, request.url)) return unknownCall(request)
  if (violated['x-error']) return withCheck(violated['x-error'](request && pathParameter(request, field)), check, field)
  const rule = violated['x-message'] ?? message
  const problem = missing.length > 0 ? `is required, ${rule}` : `${rule}`
  return withCheck(badParameter(field || 'body', problem, violated['x-rule']), check)
}

/** An error of a schema is found by the check of its part. Those of control calls have no violation. */
function withCheck(error: AnsweredError, check: string | undefined, field?: string): AnsweredError {
  const { violation } = error
  if (violation) error.violation = { ...violation, field: field ?? violation.field, check }
  return error
}

function unknownParameter(name: string, { properties = {} }: SchemaMessages): string {
  const known = Object.keys(properties)
  const similar = nearest(name, known)
  return `is an unknown parameter; ${similar === undefined ? `known: ${known.join(', ')}` : `did you mean ${similar}?`}`
}

/** The error of a call without a route: 405 where its path has other methods, else 404. */
export function unknownCall({ server, url }: FastifyRequest): AnsweredError {
  const path = server.paths.match(url)
  return path ? methodNotAllowed(methodsOf(path).join(', ')) : routeNotFound()
}

/** A path parameter as sent: the validator may have converted it to a number. */
function pathParameter({ url, routeOptions }: FastifyRequest, name: string): string {
  const position = (routeOptions.url ?? '').split('/').indexOf(`:${name}`)
  return decodeURIComponent(url.split('?', 1)[0]!.split('/')[position] ?? '')
}
