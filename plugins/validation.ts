import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'

let ajv: Ajv | undefined

/** What our schemas carry beside JSON Schema: see errors.ts and describe.ts. */
const OWN_KEYWORDS = ['x-message', 'x-refusal', 'x-path', 'x-read']

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
    keywords: OWN_KEYWORDS,
  })
  return ajv
}

/** Compiles each schema when it is first needed: most of start-up would be spent on routes nobody calls. */
export const validatorCompiler: FastifySchemaCompiler<Shape> = ({ schema, httpPart }) => {
  if (schema['x-read'] === 'route') return () => true
  const readers = readersOf(schema, httpPart === 'querystring')
  let validate: ValidateFunction | undefined
  return (value: unknown) => {
    validate ??= compiler().compile(schema)
    if (typeof value === 'object' && value !== null) readMembers(readers, value as Record<string, unknown>)
    return validate(value) ? true : { error: validate.errors as ErrorObject[] as never }
  }
}

interface Shape {
  type?: string
  properties?: Record<string, Shape>
  items?: Shape
  'x-read'?: string
}

/** Reads one member that clients write in another type than the schema's. */
interface Reader {
  name: string
  read(value: unknown): unknown
}

/** An integer as text: nothing but its digits. */
const DIGITS = /^(0|[1-9]\d{0,15})$/

/**
 * What clients write otherwise: the digits of an integer, and in a query one value where a list may be. Ajv's own
 * coercion takes null for 0 and `0x10` for 16.
 */
const readersOf = ({ properties = {} }: Shape, inQuery: boolean): Reader[] =>
  Object.entries(properties).flatMap(([name, { type, items }]): Reader[] => {
    if (type === 'integer') return [{ name, read: integer }]
    if (type !== 'array') return []
    if (inQuery) return [{ name, read: (value) => (typeof value === 'string' ? [value] : value) }]
    if (items?.type !== 'integer') return []
    return [{ name, read: (value) => (Array.isArray(value) ? value.map(integer) : value) }]
  })

function readMembers(readers: Reader[], members: Record<string, unknown>): void {
  for (const { name, read } of readers) {
    const value = members[name]
    if (value !== undefined) members[name] = read(value)
  }
}

const integer = (value: unknown): unknown => (typeof value === 'string' && DIGITS.test(value) ? Number(value) : value)

/**
 * Handlers answer exactly what they present, and the tests hold every answer against its schema: nothing is left to
 * strip.
 */
export const serializerCompiler = () => (value: unknown) => JSON.stringify(value)
