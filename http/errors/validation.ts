import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'

let ajv: Ajv | undefined

/** Keywords of our schemas beyond JSON Schema: see validation_errors.ts, self_description.ts and plugins/bodies.ts. */
const CUSTOM_KEYWORDS = ['x-message', 'x-error', 'x-path', 'x-read', 'x-rule', 'x-secret']

/** Of each validator of calls and of world files. */
export const SETTINGS = {
  useDefaults: true,
  // Errors then have the violated schema, with its own message.
  verbose: true,
  strict: false,
  // Compiling the meta-schema takes longer than a first call; the tests validate the schemas.
  meta: false,
  validateSchema: false,
  // Optimized code takes twice as long to compile, and is not faster.
  code: { optimize: false },
} satisfies Options

function compiler(): Ajv {
  ajv ??= new Ajv({
    ...SETTINGS,
    // Otherwise ajv drops query parameters that a schema does not name, such as `callback`.
    removeAdditional: false,
    keywords: CUSTOM_KEYWORDS,
  })
  return ajv
}

/** Compiles a schema at its first use: compiling all of them would take most of the start. */
export const validatorCompiler: FastifySchemaCompiler<Schema> = ({ schema, httpPart }) => {
  if (schema['x-read'] === 'route') return () => true
  let coercions: Coercion[] | undefined
  let validate: ValidateFunction | undefined
  return (value: unknown) => {
    coercions ??= coercionsOf(schema, httpPart === 'querystring')
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

/** Converts one member that clients may send as another type than the schema's. */
interface Coercion {
  name: string
  coerce(value: unknown): unknown
}

/** An integer as text [spec: http.integers]. */
const DIGITS = /^(0|[1-9]\d{0,15})$/

/**
 * Integers may be sent as digits, and a list in a query as one value. Ajv's own coercion would read null as 0 and `0x10`
 * as 16.
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
