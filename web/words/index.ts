// Chooses the language before the first texts are loaded.
import '../world/settings.ts'
import { defineWords } from './words.ts'

/** The texts that several screens use, in the person's language. */
export const words = await defineWords({
  es: () => import('./texts.ts', { with: { language: 'es' } }),
  pt: () => import('./texts.ts', { with: { language: 'pt' } }),
  en: () => import('./texts.ts', { with: { language: 'en' } }),
})
