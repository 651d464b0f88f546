import { defineWords } from '../../words/words.ts'

export const words = await defineWords({
  es: () => import('./texts.ts', { with: { language: 'es' } }),
  pt: () => import('./texts.ts', { with: { language: 'pt' } }),
  en: () => import('./texts.ts', { with: { language: 'en' } }),
})
