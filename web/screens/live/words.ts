import { words as all } from '../words.ts'

export const words = () => all().live
