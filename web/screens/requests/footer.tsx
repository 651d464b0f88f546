import { useState } from 'preact/hooks'
import type { AnswerOf } from '../../../lib/types.ts'
import { Confirm } from '../../parts/dialog.tsx'
import { attempt, notify } from '../../parts/toasts.tsx'
import { number } from '../../words/words.ts'
import { change, worldId } from '../../world/client.ts'
import { download } from '../../world/files.ts'
import { openDetail } from '../../world/navigation.ts'
import { canChange } from '../../world/role.ts'
import { epoch } from '../../world/stream.ts'
import { words } from '../words.ts'

export interface PageInfo {
  /** Earlier calls that are no longer stored. */
  dropped: number
  /** The latest change of the world's state after which the list went on. */
  mark: AnswerOf<'GET /requests'>['marks'][number] | undefined
}

/** How many there are, how many are no longer stored, and since when they belong to the present state. */
export function Footer({ total, dropped, mark }: PageInfo & { total: number }) {
  const [isAsking, setAsking] = useState(false)
  const w = words().requests
  const clear = async () => {
    await change(w.clear, 'DELETE /requests')
    notify(w.cleared)
    openDetail()
    epoch.value++
  }
  // An error is reported.
  const save = () => void attempt(() => download('GET /bundle', `mercadito-${worldId}.jsonl`)).catch(() => {})
  return (
    <p class="list-footer">
      <span>
        {w.count(total)}
        {dropped > 0 && ` · ${w.dropped(number(dropped))}`}
        {mark && ` · ${w.markAfter(w[mark.change], mark.after)}`}
      </span>
      {canChange.value && (
        <>
          <button type="button" class="small plain" onClick={save}>
            {w.bundle}
          </button>
          <button type="button" class="small plain" aria-haspopup="dialog" onClick={() => setAsking(true)}>
            {w.clear}
          </button>
        </>
      )}
      {isAsking && (
        <Confirm title={w.clearTitle} action={w.clear} onConfirm={clear} onClose={() => setAsking(false)}>
          <p>{w.clearWhy}</p>
        </Confirm>
      )}
    </p>
  )
}
