import { defineWords } from '../../words/words.ts'
import { en } from './words_en.ts'
import { es } from './words_es.ts'
import { pt } from './words_pt.ts'

export const words = defineWords({ es, pt, en })
