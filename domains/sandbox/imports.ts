import type { Readable } from 'node:stream'
import { yieldToEventLoop } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import { badRequest, type StandardError, standardError } from '../../plugins/errors.ts'
import { recordContacts } from '../contacts/operations.ts'
import { BadContact, type Counted, contactReader, SLICE } from './contact_bodies.ts'
import { lines } from './lines.ts'

/** Bytes of a line. */
export const LONGEST_LINE = 64 * 1024
/** Contacts of a chunk, about: few enough that its commit takes some milliseconds, enough to share it. */
export const CHUNK = 2400

/** Where an import stopped: what stands before is kept. */
export interface Stopped extends StandardError {
  cause: [{ line: number; imported: number; imported_lines: number }]
}

/**
 * Records one contact for each line of JSON; chunk by chunk, each all or nothing, in memory that does not grow. Answers
 * how many, or why it stopped at a line; rejects when the stream breaks off, as whoever sent it hears nothing any more.
 */
export async function importLines(world: World, stream: Readable): Promise<{ imported: number } | Stopped> {
  const read = contactReader(world)
  let chunk: Counted[] = []
  let waiting = 0
  const done = { imported: 0, imported_lines: 0 }
  let line = 0

  async function record(): Promise<void> {
    await world.tx((q) => recordContacts(q, world, chunk))
    done.imported += waiting
    done.imported_lines = line
    chunk = []
    waiting = 0
    // The commit was a turn's work.
    await yieldToEventLoop()
  }

  try {
    for await (const texts of lines(stream, LONGEST_LINE))
      for (const text of texts) {
        line++
        const value = parsed(text, line)
        if (value === undefined) continue
        const contact = read(value)
        chunk.push(contact instanceof Promise ? await contact : contact)
        waiting += chunk.at(-1)!.count
        if (waiting >= CHUNK) await record()
        else if (line % SLICE === 0) await yieldToEventLoop()
      }
    await record()
    return { imported: done.imported }
  } catch (error) {
    if (!(error instanceof BadContact)) throw error
    const { member, message } = error
    const kept = done.imported_lines > 0 ? `lines 1 to ${done.imported_lines} were imported` : 'nothing was imported'
    const told = badRequest(`line ${line}: ${member === undefined ? '' : `${member}: `}${message}; ${kept}`)
    return { ...standardError(told), cause: [{ line, ...done }] }
  }
}

/** What a line says; undefined for a blank one. */
function parsed(text: string | null, line: number): unknown {
  if (text === null) throw new BadContact(undefined, `must have at most ${LONGEST_LINE} bytes`)
  // Some platforms' writers begin a text with a byte order mark.
  const written = line === 1 && text.startsWith('\ufeff') ? text.slice(1) : text
  try {
    return JSON.parse(written)
  } catch {
    if (written.trim() === '') return undefined
    throw new BadContact(undefined, 'must be a JSON object')
  }
}
