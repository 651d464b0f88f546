import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'

let ajv: Ajv | undefined

/** What our schemas carry beside JSON Schema: see errors.ts and describe.ts. */
const CUSTOM_KEYWORDS = ['x-message', 'x-refusal', 'x-path', 'x-read']

function compiler(): Ajv {
  ajv ??= new Ajv({
    useDefaults: true,
    // Members that a schema does not name are not ours to drop: `callback` is one of them.
    removeAdditional: false,
    // Errors then name the schema that was broken, and with it the words of its complaint.
    verbose: true,
    strict: false,
    // The tests look at the schemas themselves: compiling what checks them would take longer than all of a first call.
    meta: false,
    validateSchema: false,
    keywords: CUSTOM_KEYWORDS,
  })
  return ajv
}

/** Compiles each schema when it is first needed: most of start-up would be spent on routes nobody calls. */
export const validatorCompiler: FastifySchemaCompiler<Schema> = ({ schema, httpPart }) => {
  if (schema['x-read'] === 'route') return () => true
  const coercions = coercionsOf(schema, httpPart === 'querystring')
  let validate: ValidateFunction | undefined
  return (value: unknown) => {
    validate ??= compiler().compile(schema)
    if (typeof value === 'object' && value !== null) coerceMembers(coercions, value as Record<string, unknown>)
    return validate(value) ? true : { error: validate.errors as ErrorObject[] as never }
  }
}

interface Schema {
  type?: string
  properties?: Record<string, Schema>
  items?: Schema
  'x-read'?: string
}

/** Reads one member that clients write in another type than the schema's. */
interface Coercion {
  name: string
  coerce(value: unknown): unknown
}

/** An integer as text: nothing but its digits. */
const DIGITS = /^(0|[1-9]\d{0,15})$/

/**
 * What clients write otherwise: the digits of an integer, and in a query one value where a list may be. Ajv's own
 * coercion takes null for 0 and `0x10` for 16.
 */
const coercionsOf = ({ properties = {} }: Schema, inQuery: boolean): Coercion[] =>
  Object.entries(properties).flatMap(([name, { type, items }]): Coercion[] => {
    if (type === 'integer') return [{ name, coerce: coerceInteger }]
    if (type !== 'array') return []
    if (inQuery) return [{ name, coerce: (value) => (typeof value === 'string' ? [value] : value) }]
    if (items?.type !== 'integer') return []
    return [{ name, coerce: (value) => (Array.isArray(value) ? value.map(coerceInteger) : value) }]
  })

function coerceMembers(coercions: Coercion[], members: Record<string, unknown>): void {
  for (const { name, coerce } of coercions) {
    const value = members[name]
    if (value !== undefined) members[name] = coerce(value)
  }
}

const coerceInteger = (value: unknown): unknown =>
  typeof value === 'string' && DIGITS.test(value) ? Number(value) : value

/**
 * Handlers answer exactly what they present, and the tests hold every answer against its schema: nothing is left to
 * strip.
 */
export const serializerCompiler = () => (value: unknown) => JSON.stringify(value)
