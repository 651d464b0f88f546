import { NoListings } from '../../parts/no_listings.tsx'
import { Changing } from '../../parts/rows.tsx'
import { attempt, notify } from '../../parts/toasts.tsx'
import { change } from '../../world/client.ts'
import { words } from '../words.ts'
import type { StepProps } from './progress.ts'

export function AskButton({ progress: { item, seller }, again }: StepProps) {
  const w = words().start
  if (!item) return <NoListings seller={seller?.id} />
  const ask = async () => {
    const body = { item_id: item.id, text: w.questionText }
    const { id } = await attempt(() => change(w.ask, 'POST /questions', { body }))
    notify(<a href={`#/live?item=${item.id}`}>{`${w.asked} · ${id}`}</a>)
    again()
  }
  return (
    <Changing>
      <div class="row">
        <button type="button" class="primary" onClick={() => void ask().catch(() => {})}>
          {w.ask}
        </button>
      </div>
    </Changing>
  )
}
