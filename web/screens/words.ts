import { defineWords, reading } from '../words/words.ts'

/** The texts of all screens but the overview. As one file for each language they have two thirds of the bytes. */
export const words = await defineWords({
  es: () => import('./texts.ts', { with: { language: 'es' } }),
  pt: () => import('./texts.ts', { with: { language: 'pt' } }),
  en: () => import('./texts.ts', { with: { language: 'en' } }),
})

/** Those of one screen, with those that it shares with others. */
export const wordsOf = <S extends keyof typeof words>(screen: S): (typeof words)[S] => reading(() => words[screen])
