import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'

let ajv: Ajv | undefined

/** What our schemas carry beside JSON Schema: see errors.ts and describe.ts. */
const OWN_KEYWORDS = ['x-message', 'x-refusal', 'x-path', 'x-read']

function compiler(): Ajv {
  ajv ??= new Ajv({
    coerceTypes: 'array',
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
export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema }) => {
  if ((schema as { 'x-read'?: string })['x-read'] === 'route') return () => true
  let validate: ValidateFunction | undefined
  return (value: unknown) => {
    validate ??= compiler().compile(schema)
    return validate(value) ? true : { error: validate.errors as ErrorObject[] as never }
  }
}

/** Handlers answer exactly what they present, and the tests hold every answer against its schema: nothing is left to strip. */
export const serializerCompiler = () => (value: unknown) => JSON.stringify(value)
