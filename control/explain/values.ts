import type { RouteOptions } from 'fastify'
import { keptFor } from '../../db/kept.ts'
import type { World } from '../../db/world.ts'
import { INSTANT_MESSAGE } from '../../domains/shared/schemas.ts'
import { nearest } from '../../http/errors/suggestions.ts'
import { validatorCompiler } from '../../http/errors/validation.ts'
import { REDACTED, redactTokens, SECRETS } from '../../http/journal/redaction.ts'
import { type Call, contextOf, fieldSchema, isWrite, placeOf, sentValue, withField } from './call.ts'
import { type Schema, schemaOf } from './ladder.ts'
import type { Change } from './schemas.ts'

export interface ChangedCall {
  call: Call
  change: Change
}

export const otherChange = (kind: Change['kind'], from: string | null, to: string | null): Change => ({
  ...{ kind, in: null, name: null, from, to },
})

const MAX_SHOWN_CHARACTERS = 200

/** A value without its secrets, as a short text; null for none. */
export function showValue(name: string, value: unknown): string | null {
  if (value === undefined) return null
  if (SECRETS.request.has(name)) return REDACTED
  const characters = [...redactTokens(typeof value === 'string' ? value : JSON.stringify(value))]
  const isLong = characters.length > MAX_SHOWN_CHARACTERS
  return isLong ? `${characters.slice(0, MAX_SHOWN_CHARACTERS).join('')}…` : characters.join('')
}

/**
 * The call with another value of a field: the nearest that the schema allows, else one that exists in the world, else
 * none, if it is an optional parameter of the query, else one that the schema shows. Undefined if no value is known. A
 * write keeps what its path names.
 */
export async function withOtherValue(
  world: World,
  route: RouteOptions,
  call: Call,
  name: string,
): Promise<ChangedCall | undefined> {
  const place = placeOf(route, call, name)
  if (place === undefined || place === 'header') return undefined
  const schema = fieldSchema(route, place, name)
  // An unknown member was meant to have an effect: a call without it may do something else.
  if (place === 'body' && !schema) return undefined
  const sent = sentValue(route, call, place, name)
  const isRemovable = sent !== undefined && place === 'query' && !isRequired(route, name)
  const near = schema && !fits(sent, schema) ? nearestAllowed(sent, schema) : undefined
  const isTarget = place === 'path' && isWrite(call)
  const found = isTarget ? undefined : similarOf(await valuesOf(world, route, call, name), sent)
  const to = near ?? found ?? (isRemovable || isTarget ? undefined : shown(schema))
  if (to === undefined && !isRemovable) return undefined
  const kind = to === undefined ? 'remove' : sent === undefined ? 'add' : 'replace'
  const change = { kind, in: place, name, from: showValue(name, sent), to: showValue(name, to) } as const
  return { call: withField(route, call, { place, name }, to), change }
}

/** The word that is most like the sent one, else the first value; ids that are alike have nothing in common. */
function similarOf(values: readonly unknown[], sent: unknown): unknown {
  const others = values.filter((value) => String(value) !== String(sent))
  const words = others.map(String).filter((word) => !/\d/.test(word))
  return similarWord(String(sent), words)[0] ?? others[0]
}

const shown = (schema: Schema | undefined): unknown =>
  schema && [...shownValues(schema), schema.default, schema.minimum].find((value) => value !== undefined)

/** Values of a field with which such a call succeeds, the best first. */
export async function valuesOf(
  world: World,
  route: RouteOptions | undefined,
  call: Call,
  name: string,
): Promise<unknown[]> {
  const values = route && (await route.config?.checks?.values?.[name]?.(contextOf(world, route, call)))
  return (values ?? []).filter((value) => value !== undefined)
}

function isRequired(route: RouteOptions, name: string): boolean {
  const { querystring, body } = schemaOf(route)
  const schema = querystring?.properties?.[name] ? querystring : body
  return (schema?.required?.includes(name) ?? false) && schema?.properties?.[name]?.default === undefined
}

// What a schema allows, as far as its own keywords say.

/** The values of an enum, or of a pattern or message that lists them. */
export function wordsOf({ enum: values, pattern, 'x-message': message }: Schema): string[] | undefined {
  const listed = /^\^\(([\w|]+)\)\??\$$/.exec(pattern ?? '')?.[1] ?? /^must be one of (.+)$/.exec(message ?? '')?.[1]
  return values?.map(String) ?? listed?.split(/, |\|/)
}

/** Values that a schema shows: all that it lists, else its examples. */
export const shownValues = ({ enum: values, examples, anyOf }: Schema): readonly unknown[] =>
  values ?? examples ?? anyOf?.flatMap(shownValues) ?? []

/** Whether a value is allowed, also as the text of an integer. A date is read by the handler: its schema allows any text. */
export function fits(value: unknown, schema: Schema): boolean {
  if (schema['x-message'] === INSTANT_MESSAGE) return false
  return validatorOf(schema)({ value: structuredClone(value) }) === true
}

/** ajv keeps what it has compiled, so each schema is compiled once. */
const validatorOf = keptFor((value: Schema) => {
  const schema = { type: 'object', properties: { value }, required: ['value'] }
  return validatorCompiler({ schema: schema as object, method: 'GET', url: '' })
})

/** The allowed value that is nearest to a wrong one; undefined if none is near. */
function nearestAllowed(value: unknown, schema: Schema): unknown {
  const { anyOf, type, items, maxItems = Infinity } = schema
  const types = [type ?? []].flat()
  if (anyOf) return anyOf.map((choice) => nearestAllowed(value, choice)).find((found) => found !== undefined)
  if (types.includes('array') && items && Array.isArray(value)) {
    const elements = value.map((one) => (fits(one, items) ? one : nearestAllowed(one, items)))
    return [...new Set(elements)].filter((one) => one !== undefined).slice(0, maxItems)
  }
  const [sent] = [value].flat()
  if (typeof sent !== 'string' && typeof sent !== 'number') return undefined
  const isNumber = types.includes('integer') || types.includes('number')
  return (isNumber ? [nearestNumber(sent, schema)] : nearTexts(String(sent), schema)).find((one) => fits(one, schema))
}

function nearestNumber(sent: string | number, { type, minimum, exclusiveMinimum, maximum = Infinity }: Schema): number {
  const isInteger = [type ?? []].flat().includes('integer')
  const least = minimum ?? (exclusiveMinimum === undefined ? -Infinity : exclusiveMinimum + (isInteger ? 1 : 0.01))
  // Another id is not nearer.
  const isNumber = maximum === Number.MAX_SAFE_INTEGER ? /^\s*\d+\s*$/.test(String(sent)) : sent !== ''
  const n = isNumber ? Number(sent) : Number.NaN
  return Math.min(Math.max(isInteger ? Math.round(n) : n, least), maximum)
}

/** Texts with another case, without blanks around them, or cut; then the word that is most like the text. */
function nearTexts(sent: string, schema: Schema): string[] {
  const clean = sent.replaceAll('\u0000', '').trim()
  const short = [...clean].slice(0, schema.maxLength).join('')
  return [short, short.toUpperCase(), short.toLowerCase(), ...similarWord(clean, wordsOf(schema) ?? [])]
}

/** The word that differs least from a text, whatever the case; none if all differ too much. */
export function similarWord(text: string, words: readonly string[]): string[] {
  const typed = text.trim().toLowerCase()
  const lower = words.map((word) => word.toLowerCase())
  const at = lower.indexOf(lower.includes(typed) ? typed : (nearest(typed, lower) ?? ''))
  return at < 0 ? [] : [words[at]!]
}
