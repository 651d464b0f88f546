import { transcode } from 'node:buffer'

/** Of a longer text Node would count the bytes and then write them, each in the time that its encoding takes. */
const MAX_CHARACTERS = 4096

let last: { text: string; bytes: Buffer } | undefined

/** A text as it is sent: a long one as its bytes, not to be changed. The last one may be stored too, and is kept. */
export function sentAs(text: string): string | Buffer {
  if (text.length <= MAX_CHARACTERS) return text
  if (last?.text !== text) last = { text, bytes: encode(text) }
  return last.bytes
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
