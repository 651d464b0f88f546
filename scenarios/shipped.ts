import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

// A shipped scenario is an SQLite file, and a list of where its times are: statements that move them take several
// times as long. SQLite reads a number of any length, so there is room for each instant of a world.

/** Added to the times of a shipped file, so that SQLite stores each in 8 bytes. */
export const STORED_LATER = 1n << 48n

/** Added once more to find them: it changes the first byte of a time as nothing else, and each of the others. */
export const MARK = 0x10_01_01_01_01_01_01_01n
const FIRST_CHANGE = 0x10

const TIME_BYTES = 8
/** Of the number of places, and of the distance of each from the one before. */
const PLACE_BYTES = 3
/** More than a file has: zlib then needs no second buffer. Above 32 MiB it does not change when glibc returns memory. */
const MAX_BYTES = 33 * 1024 * 1024

/** Compresses the number of times, the distance of each from the one before, and a file, given the same one with marks. */
export function pack(file: Buffer, marked: Buffer): Buffer {
  const changeAt = (at: number) => (marked[at]! - file[at]! + 256) % 256
  const places: number[] = []
  for (let at = 0; at < file.length; at++) {
    if (changeAt(at) < FIRST_CHANGE) continue
    // A part of a time is in space of the page that SQLite no longer uses.
    let end = at + 1
    while (changeAt(end) > 0 && changeAt(end) < FIRST_CHANGE && end < at + TIME_BYTES) end++
    if (end === at + TIME_BYTES) places.push(at)
  }
  const header = Buffer.alloc((places.length + 1) * PLACE_BYTES)
  for (const [i, number] of [places.length, ...places.map((at, i) => at - (places[i - 1] ?? 0))].entries())
    header.writeUIntBE(number, i * PLACE_BYTES, PLACE_BYTES)
  return zstdCompressSync(Buffer.concat([header, file]), { params: { [constants.ZSTD_c_compressionLevel]: 9 } })
}

/** The SQLite file of a shipped scenario, moved by some ms. */
export function unpack(packed: Buffer, ms: bigint): Buffer {
  // At once: chunks of a stream take twice the time, and more memory.
  const bytes = zstdDecompressSync(packed, { chunkSize: MAX_BYTES })
  const by = Buffer.alloc(TIME_BYTES)
  by.writeBigInt64BE(ms - STORED_LATER)
  const fileStart = (bytes.readUIntBE(0, PLACE_BYTES) + 1) * PLACE_BYTES
  let at = fileStart
  // Without calls: the loop runs once, most of it before it is compiled.
  for (let next = PLACE_BYTES; next < fileStart; next += PLACE_BYTES) {
    at += (bytes[next]! << 16) | (bytes[next + 1]! << 8) | bytes[next + 2]!
    let sum = 0
    for (let i = TIME_BYTES - 1; i >= 0; i--) {
      sum = bytes[at + i]! + by[i]! + (sum >> 8)
      bytes[at + i] = sum
    }
  }
  return bytes.subarray(fileStart)
}
