import type { Schemas } from '../../lib/types.ts'
import { words } from './words.ts'

type Group = Schemas['DueGroup']

/** What time brings about or has brought about: `2 tokens expired`, `1 lead expired`. */
export const passedWords = (groups: Group[]): string[] =>
  groups.map(({ kind, effect, count }) => {
    const texts: Record<string, (n: number) => string> = words.clock.passed
    return texts[kind === 'lead' ? effect : kind]!(count)
  })
