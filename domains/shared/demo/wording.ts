export type Words = Readonly<Record<string, string>>

/** Expressions of one country. */
export interface Voice {
  words: Words
  /** Morning, afternoon, evening. */
  daytime: readonly [string, string, string]
  greetings: readonly string[]
  thanks: readonly string[]
  /** Closings of the seller's answers; {shop} is its name. */
  openers: readonly string[]
  closers: readonly string[]
}

/** How a person types. */
export const TYPING_STYLES = ['neat', 'quick', 'bare'] as const
export type TypingStyle = (typeof TYPING_STYLES)[number]

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** `{talle}` is replaced by the word, `{Talle}` by the word with a capital. */
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

/** A product's noun: with its article (`the`), and as the beginning of a title. */
export function named(entry: string, words: Words): { the: string; title: string } {
  const [noun, rest] = entry.split(' | ')
  const bare = Object.fromEntries(Object.entries(words).map(([name, word]) => [name, word.replace(ARTICLE, '')]))
  return { the: fill(noun!, words), title: `${capital(fill(noun!, words).replace(ARTICLE, ''))} ${fill(rest!, bare)}` }
}
