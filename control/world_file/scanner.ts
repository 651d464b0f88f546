import { createReadStream } from 'node:fs'
import { badRequest } from '../../http/errors/control_errors.ts'

// A world file can be larger than memory: a first pass finds its members, then each is read on its own, element by
// element. Both look at single bytes: the structure of JSON is ASCII, and no other character has ASCII bytes.

/** The value of a member: bytes of the file, the end exclusive. */
export interface Span {
  from: number
  to: number
}

/** Bytes of one element. */
const MAX_ELEMENT_BYTES = 1024 * 1024

const [QUOTE, BACKSLASH, COMMA, COLON, NEWLINE] = [0x22, 0x5c, 0x2c, 0x3a, 0x0a]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
const isWhitespace = (byte: number): boolean => byte === 0x20 || byte === NEWLINE || byte === 0x0d || byte === 0x09
const isBlank = (text: string): boolean => /^[ \t\r\n]*$/.test(text)
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/** A byte of the structure, and its position in the chunk. */
interface Mark {
  byte: number
  at: number
}

/**
 * Scans an object or an array, pushed in chunks. Yields its brackets, commas and colons, not those of strings and nested
 * values; outside the brackets all but whitespace.
 */
function createStructureScanner(open: number, close: number) {
  let depth = 0
  let inString = false
  let isEscaped = false
  let line = 1
  function* scan(chunk: Buffer): Generator<Mark> {
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!
      if (byte === NEWLINE) line++
      if (inString) {
        if (isEscaped) isEscaped = false
        else if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) inString = false
      } else if (depth === 0) {
        if (isWhitespace(byte)) continue
        yield { byte, at }
        if (byte === open) depth = 1
      } else if (byte === QUOTE) inString = true
      else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth++
      else if (depth > 1) {
        if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--
      } else if (byte === COMMA || byte === COLON || byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
        yield { byte, at }
        if (byte === close) depth = 0
      }
    }
  }
  return { scan, line: () => line }
}

/** Joins the pieces of a text; throws 400 if it is too long. */
function createTextBuffer(place: () => string) {
  let pieces: Buffer[] = []
  let length = 0
  return {
    append(piece: Buffer): void {
      length += piece.length
      if (length > MAX_ELEMENT_BYTES) throw tooLong(place())
      pieces.push(piece)
    },
    take(): string {
      const text = Buffer.concat(pieces).toString()
      pieces = []
      length = 0
      return text
    },
  }
}
const tooLong = (place: string) => badRequest(`${place}: must have at most ${MAX_ELEMENT_BYTES} bytes`)

/** Finds the members of an object that is pushed in chunks; throws 400 with the line if it is not a JSON object. */
export function createMemberScanner() {
  const members = new Map<string, Span>()
  const { scan, line } = createStructureScanner(OPEN_OBJECT, CLOSE_OBJECT)
  const name = createTextBuffer(() => 'world')
  let state: 'before' | 'name' | 'value' | 'after' = 'before'
  let value: Span
  let offset = 0
  const syntaxError = () => badRequest(`world: must be a JSON object; syntax error at line ${line()}`)

  function startMember(from: number): void {
    const memberName = parseName(name.take())
    if (memberName === undefined) throw syntaxError()
    if (members.has(memberName)) throw badRequest(`${memberName}: is a duplicate`)
    value = { from, to: from }
    members.set(memberName, value)
    state = 'value'
  }

  function onStructureByte(byte: number, at: number): void {
    if (state === 'before' && byte === OPEN_OBJECT) state = 'name'
    else if (state === 'name' && byte === COLON) startMember(at + 1)
    else if (state === 'value' && (byte === COMMA || byte === CLOSE_OBJECT) && at > value.from) {
      value.to = at
      state = byte === COMMA ? 'name' : 'after'
    } else if (state === 'name' && byte === CLOSE_OBJECT && members.size === 0 && isBlank(name.take())) state = 'after'
    else if (!(state === 'before' && byte === BYTE_ORDER_MARK[at]) && !(state === 'value' && byte === COLON))
      throw syntaxError()
  }

  return {
    push(chunk: Buffer): void {
      let from = 0
      for (const { byte, at } of scan(chunk)) {
        if (state === 'name') name.append(chunk.subarray(from, at))
        from = at + 1
        onStructureByte(byte, offset + at)
      }
      if (state === 'name') name.append(chunk.subarray(from))
      offset += chunk.length
    },
    /** The members by name, once the whole object has been pushed. */
    end(): Map<string, Span> {
      if (state !== 'after') throw syntaxError()
      return members
    },
  }
}

/** Parses the JSON string of a member name; undefined for any other text. */
function parseName(text: string): string | undefined {
  try {
    const name: unknown = JSON.parse(text)
    return typeof name === 'string' ? name : undefined
  } catch {
    return undefined
  }
}

const readSpan = (file: string, { from, to }: Span): AsyncIterable<Buffer> =>
  createReadStream(file, { start: from, end: to - 1 })

/** Reads the value of a member that is not a list. */
export async function readMember(file: string, name: string, span: Span): Promise<unknown> {
  const text = createTextBuffer(() => name)
  for await (const chunk of readSpan(file, span)) text.append(chunk)
  return parseJson(text.take(), name)
}

/** Parses a JSON text; throws 400 with its place if it is invalid. */
export function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw badRequest(`${place}: is not JSON`)
  }
}

/** Yields the texts of a list's elements; those of one chunk at a time. */
export async function* readElements(file: string, name: string, span: Span): AsyncGenerator<string[]> {
  const { scan } = createStructureScanner(OPEN_ARRAY, CLOSE_ARRAY)
  let count = 0
  const element = createTextBuffer(() => `${name}[${count}]`)
  let state: 'before' | 'within' | 'after' = 'before'
  let texts: string[] = []

  function finishElement(isLast: boolean): void {
    const text = element.take()
    if (isLast && count === 0 && isBlank(text)) return
    texts.push(text)
    count++
  }

  for await (const chunk of readSpan(file, span)) {
    let from = 0
    for (const { byte, at } of scan(chunk)) {
      if (state === 'after') throw badRequest(`${name}: is not JSON`)
      if (state === 'before' && byte !== OPEN_ARRAY) throw badRequest(`${name}: must be an array`)
      if (state === 'within') {
        if (byte !== COMMA && byte !== CLOSE_ARRAY) continue
        element.append(chunk.subarray(from, at))
        finishElement(byte === CLOSE_ARRAY)
      }
      state = byte === CLOSE_ARRAY ? 'after' : 'within'
      from = at + 1
    }
    if (state === 'within') element.append(chunk.subarray(from))
    yield texts
    texts = []
  }
  if (state === 'before') throw badRequest(`${name}: must be an array`)
  if (state === 'within') throw badRequest(`${name}: is not JSON`)
}
