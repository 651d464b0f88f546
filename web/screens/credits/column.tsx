import { useState } from 'preact/hooks'
import { Show } from '../../parts/feedback.tsx'
import { visible } from '../../parts/text.ts'
import { number } from '../../words/words.ts'
import { formatAddress } from '../../world/address.ts'
import { useCall } from '../../world/load.ts'
import { address } from '../../world/navigation.ts'
import { words } from '../words.ts'
import { Expiry } from './expiry.tsx'
import type { Lead } from './lead.ts'

/** Three columns have at most 60 cards. */
const LIMIT = 20

interface ColumnProps {
  status: Lead['status']
  query: Record<string, string>
  open: string | undefined
}

/** The leads in one state, a page at a time. */
export function Column({ status, query: { user, expired }, open }: ColumnProps) {
  const w = words().credits
  const [cursors, setCursors] = useState<string[]>([])
  const before = cursors.at(-1)
  const leads = useCall(
    'GET /loans',
    {
      query: {
        status,
        limit: LIMIT,
        ...(user && { seller_id: Number(user) }),
        ...((expired === 'true' || expired === 'false') && { expired }),
        ...(before && { before }),
      },
    },
    { refreshOn: ({ type }) => type === 'control' || type === 'clock' },
  )
  const next = leads.data?.paging.next_before
  return (
    <section class="board-column" aria-label={w[status]}>
      <h2>
        {w[status]} <span class="muted">{leads.data && number(leads.data.paging.total)}</span>
      </h2>
      <Show loaded={leads}>
        {({ results }) => (
          <ul class="stack">
            {results.map((lead) => (
              <li key={lead.id}>
                <Card lead={lead} isOpen={lead.id === open} />
              </li>
            ))}
            {results.length === 0 && <li class="muted">{w.noneHere}</li>}
          </ul>
        )}
      </Show>
      {(cursors.length > 0 || next) && (
        <p class="row">
          <button
            type="button"
            class="small"
            disabled={cursors.length === 0}
            onClick={() => setCursors(cursors.slice(0, -1))}
          >
            {w.newer}
          </button>
          <button type="button" class="small" disabled={!next} onClick={() => next && setCursors([...cursors, next])}>
            {w.older}
          </button>
        </p>
      )}
    </section>
  )
}

function Card({ lead, isOpen }: { lead: Lead; isOpen: boolean }) {
  const { id, item_id, installments_number, installments_amount, financial_entity_id } = lead
  return (
    <a
      class="card lead"
      href={formatAddress('credits', [id], address.value.query)}
      aria-current={isOpen ? 'true' : undefined}
    >
      <span class="row spread">
        <strong class="mono">{visible(item_id)}</strong>
        <span class="muted">{id.slice(0, 8)}</span>
      </span>
      <span class="row spread">
        <span>
          {number(installments_number)} × {number(installments_amount)}
        </span>
        <span class="muted">{financial_entity_id}</span>
      </span>
      <Expiry lead={lead} />
    </a>
  )
}
