import { attempt } from '../../parts/toasts.tsx'
import { change } from '../../world/client.ts'
import { openDetail } from '../../world/navigation.ts'
import { canChange } from '../../world/role.ts'
import { words } from '../words.ts'

/** Sends a recorded call again, or the fix of a refused one, and opens the new call. */
export function Resend({ id, fix = false }: { id: number; fix?: boolean }) {
  if (!canChange.value) return null
  const { resend, sendFix } = words().requests
  const label = fix ? sendFix : resend
  const send = () =>
    attempt(() => change(label, 'POST /requests/{id}/resend', { path: { id }, body: { fix } })).then(
      (sent) => openDetail(sent.id),
      // The call has reported its error.
      () => {},
    )
  return (
    <button type="button" class="small" onClick={() => void send()}>
      {label}
    </button>
  )
}
