import fc, { type Arbitrary } from 'fast-check'

const SURROGATES = { from: 0xd800, to: 0xdfff }
const SURROGATE_COUNT = SURROGATES.to - SURROGATES.from + 1

/**
 * Any code point except surrogates, as fast-check's `binary` unit, which first builds a table of all million code
 * points (0.7 s per process).
 */
export const anyCharacter: Arbitrary<string> = fc.nat({ max: 0x10ffff - SURROGATE_COUNT }).map(
  (n) => String.fromCodePoint(n < SURROGATES.from ? n : n + SURROGATE_COUNT),
  (text) => {
    const code = typeof text === 'string' ? text.codePointAt(0) : undefined
    if (code === undefined || String.fromCodePoint(code) !== text) throw new Error('not a character')
    if (code >= SURROGATES.from && code <= SURROGATES.to) throw new Error('a lone surrogate')
    return code < SURROGATES.from ? code : code - SURROGATE_COUNT
  },
)
