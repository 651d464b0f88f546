import { useState } from 'preact/hooks'
import { Confirm, Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/fields.tsx'
import { attempt, notify } from '../../parts/toasts.tsx'
import { words as common } from '../../words/index.ts'
import { change, worldId } from '../../world/client.ts'
import { words } from './words.ts'

/** What concerns the whole world. */
export function Actions() {
  const [open, setOpen] = useState<'snapshot' | 'reset'>()
  const w = words()
  const close = () => setOpen(undefined)
  const reset = async () => {
    await attempt(() => change('reset', 'POST /reset', { body: { keep_requests: true } }))
    notify(w.resetDone)
  }
  return (
    <div class="row">
      <button type="button" onClick={() => setOpen('snapshot')}>
        {w.snapshot}
      </button>
      <button type="button" onClick={() => setOpen('reset')}>
        {w.reset}
      </button>
      {open === 'snapshot' && <SnapshotDialog onClose={close} />}
      {open === 'reset' && (
        <Confirm title={w.resetTitle(common().world(worldId))} action={w.reset} onConfirm={reset} onClose={close}>
          <p>{w.resetWhy}</p>
        </Confirm>
      )}
    </div>
  )
}

function SnapshotDialog({ onClose }: { onClose(): void }) {
  const [name, setName] = useState('')
  const w = words()
  const save = async (event: Event) => {
    event.preventDefault()
    await attempt(() => change('snapshot', 'POST /snapshots', { body: { name } }))
    notify(<a href="#/worlds">{w.saved(name)}</a>)
    onClose()
  }
  return (
    <Dialog title={w.snapshot} onClose={onClose}>
      <form class="stack" onSubmit={(event) => void save(event).catch(() => {})}>
        <TextField label={w.snapshotName} value={name} onValue={setName} attributes={{ required: true }} />
        <div class="buttons">
          <button type="submit" class="primary">
            {w.snapshot}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
