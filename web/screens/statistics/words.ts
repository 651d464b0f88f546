import { defineWords } from '../../words/words.ts'

export const words = await defineWords({
  es: () => import('./words_es.ts'),
  pt: () => import('./words_pt.ts'),
  en: () => import('./words_en.ts'),
})
