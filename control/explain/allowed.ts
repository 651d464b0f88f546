import { INSTANT_MESSAGE } from '../../domains/shared/schemas.ts'
import type { Schema } from './ladder.ts'
import { wordsOf } from './repair.ts'
import type { Sentences } from './texts.ts'

/** What a schema allows, in words; undefined if it allows anything. */
export function allowedText(schema: Schema, words: Sentences): string | undefined {
  const { type, enum: values, pattern, minimum, exclusiveMinimum, maximum, anyOf } = schema
  if (values) return words.oneOf(values.join(', '))
  if (schema['x-message'] === INSTANT_MESSAGE) return words.date()
  const listed = wordsOf(schema)
  if (listed) return words.oneOf(listed.join(', '))
  if (pattern) return words.form(String(schema.examples?.[0] ?? pattern))
  const [first] = [type ?? []].flat()
  if (first === 'integer') return words.integer(minimum, maximum)
  if (first === 'number') return words.number(exclusiveMinimum ?? minimum, maximum)
  if (first === 'string')
    return schema.maxLength === undefined ? undefined : words.text(schema.minLength ?? 0, schema.maxLength)
  if (first === 'array') return words.list(schema.maxItems)
  if (first === 'object') return words.object()
  return anyOf?.map((choice) => allowedText(choice, words)).find((text) => text !== undefined)
}

/** Values that a schema shows: all that it lists, else its examples. */
export const shownValues = ({ enum: values, examples, anyOf }: Schema): readonly unknown[] =>
  values ?? examples ?? anyOf?.flatMap(shownValues) ?? []

/** Whether a value is what a schema allows, as far as its own keywords say; texts of digits are integers. */
export function fits(value: unknown, schema: Schema): boolean {
  const { type, enum: values, pattern, minimum = -Infinity, exclusiveMinimum, maximum = Infinity, anyOf } = schema
  if (anyOf) return anyOf.some((choice) => fits(value, choice))
  if (values) return values.includes(value)
  const types = [type ?? []].flat()
  if (types.includes('integer') || types.includes('number')) {
    const n = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
    const isOfType = types.includes('integer') ? Number.isSafeInteger(n) : typeof n === 'number'
    return (
      isOfType &&
      (n as number) >= minimum &&
      (n as number) <= maximum &&
      (n as number) > (exclusiveMinimum ?? -Infinity)
    )
  }
  if (types.includes('array')) return Array.isArray(value) || typeof value === 'string'
  if (types.includes('object')) return typeof value === 'object' && value !== null && !Array.isArray(value)
  if (typeof value !== 'string' || schema['x-message'] === INSTANT_MESSAGE) return false
  const { length } = [...value]
  const isOfLength = length >= (schema.minLength ?? 0) && length <= (schema.maxLength ?? Infinity)
  return isOfLength && (pattern === undefined || new RegExp(pattern, 'u').test(value))
}
