import { INSTANT_MESSAGE } from '../../domains/shared/schemas.ts'
import { nearest } from '../../http/errors/suggestions.ts'
import type { Schema } from './ladder.ts'

/** Values near a wrong one that a schema allows, the nearest first. */
export function repairedValues(value: unknown, schema: Schema): unknown[] {
  const { type, anyOf, pattern } = schema
  if (value === undefined) return []
  const types = [type ?? []].flat()
  if (types.includes('array')) return repairedList(value, schema)
  if (anyOf) return anyOf.flatMap((choice) => repairedValues(value, choice))
  if (types.includes('object')) return []
  const sent = firstScalar(value)
  if (sent === undefined || sent === null) return []
  const words = wordsOf(schema)
  if (words) return nearestWords(String(sent), words)
  if (types.includes('integer') || types.includes('number')) return repairedNumber(sent, schema)
  if (schema['x-message'] === INSTANT_MESSAGE || isDatePattern(pattern)) return repairedDates(String(sent), schema)
  return repairedTexts(String(sent), schema)
}

/** The first value in lists and objects: clients nest one by mistake. */
function firstScalar(value: unknown): unknown {
  let found = value
  while (typeof found === 'object' && found !== null) found = Object.values(found)[0]
  return found
}

/** The values of an enum, or of a pattern or message that lists them. */
export function wordsOf({ enum: values, pattern, 'x-message': message }: Schema): string[] | undefined {
  const listed = /^\^\(([\w|]+)\)\??\$$/.exec(pattern ?? '')?.[1] ?? /^must be one of (.+)$/.exec(message ?? '')?.[1]
  return values?.map(String) ?? listed?.split(/, |\|/)
}

function nearestWords(sent: string, words: string[]): string[] {
  const typed = sent.trim().toLowerCase()
  const same = words.filter((word) => word.toLowerCase() === typed)
  const similar = nearest(
    typed,
    words.map((word) => word.toLowerCase()),
  )
  return [...same, ...words.filter((word) => word.toLowerCase() === similar), ...words.slice(0, 1)]
}

function repairedNumber(sent: unknown, { type, minimum, exclusiveMinimum, maximum }: Schema): number[] {
  const found = Number(/-?\d+(\.\d+)?(e[+-]?\d+)?/i.exec(String(sent))?.[0])
  if (Number.isNaN(found)) return []
  const isInteger = [type ?? []].flat().includes('integer')
  const least = minimum ?? (exclusiveMinimum === undefined ? -Infinity : exclusiveMinimum + (isInteger ? 1 : 0.01))
  const clamped = Math.min(Math.max(isInteger ? Math.round(found) : found, least), maximum ?? Infinity)
  return Number.isFinite(clamped) ? [clamped] : []
}

const isDatePattern = (pattern = '') => pattern.includes('T[0-9]{2}:[0-9]{2}')

/** A date with the digits that were sent, in the form that the schema wants. */
function repairedDates(sent: string, { pattern }: Schema): string[] {
  const [, year, month, day, time = '00:00:00'] =
    /(\d{4})\D?(\d{1,2})\D?(\d{1,2})(?:\D(\d{2}:\d{2}:\d{2}))?/.exec(sent) ?? []
  if (year === undefined) return []
  const lastDay = new Date(Date.UTC(Number(year), Math.min(Math.max(Number(month), 1), 12), 0))
  const dayOfMonth = Math.min(Math.max(Number(day), 1), lastDay.getUTCDate())
  const date = `${year}-${String(lastDay.getUTCMonth() + 1).padStart(2, '0')}-${String(dayOfMonth).padStart(2, '0')}`
  const texts = /^([01]\d|2[0-3])(:[0-5]\d){2}$/.test(time) ? [`${date}T${time}`] : []
  return [...texts, `${date}T00:00:00`].map((text) => (pattern ? text : `${text}.000Z`))
}

/** Other notations of a text; the caller leaves out those that change nothing. */
function repairedTexts(sent: string, { pattern, maxLength = Infinity }: Schema): string[] {
  const clean = sent.replaceAll('\u0000', '').trim()
  const short = [...clean].slice(0, maxLength).join('')
  const allowed = pattern === undefined ? undefined : new RegExp(pattern, 'u')
  const found = allowed === undefined ? undefined : unanchored(pattern!).exec(clean.toUpperCase())?.[0]
  return [short, short.toUpperCase(), short.toLowerCase(), found ?? ''].filter((text) =>
    allowed ? allowed.test(text) && text !== '' : text !== '',
  )
}
/** A part of the text that has the form. */
const unanchored = (pattern: string) => new RegExp(pattern.replace(/^\^|\$$/g, ''), 'u')

/** A list without some element, or a value as the list of itself. */
function repairedList(value: unknown, { items, maxItems = Infinity }: Schema): unknown[] {
  const list = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [value]
  const repaired = list.flatMap((element) => (items ? [repairedValues(element, items)[0] ?? element] : [element]))
  const unique = [...new Set(repaired)].slice(0, maxItems)
  const isText = typeof value === 'string'
  const shorter = unique.length < 6 ? unique.map((_, n) => unique.filter((__, m) => m !== n)) : []
  return [unique, ...shorter].filter((one) => one.length > 0).map((one) => (isText ? one.join(',') : one))
}
