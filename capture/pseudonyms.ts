import { createHash, randomBytes } from 'node:crypto'
import { SecretNames } from '../control/recording/secrets.ts'
import { decoded } from '../http/paths.ts'
import type { Kind } from './personal_members.ts'

/** Values that are remembered; further ones may get another replacement each time, and are not found in texts. */
const MAX_KNOWN = 1_000_000
/** Digits of the shortest id. */
const MIN_ID_DIGITS = 5
/** Shorter words and numbers are not looked for in texts: too many have them. */
const isLong = (word: string): boolean => word.length >= (/^\d+$/.test(word) ? MIN_ID_DIGITS : 3)

const WORD = String.raw`[\p{L}\p{N}]+(?:[._-]+[\p{L}\p{N}]+)*`
/** The parts of a text that may be personal data, and those that only look so. */
const PARTS = new RegExp(
  [
    String.raw`(?<fixed>\d{4}-\d\d-\d\d(?:[T ][\d:.]+)?(?:Z|[+-]\d\d:?\d\d)?|\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b|\*{3}\w+-\d+\*{3})`,
    String.raw`(?<token>\b(?:APP_USR|TEST|TG)-[\w-]{8,}|\beyJ[\w-]+\.[\w-]+\.[\w-]+)`,
    String.raw`(?<email>[\p{L}\p{N}.!#$%&'*+=?^_{|}~-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63})+)`,
    String.raw`(?<id>(?<=\b(?:user|seller|buyer|owner|caller)_?id["']?\s*[:=]\s*["']?)\d{${MIN_ID_DIGITS},})`,
    String.raw`(?<phone>\+\d{8,}|\+?\(?\d+\)?(?:[ -]\(?\d+\)?)+)`,
    `(?<word>${WORD})`,
  ].join('|'),
  'giu',
)
/** Parts of addresses in a text, which may be percent-encoded. */
const ADDRESS_PARTS = /[^\s/?&=#"]+/g
const WORDS = new RegExp(WORD, 'gu')

const withoutAccents = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '')
/** The form in which equal values are equal. */
const canonical = (text: string): string => withoutAccents(text).toLowerCase()

/**
 * Replacements of personal data. Equal values have equal replacements, and different ones different ones. They
 * follow from a random key that only this process has: no one can compute a value from its replacement.
 */
export class Pseudonyms {
  readonly #key = randomBytes(32)
  readonly #secrets = new SecretNames()
  /** Replacements by canonical values. */
  readonly #replacements = new Map<string, string>()
  /** Those that are looked for in texts. */
  readonly #known = new Map<string, string>()
  readonly #used = new Set<string>()
  readonly #isCommon: (word: string) => boolean

  /** `isCommon`: words in lower case that are not looked for in texts. */
  constructor(isCommon: (word: string) => boolean) {
    this.#isCommon = isCommon
  }

  replace(kind: Kind, value: string): string {
    if (value === '') return value
    switch (kind) {
      case 'keep':
        return value
      case 'secret':
        return this.secret('token', value)
      case 'id':
        return /^\d{1,4}$/.test(value) ? value : this.#code(value)
      case 'words':
        return value.replace(/[\p{L}\p{N}]+/gu, (word) => this.#learn(word))
      case 'code':
        return this.#code(value)
      case 'email':
        return value.includes('@') ? this.inText(value) : this.#code(value)
      case 'position':
        return this.#position(value)
      case 'date':
        return /^\d{4}-\d\d-\d\d/.test(value) ? this.#date(value) + value.slice(10) : this.#code(value)
      case 'writing':
        return this.#scramble(value, 0)
      case 'text':
        return this.inText(value)
    }
  }

  /** The name of a secret, which is found in other texts, too. */
  secret(kind: 'token' | 'secret' | 'password', value: string): string {
    const name = this.#secrets.nameOf(kind, value)
    if (name !== value) this.#remember(value, name)
    return name
  }

  /** A text of the service, without known personal data, addresses of mail, telephones and tokens. */
  inText(text: string): string {
    return this.#parts(
      text.replace(ADDRESS_PARTS, (part) => {
        if (!part.includes('%')) return part
        const plain = decoded(part)
        const replaced = this.#parts(plain)
        return replaced === plain ? part : encodeURIComponent(replaced)
      }),
    )
  }

