import { useState } from 'preact/hooks'
import { Confirm } from '../../parts/dialog.tsx'
import { Input } from '../../parts/form.tsx'
import { FormDialog } from '../../parts/form_dialog.tsx'
import { notify } from '../../parts/toasts.tsx'
import { words as common } from '../../words/index.ts'
import { change, worldId } from '../../world/client.ts'
import { canChange } from '../../world/role.ts'
import { words } from './words.ts'

/** What concerns the whole world. */
export function Actions() {
  const [open, setOpen] = useState<'snapshot' | 'reset'>()
  const w = words()
  const close = () => setOpen(undefined)
  const save = async ({ name = '' }: Record<string, string>) => {
    await change(w.snapshot, 'POST /snapshots', { body: { name } })
    notify(<a href="#/worlds">{w.saved(name)}</a>)
  }
  const reset = async () => {
    await change(w.reset, 'POST /reset', { body: { keep_requests: true } })
    notify(w.resetDone)
  }
  if (!canChange.value) return null
  return (
    <div class="row">
      <button type="button" onClick={() => setOpen('snapshot')}>
        {w.snapshot}
      </button>
      <button type="button" onClick={() => setOpen('reset')}>
        {w.reset}
      </button>
      {open === 'snapshot' && (
        <FormDialog title={w.snapshot} action={w.snapshot} onSubmit={save} onClose={close}>
          <Input label={w.snapshotName} name="name" required />
        </FormDialog>
      )}
      {open === 'reset' && (
        <Confirm title={w.resetTitle(common().world(worldId))} action={w.reset} onConfirm={reset} onClose={close}>
          <p>{w.resetWhy}</p>
        </Confirm>
      )}
    </div>
  )
}
