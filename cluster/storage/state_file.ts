import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { CHUNK_BYTES } from './image.ts'

/** Chunks that are read at once. */
const READ_CHUNKS = 4

/** A database file that becomes a state. It does not change meanwhile. */
export interface StateFile {
  path: string
  /** Bytes. */
  size: number
  /** Of its chunks. */
  hashes: Buffer[]
}

export const hashOf = (bytes: Buffer): Buffer => createHash('sha1').update(bytes).digest()

/** Reads a file in one small buffer: files of worlds are megabytes, which would wait for the garbage collector. */
export async function hashFile(path: string): Promise<StateFile> {
  const buffer = Buffer.allocUnsafe(READ_CHUNKS * CHUNK_BYTES)
  const hashes: Buffer[] = []
  const file = await open(path)
  try {
    const { size } = await file.stat()
    for (let position = 0; position < size; position += buffer.length) {
      const bytes = await fill(buffer.subarray(0, size - position), file, position)
      for (let start = 0; start < bytes.length; start += CHUNK_BYTES)
        hashes.push(hashOf(bytes.subarray(start, start + CHUNK_BYTES)))
    }
    return { path, size, hashes }
  } finally {
    await file.close()
  }
}

/** Reads some chunks of a file, by their numbers. */
export async function readFileChunks({ path, size }: StateFile, numbers: readonly number[]): Promise<Buffer[]> {
  const file = await open(path)
  try {
    return await Promise.all(
      numbers.map((number) => {
        const start = number * CHUNK_BYTES
        return fill(Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size - start)), file, start)
      }),
    )
  } finally {
    await file.close()
  }
}

/** Fills a buffer with the bytes of a file from `position` on. */
async function fill(buffer: Buffer, file: FileHandle, position: number): Promise<Buffer> {
  for (let filled = 0; filled < buffer.length; ) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, position + filled)
    if (bytesRead === 0) throw new Error('the file has become shorter')
    filled += bytesRead
  }
  return buffer
}
