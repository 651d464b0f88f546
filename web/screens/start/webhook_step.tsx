import { useState } from 'preact/hooks'
import { CopyAs } from '../../parts/copy_as.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Changing } from '../../parts/rows.tsx'
import { attempt } from '../../parts/toasts.tsx'
import { receiver } from '../../snippets/receivers.ts'
import { change } from '../../world/client.ts'
import { words } from '../words.ts'
import { AskButton } from './ask_button.tsx'
import type { StepProps } from './progress.ts'

const PORT = 3000

export function Webhook({ progress, again }: StepProps) {
  const { setting, info } = progress
  const [url, setUrl] = useState(setting?.callback_url ?? `http://127.0.0.1:${PORT}/`)
  const w = words().start
  const save = async (event: Event) => {
    event.preventDefault()
    const path = { id: info.application.id }
    await attempt(() => change(w.useIt, 'PUT /applications/{id}/notifications', { path, body: { callback_url: url } }))
    again()
  }
  return (
    <>
      <CopyAs textOf={({ name }) => receiver(PORT)[name]} />
      <Changing>
        <form class="guide-callback" onSubmit={(event) => void save(event).catch(() => {})}>
          <TextField label={w.callback} value={url} onValue={setUrl} attributes={{ type: 'url', required: true }} />
          <button type="submit" class={setting ? '' : 'primary'}>
            {w.useIt}
          </button>
        </form>
        <p class="muted">{setting?.callback_url === url ? w.set : w.inside}</p>
        {setting && <AskButton progress={progress} again={again} />}
      </Changing>
      {progress.isWaiting && (
        <p>
          {w.waits} <a href="#/webhooks?status=pending">{w.attempts}</a>
        </p>
      )}
    </>
  )
}
