import { Confirm } from '../../parts/dialog.tsx'
import { DialogButton } from '../../parts/dialog_button.tsx'
import { Show } from '../../parts/feedback.tsx'
import { visible } from '../../parts/text.ts'
import { notify } from '../../parts/toasts.tsx'
import { bytesOf, dateTimeOf } from '../../words/time.ts'
import { send } from '../../world/client.ts'
import { useLoad } from '../../world/load.ts'
import { orNull } from '../../world/missing.ts'
import { words } from './words.ts'

interface Checkpoint {
  id: number
  label: string
  /** Real time. */
  real_at: string
  /** World time of the state. */
  now: string
  bytes: number
}
interface Undo {
  removed: { requests: number; changes: number; control_calls: number }
}

/** The states before the console's own changes. A server without undo has none. */
export function Checkpoints() {
  const w = words()
  const loaded = useLoad(
    (signal) => orNull(send('GET /checkpoints', { signal }) as Promise<{ results: Checkpoint[] }>),
    { refreshOn: ({ type }) => type === 'control' || type === 'world' },
  )
  if (loaded.data === null) return null
  return (
    <section class="stack">
      <h2>{w.checkpoints}</h2>
      <Show loaded={loaded}>
        {(page) =>
          !page || page.results.length === 0 ? (
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
  const loaded = useLoad((signal) => send('GET /undo', { query: { id }, signal }) as Promise<Undo>)
  return (
    <Show loaded={loaded}>
      {({ removed: { control_calls, requests, changes } }) => words().undoes(control_calls, requests, changes)}
    </Show>
  )
}
