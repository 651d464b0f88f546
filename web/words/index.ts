import { en } from './en.ts'
import { es } from './es.ts'
import { pt } from './pt.ts'
import { defineWords } from './words.ts'

/** The texts that several screens use, in the person's language. */
export const words = defineWords({ es, pt, en })
