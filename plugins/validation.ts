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
    keywords: OWN_KEYWORDS,
  })
  return ajv
}

/** Compiles each schema when it is first needed: most of start-up would be spent on routes nobody calls. */
export const validatorCompiler: FastifySchemaCompiler<Shape> = ({ schema, httpPart }) => {
  if (schema['x-read'] === 'route') return () => true
  const inQuery = httpPart === 'querystring'
  let validate: ValidateFunction | undefined
  return (value: unknown) => {
    validate ??= compiler().compile(schema)
    readMembers(schema, value, inQuery)
    return validate(value) ? true : { error: validate.errors as ErrorObject[] as never }
  }
}

interface Shape {
  type?: string
  properties?: Record<string, Shape>
  items?: Shape
  'x-read'?: string
}

/** An integer as text: nothing but its digits. */
const DIGITS = /^(0|[1-9]\d{0,15})$/

/**
 * Reads what clients write in another type than the schema's, in place: the digits of an integer, and in a query one
 * value where a list may be. Ajv's own coercion takes null for 0 and `0x10` for 16.
 */
function readMembers({ properties }: Shape, value: unknown, inQuery: boolean): void {
  if (!properties || typeof value !== 'object' || value === null) return
  const members = value as Record<string, unknown>
  for (const [name, shape] of Object.entries(properties)) {
    const member = members[name]
    if (member === undefined) continue
    if (shape.type === 'integer') members[name] = integer(member)
    else if (shape.type === 'array') {
      if (inQuery && typeof member === 'string') members[name] = [member]
      else if (shape.items?.type === 'integer' && Array.isArray(member)) members[name] = member.map(integer)
    }
  }
}

const integer = (value: unknown): unknown => (typeof value === 'string' && DIGITS.test(value) ? Number(value) : value)

/** Handlers answer exactly what they present, and the tests hold every answer against its schema: nothing is left to strip. */
export const serializerCompiler = () => (value: unknown) => JSON.stringify(value)
