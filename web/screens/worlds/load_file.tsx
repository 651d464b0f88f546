import { useState } from 'preact/hooks'
import { Confirm } from '../../parts/dialog.tsx'
import { Field } from '../../parts/fields.tsx'
import { visible } from '../../parts/text.ts'
import { notify } from '../../parts/toasts.tsx'
import { words } from '../words.ts'
import { loadWorld } from './file.ts'

interface LoadFileProps {
  name: string
  typed: string | undefined
  onClose(): void
  again(): void
}

/** Replaces the world of this page by that of a file. */
export function LoadFile({ name, typed, onClose, again }: LoadFileProps) {
  const w = words().worlds
  const [file, setFile] = useState<File>()
  const load = async () => {
    await loadWorld(file!, w.load)
    notify(w.loaded(visible(file!.name)))
    again()
  }
  return (
    <Confirm
      title={w.loadTitle(visible(name))}
      action={w.load}
      typed={typed}
      isReady={file !== undefined}
      onConfirm={load}
      onClose={onClose}
    >
      <div class="stack">
        <p>{w.loadLoss}</p>
        <Field label={w.file} hint={w.fileHint}>
          {(more) => (
            <input
              type="file"
              accept=".json,application/json"
              onChange={({ currentTarget }) => setFile(currentTarget.files?.[0])}
              {...more}
            />
          )}
        </Field>
      </div>
    </Confirm>
  )
}
