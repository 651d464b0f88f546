/** The parts of a JSON schema that a value is made from. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  example?: unknown
  examples?: unknown[]
  default?: unknown
  const?: unknown
  enum?: unknown[]
  minimum?: number
  properties?: Record<string, Schema>
  items?: Schema
  allOf?: Schema[]
  oneOf?: Schema[]
  anyOf?: Schema[]
}

/** Finds what a reference within the document names; undefined if it names nothing. */
export type Resolve = <T extends { $ref?: string }>(value: T | undefined) => T | undefined

const MAX_LEVELS = 8
/** JSON of all values together: references make a file of some hundred bytes describe billions of values. */
const MAX_TOTAL_BYTES = 16 * 1024 * 1024
/** What a value takes at least, here and in memory. */
const VALUE_BYTES = 16

const TEXTS: Record<string, string> = {
  date: '2026-01-01',
  'date-time': '2026-01-01T00:00:00.000Z',
  email: 'user@example.com',
  uri: 'https://example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
}

/** The values of a document are too many. */
export class TooManyValues extends Error {
  constructor(schema: string, call: string) {
    super(`${schema} of ${call} has too many values. All values of a document may have ${MAX_TOTAL_BYTES} bytes.`)
  }
}

/** Makes the values of one document. Its functions throw TooManyValues, which names the call and the schema. */
export interface Sampler {
  /** A small value that a schema allows: its example if it has one. What is nested too deeply, or endlessly, is null. */
  sampleOf(schema: Schema | undefined, call: string): unknown
  /** Counts an example that is used as it is, and returns it. */
  use(example: unknown, call: string, name?: string): unknown
}

export function createSampler(resolve: Resolve): Sampler {
  let bytesLeft = MAX_TOTAL_BYTES
  const sizes = new WeakMap<object, number>()

  function spend(bytes: number, schema: string, call: string): void {
    bytesLeft -= bytes
    if (bytesLeft < 0) throw new TooManyValues(schema, call)
  }

  function sizeOf(value: unknown): number {
    if (typeof value !== 'object' || value === null) return String(value).length
    const size = sizes.get(value) ?? JSON.stringify(value).length
    sizes.set(value, size)
    return size
  }

  function use(example: unknown, call: string, name = 'the example'): unknown {
    spend(sizeOf(example), name, call)
    return example
  }

  /** `name`: the reference that led here. */
  function sample(given: Schema | undefined, call: string, outer: string, level: number): unknown {
    const name = given?.$ref ?? outer
    spend(VALUE_BYTES, name, call)
    const schema = resolve(given)
    if (!schema || level > MAX_LEVELS) return null
    const { example, examples, default: byDefault, const: constant, enum: values } = schema
    const fixed = [example, examples?.[0], byDefault, constant, values?.[0]].find((value) => value !== undefined)
    if (fixed !== undefined) return use(fixed, call, name)
    const { allOf, oneOf, anyOf, properties, items } = schema
    const inner = (one: Schema): unknown => sample(one, call, name, level + 1)
    const choice = (oneOf ?? anyOf)?.[0]
    if (choice) return inner(choice)
    if (allOf) return merge([...allOf, ...(properties ? [{ properties }] : [])].map(inner))
    const [type] = [schema.type].flat().filter((one) => one !== 'null')
    if (properties || type === 'object')
      return Object.fromEntries(
        Object.entries(properties ?? {}).map(([member, one]) => {
          spend(member.length, name, call)
          return [member, inner(one)]
        }),
      )
    if (items || type === 'array') return items ? [inner(items)] : []
    return scalarOf(type, schema)
  }

  return { use, sampleOf: (schema, call) => sample(schema, call, 'the schema', 0) }
}

function merge(values: unknown[]): unknown {
  const objects = values.filter((value) => typeof value === 'object' && value !== null)
  return objects.length > 0 ? Object.assign({}, ...objects) : (values[0] ?? null)
}

function scalarOf(type: string | undefined, { format = '', minimum = 0 }: Schema): unknown {
  if (type === 'string') return TEXTS[format] ?? 'text'
  if (type === 'integer' || type === 'number') return minimum
  return type === 'boolean' ? true : null
}
