import type { AnswerOf } from '../../lib/types.ts'
import { words } from '../words/index.ts'
import { bytesOf, dateTimeOf } from '../words/time.ts'
import { formatAddress } from '../world/address.ts'
import { useCall } from '../world/load.ts'
import { canChange } from '../world/role.ts'
import { Show } from './feedback.tsx'
import { visible } from './text.ts'
import { undo } from './undo.tsx'

type Checkpoint = AnswerOf<'GET /checkpoints'>['results'][number]

/** The states before changes of the console, and before programs wrote. */
export function Checkpoints() {
  const w = words()
  const loaded = useCall('GET /checkpoints', {}, { refreshOn: ({ type }) => type !== 'clock' && type !== 'contact' })
  return (
    <section class="stack">
      <h2>{w.checkpoints}</h2>
      <Show loaded={loaded}>
        {({ results }) =>
          results.length === 0 ? (
            <p class="muted">{w.noCheckpoints}</p>
          ) : (
            <ul class="rows" aria-label={w.checkpoints}>
              {results.map((checkpoint) => (
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

function Row({ id, kind, label, now, bytes }: Checkpoint) {
  const w = words()
  return (
    <>
      <span>
        <bdi>{w.before(visible(label))}</bdi> {kind === 'program' && <span class="muted">{w.request}</span>}
      </span>
      <span class="muted">
        <time>{dateTimeOf(now)}</time> · {bytesOf(bytes)}
      </span>
      <Compare from={`checkpoint:${id}`} />
      {canChange.value && (
        <button type="button" class="small" onClick={() => void undo(id, true)}>
          {w.backHere}
        </button>
      )}
    </>
  )
}

/** The address of what differs between two states. */
export const diffAddress = (query: Record<string, string | undefined>): string =>
  formatAddress('worlds', ['diff'], query)

/** A link to what differs between a state and now. */
export const Compare = ({ from }: { from?: string }) => <a href={diffAddress({ from })}>{words().compare}</a>
