import { validateHeaderName, validateHeaderValue } from 'node:http'
import { isTooDeep, MAX_LEVELS } from '../domains/shared/texts.ts'
import { badRequest } from '../http/errors/control_errors.ts'

// The parts of answers that fault rules and stubs give.

/** Headers of the connection, which no rule can set. */
const CONNECTION_HEADERS = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'trailer',
])

/** The headers with their names in lower case. Throws 400 for one that cannot be sent. */
export function readHeaders(place: string, sent: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => {
      const lowerCaseName = name.toLowerCase()
      try {
        validateHeaderName(lowerCaseName)
        validateHeaderValue(lowerCaseName, value)
      } catch {
        throw badRequest(`${place}.${name}: must be a header that HTTP can send`)
      }
      if (CONNECTION_HEADERS.has(lowerCaseName))
        throw badRequest(`${place}.${name}: is a header of the connection; rules cannot set it`)
      return [lowerCaseName, value]
    }),
  )
}

/** Throws 400 if a JSON value is nested too deeply, or too large. */
export function checkJson(place: string, value: unknown, maxBytes: number): void {
  if (isTooDeep(value)) throw badRequest(`${place}: must have at most ${MAX_LEVELS} levels`)
  if (value !== undefined && Buffer.byteLength(JSON.stringify(value)) > maxBytes)
    throw badRequest(`${place}: must have at most ${maxBytes} bytes`)
}
