import type { Site } from '../../demo.ts'
import type { Texts } from './language.ts'
import { ES } from './texts.es.ts'
import { PT } from './texts.pt.ts'

export const TEXTS: Record<Site['language'], Texts> = { es: ES, pt: PT }
