import fc, { type Arbitrary } from 'fast-check'
import { anyCharacter } from '../support/characters.ts'

// Values for any position of a call. "wire" is the percent-encoded form of a text.

/** The words of a text. */
export const words = (text: string): string[] => text.trim().split(/\s+/)

const NUMBERS = [
  ...words('1e3 -0 0x10 +1 -1 1.5 01 1_000 1,2 ١٢ NaN Infinity 1e309 9007199254740991 9007199254740992'),
  ...[' 7', '7 ', '9'.repeat(400)],
]
export const NAMES = [
  ...words(
    '__proto__ constructor toString hasOwnProperty null undefined true [] {} a.b . , ,, * / ../.. ? # &a=b = ; +',
  ),
  ...words('% %zz %25 ";-- <script>alert(1)</script> \uffff İ 😀 MLA MLA0 mla1400000001'),
  ...words('APP_USR-1-010100-0000000100-1 TG-0000000100-1'),
  ...['', ' ', '\u0000', 'a\u0000b', '\r\nSet-Cookie: a=b', '\u2028\u2029', '\ufeff', "' OR 1=1 --", '[object Object]'],
  `MLA${'1'.repeat(21)}`,
]
/** Well-formed ids of nothing that exists. */
const NOT_EXISTING = words('MLA1499999999 2599999999 13999999999 XXX 2030-01-01T00:00:00Z')
const BAD_DATES = [
  ...words(
    '2026 2026-13-01 2026-00-10 2026-01-00 2026-02-30 2025-02-29T00:00:00Z 2026-1-1 2026-W01-1 2026-001 01/02/2026',
  ),
  ...words(
    '2026-01-01T T00:00 2026-01-01T24:00:00Z 2026-01-01T23:60 2026-01-01T23:59:60Z 2026-01-01T00:00:00.0000000000Z',
  ),
  ...words(
    '2026-01-01Z 2026-01-01T00:00:00+24:00 2026-01-01T00:00:00+4 +002026-01-01T00:00:00Z -2026-01-01 ２０２６-01-01',
  ),
  ...words('0000-01-01 0000-01-01T00:00:00+23:59 0999-12-31 9999-12-31T23:59:59-23:59 9999-12-31T23:59:59.999Z'),
  ...words('yesterday 1767225600000'),
  ...['2026-01-01T00:00:00 UTC', '2026-01-01T00:00:00Z; DROP', 'Sat, 07 Mar 2026 15:00:00 GMT'],
]
const MALFORMED = words('% %2 %z %zz a% %u0041 %ff %c0%af %e2%82 %ed%a0%80 %00 %2F %252F %25 + %2e%2e ..')

export const wire = (text: string): string => encodeURIComponent(text.toWellFormed())

export const texts = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...NUMBERS, ...NAMES, ...BAD_DATES) },
  { weight: 2, arbitrary: fc.constantFrom(...NOT_EXISTING) },
  { weight: 3, arbitrary: fc.string({ unit: anyCharacter, maxLength: 24 }) },
  { weight: 1, arbitrary: fc.double().map(String) },
  { weight: 1, arbitrary: fc.maxSafeInteger().map(String) },
  { weight: 1, arbitrary: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()) },
)
const long = fc
  .tuple(fc.constantFrom('9', 'x', 'a,', '%20', '%F0%9F%98%80', 'MLA1,'), fc.integer({ min: 100, max: 20_000 }))
  .map(([piece, length]) => piece.repeat(length / piece.length))

/** Anything between the separators of a URL. */
export const anyPart: Arbitrary<string> = fc.oneof(
  { weight: 14, arbitrary: texts.map(wire) },
  { weight: 3, arbitrary: fc.constantFrom(...MALFORMED) },
  { weight: 1, arbitrary: long },
)

/** Anything that a header can contain. */
export const latin1 = fc.string({
  unit: fc.integer({ min: 32, max: 255 }).map((code) => String.fromCharCode(code)),
  maxLength: 20,
})

const FORM = 'application/x-www-form-urlencoded'
export const CONTENT_TYPES = ['application/json', 'application/json; charset=utf-8', FORM, 'text/plain']
export const ODD_CONTENT_TYPES = [
  ...words('json ; a/ a/b/c */* APPLICATION/JSON;; application/json;charset=utf-16 application/octet-stream'),
  ...words('multipart/form-data multipart/form-data;boundary=x'),
  ...['', 'application/json, text/html', 'x'.repeat(5000)],
]

/** Bodies that are not an object, or an object without the right members. */
export const BODIES = [
  ...words('{ {} {}} [] [[]] null true 0 -0 1e999 "x" " {\'a\':1} a=b&text=%zz site_id=MLA {"text":"a","text":"b"}'),
  ...words('{"__proto__":{"text":"x"},"text":"y"} {"constructor":{"prototype":{}}} {"question_id":1e400,"text":"a"}'),
  ...['', ' ', '\u0000', '\ufeff{}', '--x\r\n\r\n--x--', '{"text":"\\ud800"}', '{"text":"\\u0000"}'],
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  `[${'0,'.repeat(20_000)}0]`,
  `{"question_ids":[${'1,'.repeat(1_000)}1]}`,
  `{${Array.from({ length: 2_000 }, (_, n) => `"k${n}":${n}`).join()}}`,
]
