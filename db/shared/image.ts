/** Bytes in which images are stored: a multiple of every page size of SQLite. */
export const CHUNK_BYTES = 64 * 1024

/** The content of a database file in memory, in chunks. */
export class Image {
  /** By number, from 0. All have the full size; bytes behind the end of the file are zero. */
  readonly #chunks: Buffer[] = []
  readonly #changed = new Set<number>()
  #size = 0
  #pageSize = CHUNK_BYTES

  /** Size of the file, bytes. */
  get size(): number {
    return this.#size
  }

  /** The numbers of the chunks that have changed since the last call, ascending; they may be behind the end. */
  takeChanged(): number[] {
    const changed = [...this.#changed].sort((a, b) => a - b)
    this.#changed.clear()
    return changed
  }

  /** The numbers of all chunks. */
  get chunkCount(): number {
    return this.#chunks.length
  }

  /** The bytes of a chunk up to the end of the file; undefined behind it. */
  chunk(number: number): Buffer | undefined {
    return this.#chunks[number]?.subarray(0, this.#size - number * CHUNK_BYTES)
  }

  /** Appends the bytes that follow, which then do not count as changed. All but the last ones are whole chunks. */
  append(bytes: Buffer): void {
    if (this.#size % CHUNK_BYTES !== 0) throw new Error('a chunk follows one that is not whole')
    for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
      const chunk = Buffer.alloc(CHUNK_BYTES)
      this.#size += bytes.copy(chunk, 0, start, start + CHUNK_BYTES)
      this.#chunks.push(chunk)
    }
  }

  /** Sets the size of the file. Pages that it did not have are zero. */
  resize(pageSize: number, pageCount: number): void {
    const size = pageSize * pageCount
    this.#pageSize = pageSize
    if (size === this.#size) return
    const chunkCount = Math.ceil(size / CHUNK_BYTES)
    for (let number = this.#chunks.length; number < chunkCount; number++) this.#chunks.push(Buffer.alloc(CHUNK_BYTES))
    for (let number = chunkCount; number < this.#chunks.length; number++) this.#changed.add(number)
    this.#chunks.length = chunkCount
    if (size < this.#size) this.#chunks.at(-1)?.fill(0, size - (chunkCount - 1) * CHUNK_BYTES)
    this.#size = size
    // The last chunk ends elsewhere now.
    if (chunkCount > 0) this.#changed.add(chunkCount - 1)
  }

  /** The bytes of a page, numbered from 1, which the caller changes. Throws a RangeError behind the end of the file. */
  pageForWriting(page: number): Buffer {
    const start = (page - 1) * this.#pageSize
    if (!(start >= 0 && start < this.#size)) throw new RangeError(`the file has no page ${page}`)
    const number = Math.floor(start / CHUNK_BYTES)
    this.#changed.add(number)
    const offset = start - number * CHUNK_BYTES
    return this.#chunks[number]!.subarray(offset, offset + this.#pageSize)
  }
}
