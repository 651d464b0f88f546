import { words as common } from '../words/index.ts'
import { defineWords, lookedUp } from '../words/words.ts'

/** The texts of all screens but the overview. As one file for each language they have two thirds of the bytes. */
export const words = await defineWords({
  es: () => import('./texts.ts', { with: { language: 'es' } }),
  pt: () => import('./texts.ts', { with: { language: 'pt' } }),
  en: () => import('./texts.ts', { with: { language: 'en' } }),
})

type WithCommon<T> = Omit<typeof common, keyof T> & T

/** Those of one screen, with those that it shares with others, and those of the frame. */
export const wordsOf = <S extends keyof typeof words>(screen: S): WithCommon<(typeof words)[S]> =>
  lookedUp(
    () => words[screen],
    () => common,
  )
