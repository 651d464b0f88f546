import type { Random } from '../random.ts'

export type Words = Readonly<Record<string, string>>

/** Anything in `ask` may be answered with anything in `answer`; names in braces are filled in alike on both sides. */
export interface Topic {
  /** Tags of products (see the catalogue) that it suits. */
  about: readonly string[]
  ask: readonly string[]
  answer: readonly string[]
}

/** What people of one language write. */
export interface Texts {
  topics: readonly Topic[]
  /** Asked by who has just bought a parcel. */
  bought: Topic
  /** Openings of a second question. */
  followUps: readonly string[]
  /** Sent by mistake: what sellers delete. */
  mistaken: readonly string[]
  /** Offers to deal elsewhere. */
  spam: readonly string[]
  /** What a moderator wants to see first. */
  moderated: readonly string[]
  colours: readonly string[]
  vehicles: readonly string[]
  /** Combining marks that people in a hurry leave out. */
  accents: RegExp
}

/** How people of one country speak. */
export interface Voice {
  words: Words
  /** Morning, afternoon, evening. */
  daytime: readonly [string, string, string]
  greetings: readonly string[]
  thanks: readonly string[]
  /** Of the seller's answers; {shop} is its name. */
  openers: readonly string[]
  closers: readonly string[]
}

/** How carefully somebody types. */
export const TYPING_STYLES = ['neat', 'quick', 'bare'] as const
export type TypingStyle = (typeof TYPING_STYLES)[number]

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** `{talle}` is the word, `{Talle}` the same with a capital. */
export function fill(template: string, words: Words): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const word = words[name]
    if (word !== undefined) return word
    const plain = words[name.charAt(0).toLowerCase() + name.slice(1)]
    if (plain === undefined) throw new Error(`no word for {${name}} in: ${template}`)
    return capital(plain)
  })
}

const ARTICLE = /^(el|la|los|las|o|a|os|as) /

/** Of a product's noun phrase: with the article (`the`) and as the head of a title. */
export function named(entry: string, words: Words): { the: string; title: string } {
  const [noun, rest] = entry.split(' | ')
  const bare = Object.fromEntries(Object.entries(words).map(([name, word]) => [name, word.replace(ARTICLE, '')]))
  return { the: fill(noun!, words), title: `${capital(fill(noun!, words).replace(ARTICLE, ''))} ${fill(rest!, bare)}` }
}

/** Joins two sentences; after a comma the second goes on in lower case, unless it starts with an acronym. */
export function join(first: string, second: string): string {
  if (first === '') return second
  if (!first.endsWith(',')) return `${first} ${second}`
  return `${first} ${second.replace(/^([¿¡]?)(\p{Lu})(?!\p{Lu})/u, (_, mark: string, letter: string) => mark + letter.toLowerCase())}`
}

export function applyTyping(text: string, typing: TypingStyle, accents: RegExp, r: Random): string {
  if (typing === 'neat') return text
  const quick = text
    .replace(/[¿¡]/g, '')
    .replace(/^\p{L}/u, (letter) => (r.chance(0.7) ? letter.toLowerCase() : letter))
  if (typing === 'quick') return quick
  return quick.normalize('NFD').replace(accents, '').normalize('NFC').replace(/[.!]$/, '')
}
