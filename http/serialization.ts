import createSerializer, { type AnySchema } from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify'

type Serialize = (value: unknown) => string

/** By schema: several servers of a process share them. */
const serializers = new WeakMap<object, Serialize>()

function serializerOf(schema: AnySchema & object): Serialize {
  let serialize = serializers.get(schema)
  if (!serialize) {
    serialize = createSerializer(schema)
    serializers.set(schema, serialize)
  }
  return serialize
}

/**
 * Serializes the members that a response schema names and no others, so that a handler cannot send a secret by accident.
 * A schema is compiled at its first use: compiling all of them would take most of the start.
 */
export const serializerCompiler: FastifySerializerCompiler<AnySchema & object> = ({ schema }) => {
  let serialize: Serialize | undefined
  return (value) => {
    serialize ??= serializerOf(schema)
    return serialize(value)
  }
}
