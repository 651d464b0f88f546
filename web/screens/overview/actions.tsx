import { Confirm } from '../../parts/dialog.tsx'
import { DialogButton } from '../../parts/dialog_button.tsx'
import { Input, type Values } from '../../parts/form.tsx'
import { FormDialog } from '../../parts/form_dialog.tsx'
import { visible } from '../../parts/text.ts'
import { notify } from '../../parts/toasts.tsx'
import { words as common } from '../../words/index.ts'
import { change, worldId } from '../../world/client.ts'
import { overview } from '../../world/overview.ts'
import { words } from './words.ts'

/** What concerns the whole world. */
export function Actions() {
  const w = words()
  const save = async ({ name = '' }: Values) => {
    await change(w.snapshot, 'POST /snapshots', { body: { name } })
    notify(<a href="#/worlds">{w.saved(name)}</a>)
  }
  const reset = async () => {
    await change(w.reset, 'POST /reset', { body: { keep_requests: true } })
    notify(w.resetDone)
  }
  const name = overview.value?.world.name ?? common().world(worldId)
  const isKept = overview.value?.world.mode === 'kept'
  return (
    <div class="row">
      <DialogButton
        title={w.snapshot}
        dialog={(close) => (
          <FormDialog title={w.snapshot} action={w.snapshot} onSubmit={save} onClose={close}>
            <Input label={w.snapshotName} name="name" required />
          </FormDialog>
        )}
      />
      <DialogButton
        title={w.reset}
        dialog={(close) => (
          <Confirm
            title={w.resetTitle(visible(name))}
            action={w.reset}
            typed={isKept ? name : undefined}
            onConfirm={reset}
            onClose={close}
          >
            <p>{w.resetWhy}</p>
          </Confirm>
        )}
      />
    </div>
  )
}
