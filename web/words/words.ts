import { signal } from '@preact/signals'

export type Language = 'es' | 'pt' | 'en'
export const LANGUAGES: Language[] = ['es', 'pt', 'en']
/** Language of all texts; settings.ts sets it from the browser before the first are loaded. */
export const language = signal<Language>('en')

/** Texts in one language: a text, a function that inserts values, or the texts of a screen. */
export type Texts = { [name: string]: string | ((...values: never[]) => string) | Texts }
/** The same texts in another language. */
export type Same<T> = { [K in keyof T]: T[K] extends string ? string : T[K] extends Texts ? Same<T[K]> : T[K] }

type Load<L extends Language, T> = Record<L, () => Promise<Record<L, T>>>

const loaders = new Set<(language: Language) => Promise<void>>()

/**
 * Loads texts in the person's language only. The result returns them; a component that calls it renders again when the
 * language changes.
 */
export async function defineWords<T extends Texts>(
  files: Load<'es', T> & Load<'pt', Same<NoInfer<T>>> & Load<'en', Same<NoInfer<T>>>,
): Promise<() => Same<T>> {
  const loaded: Partial<Record<Language, Same<T>>> = {}
  const load = async (name: Language) => {
    const file = (await files[name]()) as unknown as Record<Language, Same<T>>
    loaded[name] = file[name]
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
