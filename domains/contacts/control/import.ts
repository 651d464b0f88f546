import type { Readable } from 'node:stream'
import { yieldToEventLoop } from '../../../db/engine.ts'
import type { World } from '../../../db/world.ts'
import { type StandardError, standardError } from '../../../http/errors/answered_error.ts'
import { badRequest } from '../../../http/errors/control_errors.ts'
import { recordContacts } from '../operations.ts'
import { CONTACTS_PER_YIELD, type CountedContact, createContactReader, InvalidContact } from './contact_body.ts'

/** Limit of a line. */
export const MAX_LINE_BYTES = 64 * 1024
/** About the contacts of a chunk: its commit takes some milliseconds, shared by all of them. */
export const CHUNK_CONTACTS = 2400

/** The line at which an import stopped; earlier chunks stay. */
interface ImportError extends StandardError {
  cause: [{ line: number; imported: number; imported_lines: number }]
}

/**
 * Records one contact for each line of JSON, in chunks, each all or nothing. Resolves with the number of contacts, or
 * with the error of a line. Rejects if the stream breaks off.
 */
export async function importLines(world: World, stream: Readable): Promise<{ imported: number } | ImportError> {
  const readContact = createContactReader(world)
  let chunk: CountedContact[] = []
  let pendingContacts = 0
  const progress = { imported: 0, imported_lines: 0 }
  let line = 0

  async function commitChunk(): Promise<void> {
    await world.tx((q) => recordContacts(q, world, chunk))
    progress.imported += pendingContacts
    progress.imported_lines = line
    chunk = []
    pendingContacts = 0
    // A commit takes long enough for other requests to wait.
    await yieldToEventLoop()
  }

  try {
    for await (const texts of readLines(stream, MAX_LINE_BYTES))
      for (const text of texts) {
        line++
        const value = parseLine(text, line)
        if (value === undefined) continue
        const contact = readContact(value)
        chunk.push(contact instanceof Promise ? await contact : contact)
        pendingContacts += chunk.at(-1)!.count
        if (pendingContacts >= CHUNK_CONTACTS) await commitChunk()
        else if (line % CONTACTS_PER_YIELD === 0) await yieldToEventLoop()
      }
    await commitChunk()
    return { imported: progress.imported }
  } catch (error) {
    if (!(error instanceof InvalidContact)) throw error
    const { member, message } = error
    const importedSummary =
      progress.imported_lines > 0 ? `lines 1 to ${progress.imported_lines} were imported` : 'nothing was imported'
    const lineError = badRequest(
      `line ${line}: ${member === undefined ? '' : `${member}: `}${message}; ${importedSummary}`,
    )
    return { ...standardError(lineError), cause: [{ line, ...progress }] }
  }
}

/** The JSON value of a line; undefined if it is blank. */
function parseLine(text: string | null, line: number): unknown {
  if (text === null) throw new InvalidContact(undefined, `must have at most ${MAX_LINE_BYTES} bytes`)
  // Some programs begin files with a byte order mark.
  const json = line === 1 && text.startsWith('\ufeff') ? text.slice(1) : text
  try {
    return JSON.parse(json)
  } catch {
    if (json.trim() === '') return undefined
    throw new InvalidContact(undefined, 'must be a JSON object')
  }
}

const NEWLINE = 10

/**
 * Yields the lines of a stream in batches, with backpressure. A line that is too long is yielded as null, and is the
 * last one. Rejects if the stream breaks off.
 */
export async function* readLines(stream: Readable, maxBytes: number): AsyncGenerator<(string | null)[]> {
  let rest: Buffer = Buffer.alloc(0)
  // A consumer that stops early must still answer; destroying the stream would close the connection.
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const complete: (string | null)[] = []
    let from = 0
    for (let to = bytes.indexOf(NEWLINE); to >= 0; to = bytes.indexOf(NEWLINE, from)) {
      complete.push(to - from > maxBytes ? null : bytes.toString('utf8', from, to))
      from = to + 1
    }
    rest = bytes.subarray(from)
    if (rest.length > maxBytes) complete.push(null)
    yield complete
    if (complete.at(-1) === null) return
  }
  if (rest.length > 0) yield [rest.toString('utf8')]
}
