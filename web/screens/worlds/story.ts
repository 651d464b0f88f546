import type { Schemas } from '../../../lib/types.ts'
import { fill } from '../../words/words.ts'

/** The status of a new row that goes without saying. */
const FIRST: Record<string, string> = {
  question: 'UNANSWERED',
  item: 'active',
  notification: 'pending',
  user: 'active',
}

interface StoryWords {
  /** By table; those of other tables are not told: they follow from these. */
  nouns: Record<string, string>
  /** By kind of change and by status. */
  verbs: Record<string, string>
}

/** What differs in words of the domain: `3 questions answered`. */
export function storyOf({ tables }: Pick<Schemas['Diff'], 'tables'>, { nouns, verbs }: StoryWords): string[] {
  return tables.flatMap(({ table, added, removed, changed, by_status }) => {
    const noun = nouns[table]
    if (noun === undefined) return []
    const byStatus = new Map<string, number>()
    let rest = changed
    for (const { before, after, count } of by_status) {
      // A status without a word of its own is a change.
      if (after === null || !verbs[after] || (before === null && after === FIRST[table])) continue
      byStatus.set(after, (byStatus.get(after) ?? 0) + count)
      if (before !== null) rest -= count
    }
    const changes: [verb: string, n: number][] = [
      ['added', added],
      ...byStatus,
      ['changed', rest],
      ['removed', removed],
    ]
    return changes.filter(([, n]) => n > 0).map(([verb, n]) => phraseOf(noun, verbs[verb]!, n))
  })
}

/** `la pregunta{|s}` and `nuev@{|s}` are `1 pregunta nueva` or `2 preguntas nuevas`. */
function phraseOf(noun: string, verb: string, n: number): string {
  const [, article = '', name] = /^(?:(el|la|o|a) )?(.*)$/.exec(noun)!
  return fill(`{#} ${name} ${verb.replace('@', article.endsWith('a') ? 'a' : 'o')}`, [n])
}
