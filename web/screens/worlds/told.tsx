import type { Schemas } from '../../../lib/types.ts'
import { Show } from '../../parts/feedback.tsx'
import { useCall } from '../../world/load.ts'
import { passedWords } from '../passed.ts'
import { wordsOf } from '../words.ts'
import { storyOf } from './story.ts'

const w = wordsOf('worlds')

/** A comparison in words of the domain. */
export function Told({ diff, nothing }: { diff: Schemas['Diff']; nothing: string }) {
  const isSet = diff.tables.some(({ table, changed }) => table === 'world' && changed > 0)
  const story = [...storyOf(diff, w), ...passedWords(diff.passed), ...(isSet ? [w.worldSet] : [])]
  if (story.length === 0) return <p>{diff.tables.length === 0 ? nothing : w.onlyInside}</p>
  return (
    <ul class="told">
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
      {(diff) => <Told diff={diff} nothing={w.nothingSince} />}
    </Show>
  </section>
)
