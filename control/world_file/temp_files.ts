import { createReadStream, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { Q } from '../../db/engine.ts'
import { openDraft } from '../../db/sqlite/draft.ts'
import type { World } from '../../db/world.ts'
import { apiError } from '../../http/errors.ts'
import { createMemberScanner, type Span } from './scanner.ts'
import { MAX_FILE_BYTES } from './schemas.ts'

/** Bytes that are looked at before others get their turn. */
const CHUNK_BYTES = 64 * 1024

/** A world's present state, that nobody changes; `drop` it after use. */
export async function openCopy(world: World, path: string): Promise<{ q: Q; discard: () => void }> {
  await world.copyTo(path)
  const draft = openDraft(path)
  return {
    q: draft.q,
    discard() {
      draft.close()
      rmSync(path, { force: true })
    },
  }
}

/** A file that has arrived, and where its members stand in it. */
export interface ScannedFile {
  path: string
  members: Map<string, Span>
}

/**
 * Writes a body to `path`; `drop` it after use. Throws a 400 where it is no JSON object, a 413 where it is too long.
 */
export async function receiveUpload(
  body: Readable | undefined,
  path: string,
): Promise<ScannedFile & { discard: () => void }> {
  const discard = () => rmSync(path, { force: true })
  const file = await open(path, 'wx', 0o600)
  try {
    const finder = createMemberScanner()
    for await (const part of limitedChunks(body)) {
      finder.push(part)
      await file.write(part)
    }
    return { path, members: finder.end(), discard }
  } catch (error) {
    discard()
    // What nobody reads would keep the connection open, and the server from ending.
    body?.resume()
    throw error
  } finally {
    await file.close()
  }
}

/** The same of a file of this machine. */
export async function scanFile(path: string): Promise<ScannedFile> {
  const finder = createMemberScanner()
  for await (const part of createReadStream(path)) finder.push(part as Buffer)
  return { path, members: finder.end() }
}

async function* limitedChunks(body: Readable | undefined): AsyncGenerator<Buffer> {
  let receivedBytes = 0
  // The connection stays: who sent too much is still to be told.
  for await (const chunk of body?.iterator({ destroyOnReturn: false }) ?? []) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer)
    receivedBytes += bytes.length
    if (receivedBytes > MAX_FILE_BYTES)
      throw apiError(413, 'payload_too_large', `The file must have at most ${MAX_FILE_BYTES} bytes.`)
    for (let from = 0; from < bytes.length; from += CHUNK_BYTES) yield bytes.subarray(from, from + CHUNK_BYTES)
  }
}
