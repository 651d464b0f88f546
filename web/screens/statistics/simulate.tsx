import { Input, Options, type Values } from '../../parts/form.tsx'
import { FormDialog } from '../../parts/form_dialog.tsx'
import { notify } from '../../parts/toasts.tsx'
import { number } from '../../words/words.ts'
import { change } from '../../world/client.ts'
import { words } from '../words.ts'

const PROFILES = ['quiet', 'normal', 'busy', 'peak'] as const

interface SimulateProps {
  user: number
  onClose(): void
  again(): void
}

/** Generates traffic of buyers of the last days. */
export function Simulate({ user, onClose, again }: SimulateProps) {
  const w = words().statistics
  const submit = async ({ days, profile, seed }: Values) => {
    const done = await change(w.simulate, 'POST /simulate', {
      body: {
        days: Number(days),
        profile: profile as (typeof PROFILES)[number],
        user_id: user,
        ...(seed && { seed: Number(seed) }),
      },
    })
    notify(w.simulated(number(done.phone_views), number(done.whatsapp), number(done.questions)))
    again()
  }
  return (
    <FormDialog title={w.simulate} action={w.simulate} onSubmit={submit} onClose={onClose}>
      <p class="muted">{w.simulateWhy}</p>
      <div class="field-row">
        <Input label={w.daysCount} name="days" type="number" min={1} max={365} value="30" required autofocus />
        <Options
          label={w.profile}
          name="profile"
          value="normal"
          options={PROFILES.map((profile) => [profile, w[profile]] as const)}
        />
        <Input label={w.seed} name="seed" type="number" min={0} hint={w.seedHint} />
      </div>
    </FormDialog>
  )
}
