import { Changing } from '../../parts/rows.tsx'
import { attempt, notify } from '../../parts/toasts.tsx'
import { change } from '../../world/client.ts'
import { rememberLead } from './progress.ts'
import type { StepProps } from './start.tsx'
import { words } from './words.ts'

export function Time({ progress: { item, lead }, again }: StepProps) {
  const w = words()
  const makeLead = async () => {
    const { id } = await attempt(() => change(w.makeLead, 'POST /loans', { body: { item_id: item!.id } }))
    rememberLead(id)
    notify(<a href={`#/credits/${id}`}>{w.leadMade}</a>)
    again()
  }
  const advance = async () => {
    await attempt(() => change(w.advance, 'POST /clock/advance', { body: { by: 'P31D' } }))
    notify(<a href={`#/credits/${lead!.id}`}>{w.advanced}</a>)
    again()
  }
  return (
    <>
      {lead && (
        <p>
          <a href={`#/credits/${lead.id}`}>{lead.expired ? w.expired : w.leadWaits}</a>
        </p>
      )}
      <Changing>
        <div class="row">
          <button
            type="button"
            class={lead ? '' : 'primary'}
            disabled={!item}
            onClick={() => void makeLead().catch(() => {})}
          >
            {w.makeLead}
          </button>
          <button
            type="button"
            class={lead ? 'primary' : ''}
            disabled={!lead}
            onClick={() => void advance().catch(() => {})}
          >
            {w.advance}
          </button>
        </div>
      </Changing>
    </>
  )
}
