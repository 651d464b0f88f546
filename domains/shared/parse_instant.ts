const ISO_8601 =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+\- ]\d{2}:?\d{2})?)?$/i

/**
 * Parses an ISO 8601 instant; ms since 1970, or undefined. Without an offset it is UTC, without a time midnight UTC. A
 * blank before the offset counts as plus: an unencoded plus in a query decodes to it [spec: http.dates.plus].
 */
export function parseInstant(text: string): number | undefined {
  const parts = ISO_8601.exec(text)
  if (!parts) return undefined
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => Number(part ?? 0)) as DateParts
  const ms = Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3))
  if (hour > 23 || minute > 59 || second > 59) return undefined
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second, ms)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  const offset = offsetMinutes(parts[8])
  return offset === undefined ? undefined : date.getTime() - offset * 60_000
}
type DateParts = [number, number, number, number, number, number]

/** Minutes east of UTC of `Z`, `+hh:mm`, `-hhmm`; undefined when out of range. */
function offsetMinutes(text = 'Z'): number | undefined {
  if (text === 'Z' || text === 'z') return 0
  const digits = text.replace(/\D/g, '')
  const hours = Number(digits.slice(0, 2))
  const minutes = Number(digits.slice(2))
  if (hours > 23 || minutes > 59) return undefined
  return (text[0] === '-' ? -1 : 1) * (hours * 60 + minutes)
}
