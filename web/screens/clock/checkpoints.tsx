import type { AnswerOf } from '../../../lib/types.ts'
import { Confirm } from '../../parts/dialog.tsx'
import { DialogButton } from '../../parts/dialog_button.tsx'
import { Show } from '../../parts/feedback.tsx'
import { visible } from '../../parts/text.ts'
import { notify } from '../../parts/toasts.tsx'
import { bytesOf, dateTimeOf } from '../../words/time.ts'
import { send } from '../../world/client.ts'
import { useCall } from '../../world/load.ts'
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
                  <Row {...checkpoint} again={loaded.again} />
                </li>
              ))}
            </ul>
          )
        }
      </Show>
    </section>
  )
}

function Row({ id, label, now, bytes, again }: Checkpoint & { again(): void }) {
  const w = words()
  const undo = async () => {
    await send('POST /undo', { body: { id } })
    notify(w.restored(visible(label)))
    again()
  }
  return (
    <>
      <span>
        <bdi>{w.before(visible(label))}</bdi>
      </span>
      <span class="muted">
        <time>{dateTimeOf(now)}</time> · {bytesOf(bytes)}
      </span>
      <DialogButton
        title={w.backHere}
        class="small"
        dialog={(close) => (
          <Confirm title={w.before(visible(label))} action={w.backHere} onConfirm={undo} onClose={close}>
            <Preview id={id} />
          </Confirm>
        )}
      />
    </>
  )
}

/** What the undo takes back. */
function Preview({ id }: { id: number }) {
  const loaded = useCall('GET /undo', { query: { id } })
  return (
    <Show loaded={loaded}>
      {({ removed: { control_calls, requests, changes } }) => words().undoes(control_calls, requests, changes)}
    </Show>
  )
}
