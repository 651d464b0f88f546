import { closeSync, openSync, readSync } from 'node:fs'

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
/** A larger buffer is not kept for the next call. */
const MAX_KEPT_BYTES = 1024 * 1024

/** The pages that commits wrote, with their new content. */
export interface WrittenPages {
  /** Size of the database in pages, after the last of these commits. */
  pageCount: number
  pageSize: number
  /** By page number, from 1. The content is valid until the next call of `read`. */
  pages: Map<number, Buffer>
}

/**
 * Reads from the log file of an open database (`<file>-wal`) what commits have added to it. The caller calls `read`
 * after every commit, before the next one can restart the log.
 */
export class WalReader {
  readonly #file: string
  #descriptor: number | undefined
  /** Frames that have been read, of the log with these salts. */
  #framesRead = 0
  #salts: bigint | undefined
  readonly #header = Buffer.allocUnsafeSlow(HEADER_BYTES)
  #buffer = Buffer.alloc(0)

  /** The log file exists from the first commit on. */
  constructor(file: string) {
    this.#file = `${file}-wal`
  }

  /**
   * Reads the frames since the last call. `frameCount` is the number of committed frames in the log file. Undefined
   * when there are no new ones: a commit may change nothing.
   */
  read(frameCount: number): WrittenPages | undefined {
    // The log is empty, and has no header yet.
    if (frameCount === 0) return undefined
    this.#descriptor ??= openSync(this.#file, 'r')
    readExactly(this.#descriptor, this.#header, HEADER_BYTES, 0)
    const pageSize = this.#header.readUInt32BE(8)
    const salts = this.#header.readBigUInt64BE(16)
    if (salts !== this.#salts) this.#framesRead = 0
    this.#salts = salts
    const first = this.#framesRead
    if (frameCount < first) throw new Error(`${this.#file} has lost ${first - frameCount} frames that were read`)
    if (frameCount === first) return undefined
    this.#framesRead = frameCount
    const frames = this.#readFrames(first, frameCount - first, FRAME_HEADER_BYTES + pageSize)
    return parseFrames(frames, pageSize, salts)
  }

  #readFrames(first: number, count: number, frameBytes: number): Buffer {
    const bytes = count * frameBytes
    const buffer = this.#buffer.length >= bytes ? this.#buffer : Buffer.allocUnsafeSlow(bytes)
    if (bytes <= MAX_KEPT_BYTES) this.#buffer = buffer
    readExactly(this.#descriptor!, buffer, bytes, HEADER_BYTES + first * frameBytes)
    return buffer.subarray(0, bytes)
  }

  /** Closing the descriptor releases no lock of SQLite: those are on the database file and its shared-memory index. */
  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }
}

/** Of a page that was written several times the last content counts. */
function parseFrames(frames: Buffer, pageSize: number, salts: bigint): WrittenPages {
  const pages = new Map<number, Buffer>()
  let pageCount = 0
  for (let start = 0; start < frames.length; start += FRAME_HEADER_BYTES + pageSize) {
    if (frames.readBigUInt64BE(start + 8) !== salts) throw new Error('a frame belongs to another log')
    const content = start + FRAME_HEADER_BYTES
    pages.set(frames.readUInt32BE(start), frames.subarray(content, content + pageSize))
    pageCount = frames.readUInt32BE(start + 4)
  }
  if (pageCount === 0) throw new Error('the last frame ends no commit')
  // A later commit may have shortened the database.
  for (const page of pages.keys()) if (page > pageCount) pages.delete(page)
  return { pageCount, pageSize, pages }
}

function readExactly(descriptor: number, buffer: Buffer, length: number, position: number): void {
  for (let read = 0; read < length; ) {
    const n = readSync(descriptor, buffer, read, length - read, position + read)
    if (n === 0) throw new Error(`the log file ends ${length - read} bytes too early`)
    read += n
  }
}
