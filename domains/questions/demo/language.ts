import type { Random } from '../../shared/demo/random.ts'
import type { TypingStyle } from '../../shared/demo/wording.ts'

/** Each text of `answer` answers each text of `ask`; names in braces have the same values in both. */
export interface Topic {
  /** Tags of the products that it fits. */
  about: readonly string[]
  ask: readonly string[]
  answer: readonly string[]
}

/** A topic: a line with its tags, those of `ask` with a question mark before them, and those of `answer` with `=`. */
export function readTopic(text: string): Topic {
  const [tags, ...lines] = text.trim().split(/\n\s*/)
  const linesOf = (mark: string) => lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(mark.length))
  return { about: tags!.split(', '), ask: linesOf('? '), answer: linesOf('= ') }
}
/** Several of them, with blank lines between. */
export const readTopics = (text: string): Topic[] => text.split('\n\n').map(readTopic)

/** Texts in one language. */
export interface Texts {
  topics: readonly Topic[]
  /** Questions after a purchase. */
  bought: Topic
  /** Openings of a second question. */
  followUps: readonly string[]
  /** Sent by mistake: sellers delete these. */
  mistaken: readonly string[]
  /** Offers to deal outside the site. */
  spam: readonly string[]
  /** Questions that wait for moderation. */
  moderated: readonly string[]
  colours: readonly string[]
  vehicles: readonly string[]
  /** Combining marks that hurried people omit. */
  accents: RegExp
}

/** Joins two sentences; after a comma the second continues in lower case, unless it starts with an acronym. */
export function join(first: string, second: string): string {
  if (first === '') return second
  if (!first.endsWith(',')) return `${first} ${second}`
  return `${first} ${second.replace(/^([¿¡]?)(\p{Lu})(?!\p{Lu})/u, (_, mark: string, letter: string) => mark + letter.toLowerCase())}`
}

/** `accents`: combining marks that the bare style omits. */
export function applyTyping(text: string, typing: TypingStyle, accents: RegExp, r: Random): string {
  if (typing === 'neat') return text
  const quick = text
    .replace(/[\u00bf\u00a1]/g, '')
    .replace(/^\p{L}/u, (letter) => (r.chance(0.7) ? letter.toLowerCase() : letter))
  if (typing === 'quick') return quick
  return quick.normalize('NFD').replace(accents, '').normalize('NFC').replace(/[.!]$/, '')
}
