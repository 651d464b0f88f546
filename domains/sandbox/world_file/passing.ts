import { createReadStream, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { openDraft } from '../../../db/engine.sqlite.ts'
import type { Q } from '../../../db/engine.ts'
import type { World } from '../../../db/world.ts'
import { apiError } from '../../../plugins/errors.ts'
import { memberFinder, type Span } from './scan.ts'
import { LONGEST_FILE } from './schema.ts'

/** Bytes that are looked at before others get their turn. */
const PART = 64 * 1024

/** A world's present state, that nobody changes; `drop` it after use. */
export async function copyOf(world: World, path: string): Promise<{ q: Q; drop: () => void }> {
  await world.copyTo(path)
  const draft = openDraft(path)
  return {
    q: draft.q,
    drop() {
      draft.close()
      rmSync(path, { force: true })
    },
  }
}

/** A file that has arrived, and where its members stand in it. */
export interface Arrived {
  path: string
  members: Map<string, Span>
}

/**
 * Writes a body to `path`; `drop` it after use. Throws a 400 where it is no JSON object, a 413 where it is too long.
 */
export async function received(body: Readable | undefined, path: string): Promise<Arrived & { drop: () => void }> {
  const drop = () => rmSync(path, { force: true })
  const file = await open(path, 'wx', 0o600)
  try {
    const finder = memberFinder()
    for await (const part of partsOf(body)) {
      finder.push(part)
      await file.write(part)
    }
    return { path, members: finder.end(), drop }
  } catch (error) {
    drop()
    // What nobody reads would keep the connection open, and the server from ending.
    body?.resume()
    throw error
  } finally {
    await file.close()
  }
}

/** The same of a file of this machine. */
export async function found(path: string): Promise<Arrived> {
  const finder = memberFinder()
  for await (const part of createReadStream(path)) finder.push(part as Buffer)
  return { path, members: finder.end() }
}

async function* partsOf(body: Readable | undefined): AsyncGenerator<Buffer> {
  let length = 0
  // The connection stays: who sent too much is still to be told.
  for await (const chunk of body?.iterator({ destroyOnReturn: false }) ?? []) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer)
    length += bytes.length
    if (length > LONGEST_FILE)
      throw apiError(413, 'payload_too_large', `The file must have at most ${LONGEST_FILE} bytes.`)
    for (let from = 0; from < bytes.length; from += PART) yield bytes.subarray(from, from + PART)
  }
}
