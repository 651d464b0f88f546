import type { AnswerOf } from '../../../lib/types.ts'
import { Show } from '../../parts/feedback.tsx'
import { visible } from '../../parts/text.ts'
import { undo } from '../../parts/undo.tsx'
import { bytesOf, dateTimeOf } from '../../words/time.ts'
import { useCall } from '../../world/load.ts'
import { canChange } from '../../world/role.ts'
import { words } from './words.ts'

type Checkpoint = AnswerOf<'GET /checkpoints'>['results'][number]

/** The states before the console's own changes. */
export function Checkpoints() {
  const w = words()
  const loaded = useCall('GET /checkpoints', {}, { refreshOn: ({ type }) => type === 'control' || type === 'world' })
  return (
    <section class="stack">
      <h2>{w.checkpoints}</h2>
      <Show loaded={loaded}>
        {(page) =>
          page.results.length === 0 ? (
            <p class="muted">{w.noCheckpoints}</p>
          ) : (
            <ul class="rows" aria-label={w.checkpoints}>
              {page.results.map((checkpoint) => (
                <li key={checkpoint.id}>
                  <Row {...checkpoint} />
                </li>
              ))}
            </ul>
          )
        }
      </Show>
    </section>
  )
}

function Row({ id, label, now, bytes }: Checkpoint) {
  const w = words()
  return (
    <>
      <span>
        <bdi>{w.before(visible(label))}</bdi>
      </span>
      <span class="muted">
        <time>{dateTimeOf(now)}</time> · {bytesOf(bytes)}
      </span>
      {canChange.value && (
        <button type="button" class="small" onClick={() => void undo(id, true)}>
          {w.backHere}
        </button>
      )}
    </>
  )
}
