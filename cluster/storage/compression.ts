import { promisify } from 'node:util'
import { constants, zstdCompress, zstdCompressSync, zstdDecompress, zstdDecompressSync } from 'node:zlib'
import { DamagedLog } from './log_entry.ts'

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
