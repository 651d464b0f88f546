import { effect, type Signal, signal } from '@preact/signals'
import { browserLocales, changeLanguage, LANGUAGES, type Language, language } from '../words/words.ts'

export type Theme = 'auto' | 'light' | 'dark'

/** Settings of this browser, not of the world. */
export const theme = stored('theme', signal<Theme>('auto'), ['auto', 'light', 'dark'])
/** Single letters as keys; people who speak to their computer turn them off. */
export const letterKeys = stored('keys', signal<'on' | 'off'>('on'), ['on', 'off'])
/** The language in which calls are copied. */
export const snippetLanguage = stored('snippets', signal('curl'), ['curl', 'node', 'python', 'php'])
browserLocales.value = navigator.languages
language.value = preferred(navigator.languages)
stored('language', language, LANGUAGES, changeLanguage)

/** Applies theme and language to the page. */
export const followSettings = (): unknown =>
  effect(() => {
    document.documentElement.dataset.theme = theme.value
    document.documentElement.lang = language.value
  })

/** The first of the browser's languages that the console has; English for others. */
function preferred(languages: readonly string[]): Language {
  const codes = languages.map((tag) => tag.slice(0, 2).toLowerCase())
  return (codes.find((code) => (LANGUAGES as string[]).includes(code)) ?? 'en') as Language
}

/**
 * Stores a setting once the person changes it, also in another tab; without a choice the next visit follows the browser
 * again.
 */
function stored<T extends string>(
  name: string,
  setting: Signal<T>,
  allowed: T[],
  set: (value: T) => unknown = (value) => {
    setting.value = value
  },
): Signal<T> {
  const key = `mercadito.${name}`
  const initial = setting.value
  const saved = readStored(key) as T | null
  if (saved !== null && allowed.includes(saved)) setting.value = saved
  let isChosen = saved !== null
  effect(() => {
    isChosen ||= setting.value !== initial
    if (isChosen) writeStored(key, setting.value)
  })
  addEventListener('storage', ({ key: changed, newValue }) => {
    if (changed === key && allowed.includes(newValue as T)) set(newValue as T)
  })
  return setting
}

/** A list that this browser keeps; what is no list is none. */
export function storedList<T>(name: string): Signal<T[]> {
  const key = `mercadito.${name}`
  const list = signal<T[]>([])
  try {
    const saved: unknown = JSON.parse(readStored(key) ?? '[]')
    if (Array.isArray(saved)) list.value = saved
  } catch {}
  list.subscribe((value) => value.length > 0 && writeStored(key, JSON.stringify(value)))
  return list
}

/** Browsers may forbid storage. */
function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function writeStored(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {}
}
