import type { Random } from './random.ts'

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

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** The history in days around the origin: 90 before it, and the week that contains "now". */
export const FIRST_DAY = -90
export const LAST_DAY = 7

// Times here are ms from the origin, a Monday at 04:00Z, midnight at −04:00: whole days from it are local days.
const dayOf = (at: number) => Math.floor(at / DAY)
/** 0 = Monday. */
const weekdayOf = (day: number) => ((day % 7) + 7) % 7
const isWeekend = (day: number) => weekdayOf(day) > 4

export const hourOf = (at: number) => Math.floor(at / HOUR) - dayOf(at) * 24

type Period = 'office' | 'evening' | 'night' | 'weekend'

export function periodOf(at: number): Period {
  if (isWeekend(dayOf(at))) return 'weekend'
  if (hourOf(at) < 9) return 'night'
  return hourOf(at) < 18 ? 'office' : 'evening'
}

/** Moves an instant in the night to the morning. */
export function afterNight(at: number, r: Random): number {
  return hourOf(at) >= 8 ? at : dayOf(at) * DAY + 8 * HOUR + r.int(5 * 60, 100 * 60) * 1000
}

const MONDAY_TO_SUNDAY = [1.12, 1.1, 1.06, 1, 0.95, 0.8, 0.88]
// Relative traffic of each hour, 0 to 23.
const WORKDAY = [3, 2, 1, 0.6, 0.5, 0.6, 1.2, 3, 6, 9, 12, 13, 12, 11, 11, 12, 12, 12, 12, 13, 15, 16, 13, 8]
const WEEKEND = [5, 3.5, 2, 1, 0.6, 0.5, 0.8, 1.5, 3.5, 6, 9, 12, 13, 11, 10, 11, 12, 13, 13, 13, 14, 14, 12, 8]

/** Relative traffic of each weekday; 1 is the average. */
export const trafficOfWeekday = (day: number): number => MONDAY_TO_SUNDAY[weekdayOf(day)]!

/** A random instant of that day on a whole second, more likely in busy hours. */
export const instantOn = (day: number, r: Random): number =>
  day * DAY + r.weighted(isWeekend(day) ? WEEKEND : WORKDAY) * HOUR + r.int(0, 3599) * 1000

export interface Rhythm {
  /** An instant in the days from `from` to `until`, exclusive, on a whole second. */
  instant(r: Random, from?: number, until?: number): number
}

/** Relative traffic of one seller's days: weekdays, slow growth, and two peak days. */
export function createRhythm(r: Random): Rhythm {
  const peaks = [r.int(FIRST_DAY + 5, -40), r.int(-38, -3)]
  const busy = Array.from({ length: LAST_DAY - FIRST_DAY }, (_, i) => {
    const day = FIRST_DAY + i
    const growth = 0.8 + (0.4 * i) / (LAST_DAY - FIRST_DAY)
    return trafficOfWeekday(day) * growth * (peaks.includes(day) ? 2.6 : 1) * (0.85 + 0.3 * r.next())
  })
  return {
    instant(r, from = FIRST_DAY, until = LAST_DAY) {
      return instantOn(from + r.weighted(busy.slice(from - FIRST_DAY, until - FIRST_DAY)), r)
    },
  }
}
