import { Ajv, type ValidateFunction } from 'ajv'
import type { FastifyInstance } from 'fastify'

type Schema = object & { content?: Record<string, { schema: object }> }

// Most validators are used a few times: to optimize one takes longer than it saves, and so do texts of errors.
const ajv = new Ajv({
  ...{ strict: false, validateFormats: false, validateSchema: false, messages: false },
  code: { optimize: false },
})
const validators = new WeakMap<object, ValidateFunction>()

function validatorOf(schema: object): ValidateFunction {
  const validate = validators.get(schema) ?? ajv.compile(schema)
  validators.set(schema, validate)
  return validate
}

/**
 * Checks what the handlers return against their response schemas, before the serializer drops members that a schema does
 * not name or converts values. A mismatch is an unexpected error: the test gets a 500 and a fault.
 */
export function checkResponses(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const schemas = (route.schema?.response ?? {}) as Record<string, Schema>
    route.preSerialization = [
      ...[route.preSerialization ?? []].flat(),
      (request, reply, payload, done) => {
        const declared = schemas[reply.statusCode]
        const schema = declared?.content ? declared.content['application/json']?.schema : declared
        const validate = schema && validatorOf(schema)
        if (!validate || validate(payload)) return done(null, payload)
        const { method, url } = request
        const { statusCode } = reply
        const errors = JSON.stringify(validate.errors)
        done(new Error(`${method} ${url}, ${statusCode}, does not match its schema: ${errors}`))
      },
    ]
  })
}
