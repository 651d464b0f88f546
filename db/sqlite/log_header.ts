import { closeSync, openSync, readSync, statSync } from 'node:fs'

const HEADER_BYTES = 32
/** The bytes before the checksum. */
const CHECKED_BYTES = 24
/** Of headers whose checksum reads little-endian and big-endian words (SQLite's file format, section 4). */
const MAGIC = { little: 0x377f0682, big: 0x377f0683 }

/** Whether a log has frames that SQLite ignores, because the header is not that of a log. False when there is no such file. */
export function isIgnoredLog(file: string): boolean {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  return size > HEADER_BYTES && !isHeader(readHeader(file))
}

function readHeader(file: string): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  const descriptor = openSync(file, 'r')
  try {
    readSync(descriptor, header, 0, HEADER_BYTES, 0)
  } finally {
    closeSync(descriptor)
  }
  return header
}

function isHeader(header: Buffer): boolean {
  const magic = header.readUInt32BE(0)
  if (magic !== MAGIC.little && magic !== MAGIC.big) return false
  let [first, second] = [0, 0]
  for (let at = 0; at < CHECKED_BYTES; at += 8) {
    const word = (position: number) =>
      magic === MAGIC.little ? header.readUInt32LE(position) : header.readUInt32BE(position)
    first = (first + word(at) + second) >>> 0
    second = (second + word(at + 4) + first) >>> 0
  }
  return header.readUInt32BE(24) === first && header.readUInt32BE(28) === second
}
