import { signal } from '@preact/signals'

export type Language = 'es' | 'pt' | 'en'
export const LANGUAGES: Language[] = ['es', 'pt', 'en']
/** Language of all texts; settings.ts sets it from the browser before the first are loaded. */
export const language = signal<Language>('en')

export type Text = string | ((...values: never[]) => string)
/** The texts of a screen: each in all languages. */
export type Texts = { [name: string]: Record<Language, Text> | Texts }
/** The same texts in one language. */
export type InLanguage<T> = {
  [K in keyof T]: T[K] extends Record<Language, infer V> ? (V extends string ? string : V) : InLanguage<T[K]>
}

const loaders = new Set<(language: Language) => Promise<void>>()

/**
 * Loads texts in the person's language only: the build makes a file for each import. The result returns them; a component
 * that calls it renders again when the language changes.
 */
export async function defineWords<T extends Texts>(
  files: Record<Language, () => Promise<{ texts: T }>>,
): Promise<() => InLanguage<T>> {
  const loaded: Partial<Record<Language, InLanguage<T>>> = {}
  const load = async (name: Language) => {
    const { texts } = await files[name]()
    loaded[name] = texts as unknown as InLanguage<T>
  }
  loaders.add(load)
  await load(language.peek())
  return () => loaded[language.value]!
}

/** Changes the language once the texts that are in use are loaded. */
export async function changeLanguage(next: Language): Promise<void> {
  await Promise.all([...loaders].map((load) => load(next)))
  language.value = next
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
