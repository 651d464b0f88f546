import { transcode } from 'node:buffer'

/** Of a longer text Node would count the bytes and then write them, each in the time that its encoding takes. */
const MAX_CHARACTERS = 4096

/** The last text up to this length is kept: a long answer is recorded, sent, and perhaps stored. */
const MAX_SHARED_CHARACTERS = 32 * 1024
let last: { text: string; bytes: Buffer } | undefined

/** A text as it is sent: a long one as its bytes, not to be changed. */
export const sentAs = (text: string): string | Buffer => (text.length <= MAX_CHARACTERS ? text : utf8Of(text))

function utf8Of(text: string): Buffer {
  if (text.length <= MAX_CHARACTERS || text.length > MAX_SHARED_CHARACTERS) return encode(text)
  if (last?.text !== text) last = { text, bytes: encode(text) }
  return last.bytes
}

/** The first bytes of a text, at most so many and each as a character; a split character is left out. */
export function firstBytes(text: string, most: number): string {
  const bytes = utf8Of(text.length > MAX_SHARED_CHARACTERS ? text.slice(0, most) : text)
  let end = Math.min(most, bytes.length)
  while (end < bytes.length && (bytes[end]! & 0xc0) === 0x80) end--
  return bytes.toString('latin1', 0, end)
}

/** With an emoji in a text all its characters have two bytes in memory: then `transcode` takes a quarter of the time. */
function encode(text: string): Buffer {
  try {
    if (HAS_WIDE.test(text)) return transcode(Buffer.from(text, 'utf16le'), 'utf16le', 'utf8')
  } catch {
    // Half of a surrogate pair; a replacement character is sent.
  }
  return Buffer.from(text)
}
/** Not searched for where all characters have one byte in memory. */
const HAS_WIDE = /[^\0-\xff]/
