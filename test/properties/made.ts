import fc, { type Arbitrary } from 'fast-check'
import type { Schema } from '../support/openapi.ts'

/** What a value is made with: where references lead, and what exists, by the name of the member. */
export interface Making {
  resolved(schema: Schema): Schema
  known(name: string): unknown[] | undefined
}

const TEXTS = ['Mate de calabaza', 'a', '😀ñ', 'one\u2028two', '<b>&amp;"\'\\', 'APP_USR-7', '\ufeffx', 'x'.repeat(40)]
const MEMBERS = fc.constantFrom('text', 'a', 'retry-after', 'x-trace', '__proto__')

/** A value that a schema takes, as far as a schema tells; mostly of what exists, and at the bounds. */
export function made(schema: Schema, name: string, making: Making): Arbitrary<unknown> {
  const known = making.known(name)
  return known
    ? fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom(...known) },
        { weight: 1, arbitrary: fresh(schema, name, making) },
      )
    : fresh(schema, name, making)
}

function fresh(sent: Schema, name: string, making: Making): Arbitrary<unknown> {
  const schema = making.resolved(sent)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => made(one, name, making)))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const types = [schema.type ?? []].flat()
  if (types.length === 0) return fc.oneof(...samples(schema), fc.jsonValue({ maxDepth: 2 }))
  return fc.oneof(...types.map((type) => ofType(type, schema, making)))
}

const samples = ({ examples = [] }: Schema) => examples.map((example) => fc.constant(example))

function ofType(type: string, schema: Schema, making: Making): Arbitrary<unknown> {
  if (type === 'object') return objectOf(schema, making)
  if (type === 'array')
    return fc.array(made(schema.items ?? {}, '', making), { maxLength: Math.min(3, schema.maxItems ?? 3) })
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === 'string') return textOf(schema)
  const { minimum = 0, maximum = 1000 } = schema
  if (type === 'number') return fc.oneof(...samples(schema), fc.constantFrom(12.5, maximum, minimum || 0.01))
  return fc.oneof(
    ...samples(schema),
    fc.integer({ min: minimum, max: Math.min(maximum, minimum + 100) }),
    fc.constantFrom(minimum, maximum),
  )
}

function textOf(schema: Schema): Arbitrary<string> {
  const { examples = [], pattern, minLength = 0, maxLength = 40 } = schema
  const form = new RegExp(pattern ?? '', 'u')
  const some = [...examples, ...TEXTS, '¿'.repeat(maxLength)].map(String)
  const fitting = some.filter(
    (text) => form.test(text) && [...text].length >= minLength && [...text].length <= maxLength,
  )
  return fitting.length > 0 ? fc.constantFrom(...fitting) : fc.string({ minLength, maxLength })
}

/** An example; or the members that it must have, and a few of the others: all at once contradict each other. */
const objectOf = (schema: Schema, making: Making): Arbitrary<unknown> =>
  fc.oneof(...samples(schema), { weight: 4, arbitrary: composed(schema, making) })

function composed(schema: Schema, making: Making): Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema
  const members = Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, made(one, name, making)]))
  const optional = Object.keys(properties).filter((name) => !required.includes(name))
  if (Object.keys(properties).length === 0)
    return fc.dictionary(
      MEMBERS,
      typeof additionalProperties === 'object' ? made(additionalProperties, '', making) : fc.string(),
      { maxKeys: 2 },
    )
  return fc
    .subarray(optional, { maxLength: Math.min(4, optional.length) })
    .chain((some) =>
      fc.record(Object.fromEntries([...required, ...some].map((name) => [name, members[name] ?? fc.constant(0)]))),
    )
}
