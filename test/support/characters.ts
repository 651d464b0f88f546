import fc, { type Arbitrary } from 'fast-check'

const HALVES = { from: 0xd800, to: 0xdfff }
const HALF_COUNT = HALVES.to - HALVES.from + 1

/**
 * Any code point but halves of pairs: what fast-check calls `binary`. Its own writes a table of all million of them
 * (0.7 s of every process) to find out which of them a text is made of; that can be reckoned.
 */
export const anyCharacter: Arbitrary<string> = fc.nat({ max: 0x10ffff - HALF_COUNT }).map(
  (n) => String.fromCodePoint(n < HALVES.from ? n : n + HALF_COUNT),
  (text) => {
    const code = typeof text === 'string' ? text.codePointAt(0) : undefined
    if (code === undefined || String.fromCodePoint(code) !== text) throw new Error('is no character')
    if (code >= HALVES.from && code <= HALVES.to) throw new Error('is half a character')
    return code < HALVES.from ? code : code - HALF_COUNT
  },
)
