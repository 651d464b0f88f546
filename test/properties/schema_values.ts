import fc, { type Arbitrary } from 'fast-check'
import type { Schema } from '../support/openapi.ts'

/** Resolves references and knows existing values by member name. */
export interface ValueContext {
  resolveReference(schema: Schema): Schema
  values(name: string): unknown[] | undefined
}

const TEXTS = ['Mate de calabaza', 'a', '😀ñ', 'one\u2028two', '<b>&amp;"\'\\', 'APP_USR-7', '\ufeffx', 'x'.repeat(40)]
const MEMBERS = fc.constantFrom('text', 'a', 'retry-after', 'x-trace', '__proto__')

/** A value that matches a schema; mostly existing values and bounds. */
export function schemaValue(schema: Schema, name: string, context: ValueContext): Arbitrary<unknown> {
  const existing = context.values(name)
  return existing
    ? fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom(...existing) },
        { weight: 1, arbitrary: newValue(schema, name, context) },
      )
    : newValue(schema, name, context)
}

function newValue(sent: Schema, name: string, context: ValueContext): Arbitrary<unknown> {
  const schema = context.resolveReference(sent)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => schemaValue(one, name, context)))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const types = [schema.type ?? []].flat()
  if (types.length === 0) return fc.oneof(...examplesOf(schema), fc.jsonValue({ maxDepth: 2 }))
  return fc.oneof(...types.map((type) => typedValue(type, schema, context)))
}

const examplesOf = ({ examples = [] }: Schema) => examples.map((example) => fc.constant(example))

function typedValue(type: string, schema: Schema, context: ValueContext): Arbitrary<unknown> {
  if (type === 'object') return objectValue(schema, context)
  if (type === 'array')
    return fc.array(schemaValue(schema.items ?? {}, '', context), { maxLength: Math.min(3, schema.maxItems ?? 3) })
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === 'string') return textValue(schema)
  const { minimum = 0, maximum = 1000 } = schema
  if (type === 'number') return fc.oneof(...examplesOf(schema), fc.constantFrom(12.5, maximum, minimum || 0.01))
  return fc.oneof(
    ...examplesOf(schema),
    fc.integer({ min: minimum, max: Math.min(maximum, minimum + 100) }),
    fc.constantFrom(minimum, maximum),
  )
}

function textValue(schema: Schema): Arbitrary<string> {
  const { examples = [], pattern, minLength = 0, maxLength = 40 } = schema
  const regex = new RegExp(pattern ?? '', 'u')
  const candidates = [...examples, ...TEXTS, '¿'.repeat(maxLength)].map(String)
  const matching = candidates.filter(
    (text) => regex.test(text) && [...text].length >= minLength && [...text].length <= maxLength,
  )
  return matching.length > 0 ? fc.constantFrom(...matching) : fc.string({ minLength, maxLength })
}

/** An example, or the required members with a few of the optional ones, because many of these exclude each other. */
const objectValue = (schema: Schema, context: ValueContext): Arbitrary<unknown> =>
  fc.oneof(...examplesOf(schema), { weight: 4, arbitrary: composedObject(schema, context) })

function composedObject(schema: Schema, context: ValueContext): Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, one]) => [name, schemaValue(one, name, context)]),
  )
  const optional = Object.keys(properties).filter((name) => !required.includes(name))
  if (Object.keys(properties).length === 0)
    return fc.dictionary(
      MEMBERS,
      typeof additionalProperties === 'object' ? schemaValue(additionalProperties, '', context) : fc.string(),
      { maxKeys: 2 },
    )
  return fc
    .subarray(optional, { maxLength: Math.min(4, optional.length) })
    .chain((candidates) =>
      fc.record(
        Object.fromEntries([...required, ...candidates].map((name) => [name, members[name] ?? fc.constant(0)])),
      ),
    )
}
