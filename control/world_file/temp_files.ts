import { createReadStream, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { Q } from '../../db/engine.ts'
import { openTempFile } from '../../db/sqlite/draft.ts'
import type { World } from '../../db/world.ts'
import { controlError } from '../../http/errors/control_errors.ts'
import { createMemberScanner, type Span } from './scanner.ts'

/** Bytes of one file. */
export const MAX_FILE_BYTES = 2 ** 30
/** Bytes to scan before yielding to the event loop. */
const CHUNK_BYTES = 64 * 1024

/** A copy of a world's present state, to read from; `discard` it after use. */
export async function openCopy(world: World, path: string): Promise<{ q: Q; discard: () => void }> {
  await world.copyTo(path)
  return openTempFile(path)
}

/** A received file, and where its members are. */
interface ScannedFile {
  path: string
  members: Map<string, Span>
}

/** Writes a body to the temp file `path`; `discard` it after use. Throws 400 if it is not a JSON object, 413 if it is too long. */
export async function receiveUpload(
  body: Readable | undefined,
  path: string,
): Promise<ScannedFile & { discard: () => void }> {
  const discard = () => rmSync(path, { force: true })
  const file = await open(path, 'wx', 0o600)
  try {
    const scanner = createMemberScanner()
    for await (const part of limitedChunks(body)) {
      scanner.push(part)
      await file.write(part)
    }
    return { path, members: scanner.end(), discard }
  } catch (error) {
    discard()
    // An unread body would keep the connection open and prevent the server from closing.
    body?.resume()
    throw error
  } finally {
    await file.close()
  }
}

/** Scans a file of this machine. */
export async function scanFile(path: string): Promise<ScannedFile> {
  const scanner = createMemberScanner()
  for await (const part of createReadStream(path)) scanner.push(part as Buffer)
  return { path, members: scanner.end() }
}

async function* limitedChunks(body: Readable | undefined): AsyncGenerator<Buffer> {
  let receivedBytes = 0
  // Keeps the connection, so that a client that sent too much gets the error.
  for await (const chunk of body?.iterator({ destroyOnReturn: false }) ?? []) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer)
    receivedBytes += bytes.length
    if (receivedBytes > MAX_FILE_BYTES)
      throw controlError(413, 'payload_too_large', `The file must have at most ${MAX_FILE_BYTES} bytes.`)
    for (let from = 0; from < bytes.length; from += CHUNK_BYTES) yield bytes.subarray(from, from + CHUNK_BYTES)
  }
}
