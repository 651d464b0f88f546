import { defineWords } from '../../words/words.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { pt } from './pt.ts'

export const words = defineWords({ es, pt, en })
