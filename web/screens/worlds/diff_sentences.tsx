import type { Schemas } from '../../../lib/types.ts'
import { Show } from '../../parts/feedback.tsx'
import { useCall } from '../../world/load.ts'
import { passedWords } from '../passed.ts'
import { wordsOf } from '../words.ts'
import { storyOf } from './story.ts'

const w = wordsOf('worlds')

interface DiffSentencesProps {
  diff: Schemas['Diff']
  /** What is said if nothing differs. */
  none: string
}

/** What differs between two states, in sentences. */
export function DiffSentences({ diff, none }: DiffSentencesProps) {
  const isSet = diff.tables.some(({ table, changed }) => table === 'world' && changed > 0)
  const story = [...storyOf(diff, w), ...passedWords(diff.passed), ...(isSet ? [w.worldSet] : [])]
  if (story.length === 0) return <p>{diff.tables.length === 0 ? none : w.onlyInside}</p>
  return (
    <ul>
      {story.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  )
}

/** What has happened since a state: restoring it loses that. */
export const Lost = ({ from }: { from: string }) => (
  <section>
    <h3>{w.sinceThen}</h3>
    <Show loaded={useCall('GET /diff', { query: { from, to: 'now' } })}>
      {(diff) => <DiffSentences diff={diff} none={w.nothingSince} />}
    </Show>
  </section>
)
