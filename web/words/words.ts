import { signal } from '@preact/signals'

export type Language = 'es' | 'pt' | 'en'
export const LANGUAGES: Language[] = ['es', 'pt', 'en']
/** Language of all texts; settings.ts sets it from the browser before the first are loaded. */
export const language = signal<Language>('en')

/**
 * `{}` is a value, `{#}` a number as the person writes it. Of `{one|other}` the first is for 1, the second for other numbers:
 * that of the hole before it, else the first value.
 */
export type Text = string
/** The texts of a screen: each in all languages. */
export type Texts = { readonly [name: string]: Readonly<Record<Language, Text>> | Texts }
/** The values that a text needs. */
type Values<T extends string> = T extends `${string}{${infer Hole}}${infer Rest}`
  ? Hole extends ''
    ? [string | number, ...Values<Rest>]
    : Hole extends '#'
      ? [number, ...Values<Rest>]
      : Values<Rest>
  : []
/** A text with values is a function of them. */
type Spoken<T> = T extends string ? (Values<T> extends [] ? string : (...values: Values<T>) => string) : never
/** The same texts in one language. */
type InLanguage<T> = {
  [K in keyof T]: T[K] extends Record<Language, infer V> ? Spoken<V> : InLanguage<T[K]>
}

/** A text with its values. */
export function fill(text: Text, values: readonly (string | number)[]): string {
  const rest = [...values]
  let [count] = values
  return text.replaceAll(/\{(.*?)\}/g, (_, hole: string) => {
    if (hole.includes('|')) return hole.split('|')[count === 1 ? 0 : 1]!
    count = rest.shift()
    return hole === '#' ? number(Number(count)) : String(count)
  })
}

/** Texts of one language as they are used. */
const spoken = (texts: object): object =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [
      name,
      typeof text === 'object'
        ? spoken(text)
        : /\{#?\}/.test(text)
          ? (...values: (string | number)[]) => fill(text, values)
          : text,
    ]),
  )

/** Texts that are looked up when they are used: in the first group that has the name. */
export const lookedUp = <T extends object>(...groups: (() => object | undefined)[]): T => {
  const get = (_: T, name: string | symbol) =>
    groups.map((group) => Reflect.get(group() ?? {}, name)).find((text) => text !== undefined)
  return new Proxy({} as T, { get })
}

const loaders = new Set<(language: Language) => Promise<void>>()

/**
 * Loads texts in the person's language only: the build makes a file for each import. The result has them in the language
 * at the time of use: a component that uses one renders again when the language changes.
 */
export async function defineWords<T extends Texts>(
  files: Record<Language, () => Promise<{ texts: T }>>,
): Promise<InLanguage<T>> {
  const loaded: Partial<Record<Language, InLanguage<T>>> = {}
  const load = async (name: Language) => {
    const { texts } = await files[name]()
    loaded[name] = spoken(texts) as InLanguage<T>
  }
  loaders.add(load)
  await load(language.peek())
  return lookedUp(() => loaded[language.value])
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

/** Lower case, without accents, so that words are found however they are typed. */
export const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
