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

const TEXTS: Record<string, string> = {
  date: '2026-01-01',
  'date-time': '2026-01-01T00:00:00.000Z',
  email: 'user@example.com',
  uri: 'https://example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
}

/** A small value that a schema allows: its example if it has one. What is nested too deeply, or endlessly, is null. */
export function sampleOf(given: Schema | undefined, resolve: Resolve, level = 0): unknown {
  const schema = resolve(given)
  if (!schema || level > MAX_LEVELS) return null
  const { example, examples, default: byDefault, const: constant, enum: values } = schema
  const fixed = [example, examples?.[0], byDefault, constant, values?.[0]].find((value) => value !== undefined)
  if (fixed !== undefined) return fixed
  const { allOf, oneOf, anyOf, properties, items } = schema
  const choice = (oneOf ?? anyOf)?.[0]
  if (choice) return sampleOf(choice, resolve, level + 1)
  if (allOf) return mergeAll([...allOf, ...(properties ? [{ properties }] : [])], resolve, level)
  const [type] = [schema.type].flat().filter((one) => one !== 'null')
  if (properties || type === 'object')
    return Object.fromEntries(
      Object.entries(properties ?? {}).map(([name, member]) => [name, sampleOf(member, resolve, level + 1)]),
    )
  if (items || type === 'array') return items ? [sampleOf(items, resolve, level + 1)] : []
  return scalarOf(type, schema)
}

function mergeAll(parts: Schema[], resolve: Resolve, level: number): unknown {
  const values = parts.map((part) => sampleOf(part, resolve, level + 1))
  const objects = values.filter((value) => typeof value === 'object' && value !== null)
  return objects.length > 0 ? Object.assign({}, ...objects) : (values[0] ?? null)
}

function scalarOf(type: string | undefined, { format = '', minimum = 0 }: Schema): unknown {
  if (type === 'string') return TEXTS[format] ?? 'text'
  if (type === 'integer' || type === 'number') return minimum
  return type === 'boolean' ? true : null
}
