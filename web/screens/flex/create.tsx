import { Input, Options, type Values } from '../../parts/form.tsx'
import { FormDialog } from '../../parts/form_dialog.tsx'
import { change } from '../../world/client.ts'
import { openDetail } from '../../world/navigation.ts'
import { words } from '../words.ts'

const MODES = ['FLEX', 'TURBO'] as const
const STATES = ['pending', 'in', 'out'] as const

export function NewSubscription({ onClose }: { onClose(): void }) {
  const w = words().flex
  const submit = async ({ user_id, mode, status, training_days }: Values) => {
    const body = {
      user_id: Number(user_id),
      mode: mode as (typeof MODES)[number],
      status: status as (typeof STATES)[number],
      ...(training_days && { training_days: Number(training_days) }),
    }
    const made = await change(w.create, 'POST /flex/subscriptions', { body })
    openDetail(made.user_id, made.service_id)
  }
  return (
    <FormDialog title={w.create} action={w.create} onSubmit={submit} onClose={onClose}>
      <p class="muted">{w.createHint}</p>
      <Input label={w.seller} name="user_id" required inputMode="numeric" pattern="\d+" hint={w.userHint} autofocus />
      <div class="field-row">
        <Options label={w.mode} name="mode" options={MODES.map((mode) => [mode, mode] as const)} />
        <Options label={w.state} name="status" options={STATES.map((state) => [state, w[state]] as const)} />
        <Input label={w.training} name="training_days" type="number" min={1} max={365} />
      </div>
    </FormDialog>
  )
}
