import { useState } from 'preact/hooks'
import { Confirm } from '../../parts/dialog.tsx'
import { notify } from '../../parts/toasts.tsx'
import { number } from '../../words/words.ts'
import { change } from '../../world/client.ts'
import { openDetail } from '../../world/navigation.ts'
import { canChange } from '../../world/role.ts'
import { epoch } from '../../world/stream.ts'
import { words } from './words.ts'

/** How many there are, and how many are no longer stored. */
export function Footer({ total, dropped }: { total: number; dropped: number }) {
  const [isAsking, setAsking] = useState(false)
  const w = words()
  const clear = async () => {
    await change('clear', 'DELETE /requests')
    notify(w.cleared)
    openDetail()
    epoch.value++
  }
  return (
    <p class="list-footer">
      <span>
        {w.count(total)}
        {dropped > 0 && ` · ${w.dropped(number(dropped))}`}
      </span>
      {canChange.value && (
        <button type="button" class="small plain" onClick={() => setAsking(true)}>
          {w.clear}
        </button>
      )}
      {isAsking && (
        <Confirm title={w.clearTitle} action={w.clear} onConfirm={clear} onClose={() => setAsking(false)}>
          <p>{w.clearWhy}</p>
        </Confirm>
      )}
    </p>
  )
}
