import { createReadStream } from 'node:fs'
import { badRequest } from '../../http/errors.ts'

// A world file can be larger than memory: it is found out first where its members stand, then each is read by itself,
// element by element. Only bytes are looked at, as all that JSON is built of is ASCII.

/** Where a member's value stands in a file: bytes, the end exclusive. */
export interface Span {
  from: number
  to: number
}

/** Bytes that one element may have. */
export const MAX_ELEMENT_BYTES = 1024 * 1024

const [QUOTE, BACKSLASH, COMMA, COLON, NEWLINE] = [0x22, 0x5c, 0x2c, 0x3a, 0x0a]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
const isWhitespace = (byte: number): boolean => byte === 0x20 || byte === NEWLINE || byte === 0x0d || byte === 0x09
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

const notJson = (line: number) => badRequest(`world: must be a JSON object; it is none at line ${line}`)

/** Finds the members of the object that is pushed in parts; 400 with the line where it is no JSON object. */
export function createMemberScanner() {
  const members = new Map<string, Span>()
  let phase: 'start' | 'first' | 'name' | 'named' | 'value' | 'within' | 'end' = 'start'
  let offset = 0
  let line = 1
  let depth = 0
  let inString = false
  let escaped = false
  let name: number[] = []
  let from = 0

  const close = (to: number) => {
    members.set(nameOf(name), { from, to })
  }
  const nameOf = (bytes: number[]): string => {
    try {
      return JSON.parse(`"${Buffer.from(bytes).toString()}"`) as string
    } catch {
      throw notJson(line)
    }
  }

  function scanByte(byte: number, at: number): void {
    if (byte === NEWLINE) line++
    if (inString) {
      if (escaped) escaped = false
      else if (byte === BACKSLASH) escaped = true
      else if (byte === QUOTE) inString = false
      if (phase !== 'within')
        if (inString) name.push(byte)
        else phase = 'named'
      return
    }
    if (phase === 'within') {
      scanValue(byte, at)
      return
    }
    if (isWhitespace(byte) || (phase === 'start' && byte === BYTE_ORDER_MARK[at])) return
    if (phase === 'start' && byte === OPEN_OBJECT) phase = 'first'
    else if (phase === 'first' && byte === CLOSE_OBJECT) phase = 'end'
    else if ((phase === 'first' || phase === 'name') && byte === QUOTE) {
      inString = true
      name = []
    } else if (phase === 'named' && byte === COLON) {
      const memberName = nameOf(name)
      if (members.has(memberName)) throw badRequest(`${memberName}: stands twice`)
      phase = 'value'
    } else if (phase === 'value' && byte !== COMMA && byte !== CLOSE_OBJECT) {
      from = at
      phase = 'within'
      scanValue(byte, at)
    } else throw notJson(line)
  }

  function scanValue(byte: number, at: number): void {
    if (byte === QUOTE) inString = true
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth++
    else if (depth > 0) {
      if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--
    } else if (byte === COMMA) {
      close(at)
      phase = 'name'
    } else if (byte === CLOSE_OBJECT) {
      close(at)
      phase = 'end'
    } else if (byte === CLOSE_ARRAY) throw notJson(line)
  }

  return {
    push(chunk: Buffer): void {
      for (let n = 0; n < chunk.length; n++) scanByte(chunk[n]!, offset + n)
      offset += chunk.length
    },
    /** The members by name, once all has been pushed. */
    end(): Map<string, Span> {
      if (phase !== 'end') throw notJson(line)
      return members
    },
  }
}

/** The value of a member that is no list; `name` is told where it is no JSON. */
export async function readMember(file: string, name: string, span: Span): Promise<unknown> {
  if (span.to - span.from > MAX_ELEMENT_BYTES) throw tooLong(name)
  const parts: Buffer[] = []
  for await (const part of readSpan(file, span)) parts.push(part)
  return parseJson(Buffer.concat(parts).toString(), name)
}

/** A JSON text; 400 naming its place when it is none. */
export function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw badRequest(`${place}: is not JSON`)
  }
}

const tooLong = (place: string) => badRequest(`${place}: must have at most ${MAX_ELEMENT_BYTES} bytes`)

const readSpan = (file: string, { from, to }: Span): AsyncIterable<Buffer> =>
  createReadStream(file, { start: from, end: to - 1 })

/** The texts of a list's elements, as many at a time as were read at once. */
export async function* readElements(file: string, name: string, span: Span): AsyncGenerator<string[]> {
  let phase = 'start' as 'start' | 'within' | 'end'
  let depth = 0
  let inString = false
  let escaped = false
  let count = 0
  let pieces: Buffer[] = []
  let length = 0
  let texts: string[] = []
  const appendPiece = (piece: Buffer) => {
    length += piece.length
    if (length > MAX_ELEMENT_BYTES) throw tooLong(`${name}[${count}]`)
    pieces.push(piece)
  }
  const finishElement = (isLast: boolean) => {
    const text = Buffer.concat(pieces).toString()
    pieces = []
    length = 0
    if (isLast && count === 0 && text.trim() === '') return
    texts.push(text)
    count++
  }
  for await (const part of readSpan(file, span)) {
    let from = 0
    for (let n = 0; n < part.length; n++) {
      const byte = part[n]!
      if (inString) {
        if (escaped) escaped = false
        else if (byte === BACKSLASH) escaped = true
        else if (byte === QUOTE) inString = false
      } else if (phase === 'start') {
        if (byte === OPEN_ARRAY) phase = 'within'
        else if (!isWhitespace(byte)) throw badRequest(`${name}: must be a list`)
        from = n + 1
      } else if (phase === 'end') {
        if (!isWhitespace(byte)) throw badRequest(`${name}: is not JSON`)
      } else if (byte === QUOTE) inString = true
      else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth++
      else if (depth > 0) {
        if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--
      } else if (byte === COMMA || byte === CLOSE_ARRAY) {
        appendPiece(part.subarray(from, n))
        finishElement(byte === CLOSE_ARRAY)
        if (byte === CLOSE_ARRAY) phase = 'end'
        from = n + 1
      }
    }
    if (phase === 'within') appendPiece(part.subarray(from))
    yield texts
    texts = []
  }
  if (phase !== 'end') throw badRequest(`${name}: ${phase === 'start' ? 'must be a list' : 'is not JSON'}`)
}
