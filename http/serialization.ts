import createSerializer, { type AnySchema } from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify'
import { keptFor } from '../db/kept.ts'

type Serialize = (value: unknown) => string

/** By schema: several servers of a process share them. */
const serializerOf = keptFor((schema: object): Serialize => {
  const { anyOf = [] } = schema as { anyOf?: Choice[] }
  const isChoice = anyOf.length > 0 && anyOf.every(({ type, required }) => type === 'array' || required)
  return isChoice
    ? (value) => serializerOf(anyOf.find((one) => isOf(one, value as object)) ?? anyOf[0]!)(value)
    : createSerializer(withNullable(schema) as AnySchema)
})

interface Choice {
  type?: string
  required?: string[]
}
/** Whether an answer that has several forms has this one: a list, or an object with its members. */
const isOf = ({ type, required = [] }: Choice, value: object): boolean =>
  type === 'array' ? Array.isArray(value) : required.every((name) => Object.hasOwn(value, name))

/**
 * Writes a choice of a schema and null as `nullable`. For any other choice in an answer the serializer validates each
 * value with ajv: loading and compiling it would take longer than the rest of a first call.
 */
function withNullable(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map(withNullable)
  const copy = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, withNullable(value)]))
  const { anyOf, ...rest } = inOrder(copy) as { anyOf?: { type?: string }[] }
  const isNullable = anyOf?.length === 2 && anyOf[1]!.type === 'null'
  return isNullable ? { ...anyOf[0], ...rest, nullable: true } : inOrder(copy)
}

/** The serializer writes required members first: without `required` it keeps the order of the schema. */
function inOrder(schema: Record<string, unknown>): Record<string, unknown> {
  const { properties, required, ...rest } = schema
  if (!Array.isArray(required) || typeof properties !== 'object') return schema
  const names = Object.keys(properties as object)
  const isSorted = names.findLastIndex((name) => required.includes(name)) < required.length
  return isSorted ? schema : { ...rest, properties }
}

/**
 * Serializes the members that a response schema names and no others, so that a handler cannot send a secret by accident.
 * A schema is compiled at its first use: compiling all of them would take most of the start.
 */
export const serializerCompiler: FastifySerializerCompiler<object> = ({ schema }) => {
  let serialize: Serialize | undefined
  return (value) => {
    serialize ??= serializerOf(schema)
    return serialize(value)
  }
}