  #parts(text: string): string {
    return text.replace(PARTS, (part, ...rest) => {
      const { fixed, token, email, id, phone } = rest.at(-1) as Record<string, string | undefined>
      if (fixed !== undefined) return part
      if (token !== undefined) return this.secret('token', part)
      if (email !== undefined) return this.#email(part)
      if (id !== undefined) return this.#learn(part)
      if (phone !== undefined) return part.replace(/\D/g, '').length < 8 ? this.#words(part) : this.#code(part)
      return this.#words(part)
    })
  }

  /** A word of the service, such as a status or an id, if it is one of a person. */
  inWord(word: string): string {
    const known = this.#known.get(canonical(word))
    if (known !== undefined) return likeCase(known, word)
    return /@|^(?:APP_USR|TEST|TG)-|^eyJ/.test(word) ? this.inText(word) : word
  }

  #words(text: string): string {
    const known = this.#known.get(canonical(text))
    if (known !== undefined) return likeCase(known, text)
    return text.replace(/[\p{L}\p{N}]+/gu, (word) => {
      const known = this.#known.get(canonical(word))
      return known === undefined ? word : likeCase(known, word)
    })
  }

  /** Digits alone are the same value with and without separators. */
  #code(value: string): string {
    const digits = value.replace(/\D/g, '')
    if (/\p{L}/u.test(value) || digits.length < MIN_ID_DIGITS) return value.replace(WORDS, (word) => this.#learn(word))
    const replaced = this.#learn(digits)
    let n = 0
    return value.replace(/\d/g, () => replaced[n++]!)
  }

  #email(value: string): string {
    const [local = ''] = value.split('@')
    const known = this.#known.get(canonical(value))
    if (known !== undefined) return known
    const replaced = `${this.#unique(canonical(value), (n) => this.#scramble(canonical(local), n, canonical(value)))}@example.com`
    this.#remember(value, replaced)
    return replaced
  }

  #learn(value: string): string {
    const key = canonical(value)
    const known = this.#replacements.get(key)
    if (known !== undefined) return likeCase(known, value)
    const replaced = this.#unique(key, (n) => this.#scramble(key, n))
    if (this.#replacements.size < MAX_KNOWN) this.#replacements.set(key, replaced)
    if (isLong(key) && !this.#isCommon(key)) this.#remember(value, replaced)
    return likeCase(replaced, value)
  }

  #remember(value: string, replaced: string): void {
    if (this.#known.size < MAX_KNOWN) this.#known.set(canonical(value), replaced)
  }

  /** The first attempt that no other value has; short values may have the same one. */
  #unique(value: string, attempt: (n: number) => string): string {
    let replaced = attempt(0)
    for (let n = 1; n < 100 && (replaced === value || this.#used.has(replaced)); n++) replaced = attempt(n)
    if (this.#used.size < MAX_KNOWN) this.#used.add(replaced)
    return replaced
  }

  /** Each letter by a letter and each digit by a digit; everything else stays. */
  #scramble(text: string, attempt: number, source = text): string {
    const plain = text.normalize('NFC')
    const bytes = this.#bytes(`${attempt} ${source}`, plain.length)
    let n = 0
    const scrambled = plain.replace(/\p{L}|\p{N}/gu, (character) => {
      const byte = bytes[n++]!
      if (/\p{N}/u.test(character)) return String(byte % 10)
      const letter = String.fromCharCode(97 + (byte % 26))
      return character === character.toLowerCase() ? letter : letter.toUpperCase()
    })
    // A number does not begin with 0, and remains a safe integer.
    return /^[1-9]\d*$/.test(plain) ? `${1 + (bytes[0]! % 8)}${scrambled.slice(1)}` : scrambled
  }

  #position(value: string): string {
    const [, decimals] = /^-?\d+(?:\.(\d+))?$/.exec(value) ?? []
    const bytes = this.#bytes(value, 2 + (decimals?.length ?? 0))
    const fraction = [...bytes.subarray(1)].map((byte) => byte % 10).join('')
    return String((bytes[0]! % 120) - 60) + (decimals === undefined ? '' : `.${fraction.slice(0, decimals.length)}`)
  }

  #date(value: string): string {
    const [year, month, day] = this.#bytes(value, 3) as unknown as [number, number, number]
    return `${1950 + (year % 50)}-${pad(1 + (month % 12))}-${pad(1 + (day % 28))}`
  }

  #bytes(value: string, count: number): Buffer {
    return createHash('shake256', { outputLength: Math.max(1, count) })
      .update(this.#key)
      .update(value)
      .digest()
  }
}

const pad = (n: number): string => String(n).padStart(2, '0')

/** A replacement in lower case with the case of the letters of a value. */
function likeCase(replaced: string, value: string): string {
  const like = value.normalize('NFC')
  if (like.length !== replaced.length || like === like.toLowerCase() || replaced.startsWith('***')) return replaced
  return [...replaced].map((letter, n) => (/\p{Lu}/u.test(like[n]!) ? letter.toUpperCase() : letter)).join('')
}
