/** A request as it is injected. */
export interface Call {
  method: string
  url: string
  headers?: Record<string, string>
  payload?: string | Buffer
}

/**
 * `fixed`: answers of the emulated API, webhooks, world files, database contents. They change only with the emulated API.
 * `control`: answers of the control plane. They also change when texts are reworded.
 */
export type Plane = 'fixed' | 'control'

/** One request and its answer, normalised, as text. */
export interface Exchange {
  plane: Plane
  /** The request line, truncated. */
  call: string
  /** Status line, headers in the order in which they were sent, an empty line, the body. */
  answer: string
}

const CONTROL = /^(\/w\/[^/]*)?\/(_sandbox|livez|readyz|metrics|docs)([/?]|$)/
const MAX_CALL_LENGTH = 300

export const planeOf = (url: string): Plane => (CONTROL.test(url) ? 'control' : 'fixed')

export function requestLine({ method, url, payload }: Call): string {
  const body = payload === undefined ? '' : ` ${typeof payload === 'string' ? payload : `${payload.length} bytes`}`
  const line = `${method} ${url}${body}`
  return line.length > MAX_CALL_LENGTH ? `${line.slice(0, MAX_CALL_LENGTH)}…` : line
}

/** Decodes UTF-8; other bytes are encoded in base64. */
export function textOf(bytes: Buffer): string {
  const text = bytes.toString()
  return Buffer.from(text).equals(bytes) ? text : `base64:${bytes.toString('base64')}`
}

const MAX_DIFFERENCES = 10
const BEFORE = 80
const AFTER = 160

/** The first line in which two answers differ, truncated around the first different character. */
function firstDifference(expected: string, actual: string): string {
  const [wanted, got] = [expected.split('\n'), actual.split('\n')]
  const differing = [...Array(Math.max(wanted.length, got.length)).keys()].filter((n) => wanted[n] !== got[n])
  // A different content-length follows from another difference.
  const at = differing.find((n) => !wanted[n]?.startsWith('content-length: ')) ?? differing[0] ?? 0
  const [one = '(no such line)', other = '(no such line)'] = [wanted[at], got[at]]
  let column = 0
  while (column < one.length && one[column] === other[column]) column++
  const cut = (line: string) => {
    const from = Math.max(0, column - BEFORE)
    const to = column + AFTER
    return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`
  }
  return `  line ${at + 1}, column ${column + 1}\n  expected: ${cut(one)}\n  actual:   ${cut(other)}`
}

/** Describes the first ten differences, and their number. */
export function differencesOf(expected: Exchange[], actual: Exchange[]): string[] {
  const found: string[] = []
  let count = 0
  for (let n = 0; n < Math.max(expected.length, actual.length); n++) {
    const [wanted, got] = [expected[n], actual[n]]
    if (wanted && got && wanted.call === got.call && wanted.answer === got.answer) continue
    if (++count > MAX_DIFFERENCES) continue
    const call = wanted?.call ?? got?.call ?? ''
    const detail =
      wanted && got
        ? wanted.call === got.call
          ? firstDifference(wanted.answer, got.answer)
          : firstDifference(wanted.call, got.call)
        : `  expected: ${wanted ? 'an answer' : 'no such call'}\n  actual:   ${got ? 'an answer' : 'no such call'}`
    found.push(`call ${n + 1}: ${call}\n${detail}`)
  }
  if (count > MAX_DIFFERENCES) found.push(`${count} differences in all`)
  return found
}
