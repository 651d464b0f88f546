import { useEffect, useState } from 'preact/hooks'
import type { BodyOf, Schemas } from '../../../lib/types.ts'
import { Button } from '../../parts/button.tsx'
import { DialogButton, FormDialog } from '../../parts/dialog.tsx'
import { Empty, Show } from '../../parts/feedback.tsx'
import { ChoicesFilter, FilterBar, UserFilter } from '../../parts/filters.tsx'
import { Input, Options, titled } from '../../parts/form.tsx'
import { useRowKeys } from '../../parts/table.tsx'
import { foreign } from '../../parts/values.tsx'
import { mercadito } from '../../snippets/call.ts'
import { money } from '../../words/money.ts'
import { number } from '../../words/words.ts'
import { formatAddress } from '../../world/address.ts'
import { baseUrl, change } from '../../world/client.ts'
import { worldNow } from '../../world/clock.ts'
import { useCall } from '../../world/load.ts'
import { address, openDetail } from '../../world/navigation.ts'
import { ListingInput } from '../subjects.tsx'
import { wordsOf } from '../words.ts'
import { DAY_MS, ENTITIES, Expiry, type Lead, STATES } from './lead.tsx'

const w = wordsOf('credits')

interface BoardProps {
  query: Record<string, string>
  open: string | undefined
  /** Leads of the world. */
  total: number
}

/** The leads by state, newest first. */
export function Board({ query, open, total }: BoardProps) {
  useRowKeys(focusLead)
  const { expired = '', user = '' } = query
  return (
    <>
      <FilterBar>
        <DialogButton title={w.create} keys="+">
          <NewLead />
        </DialogButton>
        <ChoicesFilter
          label={w.validity}
          name="expired"
          options={[['false', w.valid] as const, ['true', w.expiredOnes] as const]}
        />
        <UserFilter label={w.seller} name="user" />
        <span class="muted">{w.count(total)}</span>
      </FilterBar>
      {total === 0 ? (
        <Empty icon="credits" title={w.none} command={mercadito('lead create MLB1400000001', baseUrl)}>
          <p>{w.noneWhy}</p>
        </Empty>
      ) : (
        <div class="board">
          {STATES.map((status) => (
            <Column key={`${status} ${expired} ${user}`} status={status} query={query} open={open} />
          ))}
        </div>
      )}
    </>
  )
}

/** Moves the focus through all columns. */
function focusLead(step: number): void {
  const leads = [...document.querySelectorAll<HTMLElement>('a.lead')]
  const present = leads.indexOf(document.activeElement as HTMLElement)
  const next = present < 0 ? 0 : Math.min(leads.length - 1, Math.max(0, present + step))
  leads[next]?.focus()
}

/** Three columns have at most 60 cards. */
const LIMIT = 20

interface ColumnProps {
  status: Lead['status']
  query: Record<string, string>
  open: string | undefined
}

/** The leads in one state, a page at a time. */
function Column({ status, query: { user, expired }, open }: ColumnProps) {
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
    { refreshOn: ['control', 'clock'] },
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
          <Button
            class="small"
            disabled={cursors.length === 0}
            title={w.newer}
            run={() => setCursors(cursors.slice(0, -1))}
          />
          <Button class="small" disabled={!next} title={w.older} run={() => next && setCursors([...cursors, next])} />
        </p>
      )}
    </section>
  )
}

function Card({ lead, isOpen }: { lead: Schemas['ListedLead']; isOpen: boolean }) {
  const { id, item_id, item_title, seller_nickname, buyer_nickname, buyer_id, currency_id } = lead
  const { installments_number, installments_amount, financial_entity_id } = lead
  useEffect(() => {
    if (isOpen) document.querySelector('.lead[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [isOpen])
  return (
    <a
      class="card lead"
      href={formatAddress('credits', [id], address.value.query)}
      aria-current={isOpen ? 'true' : undefined}
    >
      <span class="row spread">
        <strong>{foreign(item_title ?? item_id)}</strong>
        <span class="muted mono">{id.slice(0, 8)}</span>
      </span>
      <span class="muted">
        {foreign(seller_nickname ?? '–')} ← {foreign(buyer_nickname ?? String(buyer_id))}
      </span>
      <span class="row spread">
        <span>
          {number(installments_number)} × {money(installments_amount, currency_id, item_id)}
        </span>
        <span class="muted">{financial_entity_id}</span>
      </span>
      <Expiry lead={lead} />
    </a>
  )
}

/** A buyer asks for a credit; afterwards the lead is open. */
function NewLead() {
  const items = useCall('GET /items', { query: { status: 'active', limit: 200 } }).data?.results ?? []
  const submit = async ({ age, ...lead }: BodyOf<'POST /loans'> & { age?: number }) => {
    const now = worldNow.peek() ?? Date.now()
    const body = { ...lead, ...(age && { date_created: new Date(now - age * DAY_MS).toISOString() }) }
    openDetail((await change(w.create, 'POST /loans', { body })).id)
  }
  const amount = { type: 'number', min: 0, step: 'any' }
  return (
    <FormDialog title={w.create} onSubmit={submit}>
      <ListingInput label={w.listing} listings={items} placeholder="MLB1400000001" autofocus />
      <div class="field-row">
        <Options label={w.state} name="status" options={titled(STATES, w.one)} />
        <Input label={w.age} name="age" type="number" min={0} step="any" value="0" hint={w.ageHint} />
      </div>
      <div class="field-row">
        <Options label={w.entity} name="financial_entity_id" options={ENTITIES} />
        <Input label={w.buyer} name="buyer_id" inputMode="numeric" pattern="\d*" hint={w.buyerHint} />
      </div>
      <details class="stack">
        <summary>{w.terms}</summary>
        <p class="muted">{w.termsHint}</p>
        <div class="field-row">
          <Input label={w.down} name="down_payment_amount" {...amount} />
          <Input label={w.installments} name="installments_number" type="number" min={1} max={600} />
          <Input label={w.installment} name="installments_amount" {...amount} />
        </div>
        <Input label={w.proposal} name="proposal_id" maxLength={100} />
      </details>
    </FormDialog>
  )
}
