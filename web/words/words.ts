import { signal } from '@preact/signals'

export type Language = 'es' | 'pt' | 'en'
export const LANGUAGES: Language[] = ['es', 'pt', 'en']
/** Language of all texts; settings.ts sets it from the browser. */
export const language = signal<Language>('en')

/** Texts in one language: a text, or a function that inserts values. */
export type Texts = Record<string, string | ((...values: never[]) => string)>
/** The same texts in another language. */
export type Same<T> = { [K in keyof T]: T[K] extends string ? string : T[K] }

/**
 * Declares the texts of a screen. The result returns those of the person's language; a component that calls it renders
 * again when the language changes.
 */
export function defineWords<T extends Texts>(words: {
  es: T
  pt: Same<NoInfer<T>>
  en: Same<NoInfer<T>>
}): { (): Same<T>; all: Record<Language, Texts> } {
  return Object.assign(() => words[language.value] as Same<T>, { all: words })
}

const LOCALES: Record<Language, string> = { es: 'es-419', pt: 'pt-BR', en: 'en' }
/** The languages of the browser: `es-AR` writes numbers in another way than `es-MX`. */
export const browserLocales = signal<readonly string[]>([])
/** How numbers and dates are written. */
export const locale = (): string =>
  browserLocales.value.find((tag) => tag.startsWith(language.value)) ?? LOCALES[language.value]

/** `1.234` or `1,234`. */
export const number = (value: number): string => value.toLocaleString(locale())

/** The first word for 1, else the second: `plural(2, 'call', 'calls')`. */
export const plural = (count: number, one: string, other: string): string =>
  `${number(count)} ${count === 1 ? one : other}`
