import type { FastifyRequest, FastifySchemaValidationError } from 'fastify'
import { type ApiError, badRequest } from './errors.ts'
import { nearest } from './suggestions.ts'

/** Keywords of our schemas that word their own errors. */
interface SchemaMessages {
  /** The allowed values; follows the name of the parameter. */
  'x-message'?: string
  /** Creates the error, if the domain has its own; gets the value in the path. */
  'x-error'?: (value: unknown) => ApiError
  properties?: Record<string, SchemaMessages>
}

/** The validator's first error, worded by the schema that it violates [spec: http.query.bad_parameter]. */
export function validationError(
  failure: FastifySchemaValidationError,
  part: string | undefined,
  request?: FastifyRequest,
): ApiError {
  const { instancePath, keyword, params, message } = failure
  const schema = (failure as { parentSchema?: SchemaMessages }).parentSchema ?? {}
  const path = instancePath.split('/').slice(1)
  if (keyword === 'additionalProperties') {
    const unknown = [...path, params.additionalProperty].join('.')
    return badRequest(
      `${unknown}: ${part === 'querystring' ? unknownParameter(unknown, schema) : 'is an unknown member'}`,
    )
  }
  const missing = keyword === 'required' ? [String(params.missingProperty)] : []
  // A nested member has the names of its parents; an element of a list has the name of the list.
  const field = [...path.filter((part) => !/^\d*$/.test(part)), ...missing].join('.')
  const violated = schema.properties?.[missing[0] ?? ''] ?? schema
  if (violated['x-error']) return violated['x-error'](request && pathParameter(request, field))
  const rule = violated['x-message'] ?? message
  return badRequest(missing.length > 0 ? `${field}: is required, ${rule}` : `${field || 'body'}: ${rule}`)
}

function unknownParameter(name: string, { properties = {} }: SchemaMessages): string {
  const known = Object.keys(properties)
  const similar = nearest(name, known)
  return `is an unknown parameter; ${similar === undefined ? `known: ${known.join(', ')}` : `did you mean ${similar}?`}`
}

/** A path parameter as sent: the validator may have converted it to a number. */
function pathParameter({ url, routeOptions }: FastifyRequest, name: string): string {
  const position = (routeOptions.url ?? '').split('/').indexOf(`:${name}`)
  return decodeURIComponent(url.split('?', 1)[0]!.split('/')[position] ?? '')
}
