import { promisify } from 'node:util'
import { constants, crc32, zstdCompress, zstdCompressSync, zstdDecompress, zstdDecompressSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { CHUNK_BYTES, type Image } from './image.ts'
import type { WrittenPages } from './wal_reader.ts'

// A log entry has what one or more commits changed in a database file, as bytes at absolute positions: applying an entry
// again changes nothing. All numbers are little-endian.
//
//   commit: u32 page size · u32 pages in the database · u32 number of changed pages · these pages
//   page:   u32 page number · u32 CRC32 of its new content · u16 number of runs · the runs
//   run:    u16 offset in words · u16 length in words · the words

const COMMIT_BYTES = 12
const PAGE_BYTES = 10
const RUN_BYTES = 4
const WORD_BYTES = 4
/** Commits of more than 250 pages get a buffer of their own. */
const MAX_COMMON_BYTES = 1024 * 1024
/** Equal words between two runs that are stored with them: no more bytes than the start of another run. */
const MAX_GAP_WORDS = 1

/** A log entry does not fit the image that it is applied to, or is not whole. */
export class DamagedLog extends Error {}

/** The latest content of pages of several database files. Pages that are missing are stored whole. */
export type PageCache = LRUCache<number, Int32Array>

/** `maxBytes`: of all pages. */
export const createPageCache = (maxBytes: number): PageCache =>
  new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ byteLength }) => byteLength })

let encoders = 0

/** Encodes the commits of one open database file. */
export class CommitEncoder {
  readonly #cache: PageCache
  /** Identifies the file in the cache. */
  readonly #number = encoders++
  #pageCount = 0

  constructor(cache: PageCache) {
    this.#cache = cache
  }

