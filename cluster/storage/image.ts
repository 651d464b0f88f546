/** Bytes in which images are stored: a multiple of every page size of SQLite. */
export const CHUNK_BYTES = 64 * 1024

/** The content of a database file in memory, in chunks; perhaps of some chunks only. */
export class Image {
  /** By number, from 0. All have the full size; bytes behind the end of the file are zero. */
  readonly #chunks = new Map<number, Buffer>()
  readonly #changed = new Set<number>()
  #size: number
  #pageSize = CHUNK_BYTES

  /** `size`: of the file, in bytes. Its chunks are missing until they are set. */
  constructor(size = 0) {
    this.#size = size
  }

  /** An image with the bytes of a file, which it may change. */
  static of(file: Buffer): Image {
    const image = new Image(file.length)
    for (let number = 0; number < image.chunkCount; number++)
      image.set(number, file.subarray(number * CHUNK_BYTES, (number + 1) * CHUNK_BYTES))
    return image
  }

  /** Size of the file, bytes. */
  get size(): number {
    return this.#size
  }

  get chunkCount(): number {
    return Math.ceil(this.#size / CHUNK_BYTES)
  }

  /** The numbers of the chunks that have changed, ascending. */
  get changed(): number[] {
    return [...this.#changed].filter((number) => number < this.chunkCount).sort((a, b) => a - b)
  }

  /** Sets the bytes of a chunk, which then does not count as changed. The image may change them. */
  set(number: number, bytes: Buffer): void {
    this.#chunks.set(number, bytes.length === CHUNK_BYTES ? bytes : padded(bytes))
  }

  /** The bytes of a chunk, up to the end of the file. Throws a RangeError if it is missing. */
  chunk(number: number): Buffer {
    return this.#get(number).subarray(0, Math.max(this.#size - number * CHUNK_BYTES, 0))
  }

  /** The bytes of the file, by chunks. */
  *chunks(): Generator<Buffer> {
    for (let number = 0; number < this.chunkCount; number++) yield this.chunk(number)
  }

  #get(number: number): Buffer {
    const chunk = this.#chunks.get(number)
    if (!chunk) throw new RangeError(`the image has no chunk ${number}`)
    return chunk
  }

  /** Sets the size of the file. Pages that it did not have are zero. */
  resize(pageSize: number, pageCount: number): void {
    this.#pageSize = pageSize
    const before = this.#size
    this.#size = pageSize * pageCount
    if (this.#size < before) this.#cut()
    else for (let end = before; end < this.#size; end = nextChunk(end)) this.#extend(end)
  }

  /** Drops what is behind the end of the file. */
  #cut(): void {
    for (const number of this.#chunks.keys()) if (number >= this.chunkCount) this.#chunks.delete(number)
    const last = this.#chunks.get(this.chunkCount - 1)
    if (!last) return
    last.fill(0, this.#size - (this.chunkCount - 1) * CHUNK_BYTES)
    this.#changed.add(this.chunkCount - 1)
  }

  /** A chunk has more bytes from `start` on, or is new. */
  #extend(start: number): void {
    const number = Math.floor(start / CHUNK_BYTES)
    if (start % CHUNK_BYTES === 0) this.#chunks.set(number, Buffer.alloc(CHUNK_BYTES))
    if (this.#chunks.has(number)) this.#changed.add(number)
  }

  /** The bytes of a page, numbered from 1, which the caller changes. Throws a RangeError if the file has no such page. */
  pageForWriting(page: number): Buffer {
    const start = (page - 1) * this.#pageSize
    if (!(start >= 0 && start < this.#size)) throw new RangeError(`the file has no page ${page}`)
    const number = Math.floor(start / CHUNK_BYTES)
    const offset = start - number * CHUNK_BYTES
    const bytes = this.#get(number).subarray(offset, offset + this.#pageSize)
    this.#changed.add(number)
    return bytes
  }
}

function padded(bytes: Buffer): Buffer {
  const chunk = Buffer.alloc(CHUNK_BYTES)
  bytes.copy(chunk)
  return chunk
}

/** The start of the chunk after the one that has a byte. */
const nextChunk = (byte: number): number => (Math.floor(byte / CHUNK_BYTES) + 1) * CHUNK_BYTES
