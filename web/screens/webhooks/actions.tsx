import type { Call } from '../../../lib/types.ts'
import { useKeys } from '../../parts/keys.ts'
import { attempt, notify } from '../../parts/toasts.tsx'
import { change } from '../../world/client.ts'
import { words } from '../words.ts'
import type { Delivery, Status } from './deliveries.ts'

type Action = 'resend' | 'hold' | 'release' | 'drop'

/** The key of each action, and the states in which the server accepts it. */
const ACTIONS: Record<Action, { keys: string; states?: Status[] }> = {
  resend: { keys: 's' },
  hold: { keys: 'h', states: ['pending'] },
  release: { keys: 'h', states: ['held'] },
  drop: { keys: 'x', states: ['pending', 'held'] },
}

export function Actions({ delivery: { id, status }, again }: { delivery: Delivery; again(): void }) {
  const w = words().webhooks
  const run = async (action: Action) => {
    try {
      await attempt(() => change(w[action], `POST /deliveries/{id}/${action}` satisfies Call, { path: { id } }))
      notify(w.done(id))
    } catch {
      // The call has reported its error.
    }
    again()
  }
  const actions = (Object.keys(ACTIONS) as Action[]).filter((one) => ACTIONS[one].states?.includes(status) ?? true)
  useKeys(actions.map((one) => ({ keys: ACTIONS[one].keys, title: w[one], run: () => void run(one) })))
  return (
    <p class="row">
      {actions.map((one) => (
        <button key={one} type="button" class="small" onClick={() => void run(one)}>
          {w[one]} <kbd>{ACTIONS[one].keys}</kbd>
        </button>
      ))}
    </p>
  )
}