  /** Encodes what a commit changed against the cached content of its pages, and caches the new content. */
  encode({ pageCount, pageSize, pages }: WrittenPages): Buffer {
    // Runs take no more space than their whole page: between two of them are at least two words.
    const entry = bufferOf(COMMIT_BYTES + pages.size * (PAGE_BYTES + RUN_BYTES + pageSize))
    entry.writeUInt32LE(pageSize, 0)
    entry.writeUInt32LE(pageCount, 4)
    entry.writeUInt32LE(pages.size, 8)
    let end = COMMIT_BYTES
    for (const [page, bytes] of pages) {
      const key = this.#number * 2 ** 32 + page
      const words = toWords(bytes)
      const cached = this.#cache.get(key)
      entry.writeUInt32LE(page, end)
      entry.writeUInt32LE(crc32(bytes), end + 4)
      // An image loses the content of pages behind its end.
      end = encodeRuns(entry, end + 8, page <= this.#pageCount ? cached : undefined, words)
      if (cached?.length === words.length) cached.set(words)
      else this.#cache.set(key, words.slice())
    }
    this.#pageCount = pageCount
    return Buffer.from(entry.subarray(0, end))
  }
}

/** Writes the runs of words that differ, with their number, at `start`; returns where they end. */
function encodeRuns(entry: Buffer, start: number, previous: Int32Array | undefined, words: Int32Array): number {
  const bytes = Buffer.from(words.buffer)
  let end = start + 2
  let runs = 0
  for (let word = 0; word < words.length; ) {
    const [first, next] = findRun(previous, words, word)
    if (first === words.length) break
    entry.writeUInt16LE(first, end)
    entry.writeUInt16LE(next - first, end + 2)
    end += RUN_BYTES
    end += bytes.copy(entry, end, first * WORD_BYTES, next * WORD_BYTES)
    runs++
    word = next
  }
  entry.writeUInt16LE(runs, start)
  return end
}

/** The next run of words that differ, from `word` on; its end is exclusive. It is empty where no word differs. */
function findRun(previous: Int32Array | undefined, words: Int32Array, word: number): [first: number, next: number] {
  if (previous?.length !== words.length) return [word, words.length]
  let first = word
  while (first < words.length && previous[first] === words[first]) first++
  let next = first
  for (let at = first; at < words.length && at - next <= MAX_GAP_WORDS; at++)
    if (previous[at] !== words[at]) next = at + 1
  return [first, next]
}

/** Where entries are written: most are much shorter than they could be. */
const common = Buffer.allocUnsafeSlow(MAX_COMMON_BYTES)
const bufferOf = (size: number): Buffer =>
  size <= common.length ? common.subarray(0, size) : Buffer.allocUnsafeSlow(size)

let aligned = new Int32Array(0)

/** A copy that is aligned, so that its words can be compared. It is valid until the next call. */
function toWords(bytes: Buffer): Int32Array {
  if (aligned.byteLength !== bytes.length) aligned = new Int32Array(bytes.length / WORD_BYTES)
  new Uint8Array(aligned.buffer).set(bytes)
  return aligned
}

interface Commit {
  pageSize: number
  pageCount: number
  pages: { number: number; checksum: number; runs: { offset: number; bytes: Buffer }[] }[]
}

/** Applies the commits of an entry to the image of their database file. Throws DamagedLog. */
export function applyEntry(entry: Buffer, image: Image): void {
  try {
    for (const commit of parseEntry(entry)) applyCommit(commit, image)
  } catch (error) {
    if (error instanceof RangeError) throw new DamagedLog('a log entry is not whole', { cause: error })
    throw error
  }
}

function applyCommit({ pageSize, pageCount, pages }: Commit, image: Image): void {
  image.resize(pageSize, pageCount)
  for (const { number, checksum, runs } of pages) {
    const page = image.pageForWriting(number)
    for (const { offset, bytes } of runs) bytes.copy(page, offset)
    if (crc32(page) !== checksum) throw new DamagedLog(`page ${number} is not the one that its log entry was made from`)
  }
}

/** The numbers of the chunks that an image must have so that the entry can be applied. Throws a RangeError. */
export function changedChunks(entry: Buffer): Set<number> {
  const numbers = new Set<number>()
  for (const { pageSize, pages } of parseEntry(entry))
    for (const { number } of pages) numbers.add(Math.floor(((number - 1) * pageSize) / CHUNK_BYTES))
  return numbers
}

/** Throws a RangeError if the entry is not whole. */
function parseEntry(entry: Buffer): Commit[] {
  let at = 0
  const u16 = () => {
    at += 2
    return entry.readUInt16LE(at - 2)
  }
  const u32 = () => {
    at += 4
    return entry.readUInt32LE(at - 4)
  }
  const repeat = <T>(count: number, parse: () => T): T[] => {
    const parsed: T[] = []
    while (parsed.length < count) parsed.push(parse())
    return parsed
  }
  const run = () => {
    const offset = u16() * WORD_BYTES
    const length = u16() * WORD_BYTES
    at += length
    if (at > entry.length) throw new RangeError(`the entry ends ${at - entry.length} bytes too early`)
    return { offset, bytes: entry.subarray(at - length, at) }
  }
  const page = () => ({ number: u32(), checksum: u32(), runs: repeat(u16(), run) })
  const commits: Commit[] = []
  while (at < entry.length) commits.push({ pageSize: u32(), pageCount: u32(), pages: repeat(u32(), page) })
  return commits
}

const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
/** Smaller entries gain less than they cost. */
const MIN_PACKED_BYTES = 4 * 1024
/** How zstd frames begin. Entries begin with the size of a page. */
const ZSTD = 0xfd2fb528

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

export const packChunk = (bytes: Buffer): Promise<Buffer> => compress(bytes, LEVEL)

/** Rejects with DamagedLog. */
export const unpackChunk = (bytes: Buffer): Promise<Buffer> =>
  decompress(bytes).catch((error) => {
    throw new DamagedLog('a stored chunk cannot be read', { cause: error })
  })

/** Compresses a large log entry. */
export const packEntry = (entry: Buffer): Buffer =>
  entry.length < MIN_PACKED_BYTES ? entry : zstdCompressSync(entry, LEVEL)

/** Throws DamagedLog. */
export function unpackEntry(bytes: Buffer): Buffer {
  if (bytes.length < 4 || bytes.readUInt32LE() !== ZSTD) return bytes
  try {
    return zstdDecompressSync(bytes)
  } catch (error) {
    throw new DamagedLog('a log entry cannot be read', { cause: error })
  }
}
