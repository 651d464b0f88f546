import { defineWords } from '../words/words.ts'

/** The texts of all screens but the overview. As one file for each language they have two thirds of the bytes. */
export const words = await defineWords({
  es: () => import('./words_es.ts'),
  pt: () => import('./words_pt.ts'),
  en: () => import('./words_en.ts'),
})
