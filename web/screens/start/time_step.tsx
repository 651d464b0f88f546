import { NoListings } from '../../parts/no_listings.tsx'
import { Changing } from '../../parts/rows.tsx'
import { attempt, notify } from '../../parts/toasts.tsx'
import { change } from '../../world/client.ts'
import { words } from '../words.ts'
import type { StepProps } from './progress.ts'
import { rememberLead } from './progress.ts'

export function Time({ progress: { item, seller, lead }, again }: StepProps) {
  const w = words().start
  if (!item) return <NoListings seller={seller?.id} />
  const makeLead = async () => {
    const { id } = await attempt(() => change(w.makeLead, 'POST /loans', { body: { item_id: item.id } }))
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
          <button type="button" class={lead ? '' : 'primary'} onClick={() => void makeLead().catch(() => {})}>
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
