import type { BodyOf } from '../../../lib/types.ts'
import { CopyCurl } from '../../parts/copy_as.tsx'
import { Found, Show } from '../../parts/feedback.tsx'
import { type Action, ActionButtons } from '../../parts/page.tsx'
import { Split } from '../../parts/split.tsx'
import { Badge, FactList, visible } from '../../parts/values.tsx'
import { money } from '../../words/money.ts'
import { dateTimeOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { type Address, formatAddress } from '../../world/address.ts'
import { change } from '../../world/client.ts'
import { worldNow } from '../../world/clock.ts'
import { type RefreshOn, useCall, useFound } from '../../world/load.ts'
import { wordsOf } from '../words.ts'
import { Board } from './board.tsx'
import { Expiry, expiryOf, type Lead } from './lead.tsx'

const w = wordsOf('credits')

/** Leads change with control calls and with time only. */
const refreshOn: RefreshOn = ['control', 'clock']

/** `#/credits/ID?user=2500000201&expired=false` */
export default function Credits({ path: [id], query }: Address) {
  const total = useCall('GET /loans', { query: { limit: 0 } }, { refreshOn })
  return (
    <Split
      list={<Show loaded={total}>{({ paging }) => <Board query={query} open={id} total={paging.total} />}</Show>}
      title={`${w.lead} ${id}`}
      detail={id !== undefined && <Opened key={id} id={id} />}
    />
  )
}

const Opened = ({ id }: { id: string }) => (
  <Found loaded={useFound('GET /loans/{id}', { path: { id } }, { refreshOn })} gone={w.gone}>
    {(lead) => <LeadDetail lead={lead} />}
  </Found>
)

/** What can be done with a lead: its key, its title and its change. */
function actionsOf(lead: Lead, now: number): Action[] {
  const { isExpired, isEarly } = expiryOf(lead, now)
  const action = (keys: string, title: string, body: BodyOf<'PATCH /loans/{id}'>): Action => ({
    ...{ keys, title },
    run: () => change(title, 'PATCH /loans/{id}', { path: { id: lead.id }, body }),
  })
  return [
    ...(lead.status === 'in_analysis'
      ? [action('a', w.approve, { status: 'approved' }), action('r', w.reject, { status: 'rejected' })]
      : []),
    ...(isExpired ? [] : [action('e', w.expire, { expired: true })]),
    ...(isEarly ? [action('e', w.unexpire, { expired: false })] : []),
  ]
}

function LeadDetail({ lead }: { lead: Lead }) {
  const { id, item_id } = lead
  const now = worldNow.value ?? Date.parse(lead.date_created)
  const item = useCall('GET /items/{id}', { path: { id: item_id } }).data
  const amount = (value: number) => money(value, item?.currency_id ?? null, item_id)
  const nicknameOf = (user: number) => useFound('GET /users/{id}', { path: { id: user } }).data?.nickname
  const [seller, buyer] = [nicknameOf(lead.seller_id), nicknameOf(lead.buyer_id)]
  return (
    <article class="stack">
      <header class="stack">
        <p class="muted">
          {w.lead} <Badge tone={TONES[lead.status]}>{w.one[lead.status]}</Badge>
        </p>
        <h2 class="mono">{id}</h2>
        <div class="actions">
          <ActionButtons of={actionsOf(lead, now)} />
          <CopyCurl call={{ call: 'GET /loans/{id}', input: { path: { id } } }} />
        </div>
      </header>
      <section class="stack">
        <Expiry lead={lead} />
        <a href="#/clock">{w.moveClock}</a>
      </section>
      <FactList
        of={[
          [w.created, dateTimeOf(lead.date_created)],
          [w.expires, dateTimeOf(expiryOf(lead, now).at)],
          [
            w.listing,
            <a key="item" href={formatAddress('listings', [item_id])}>
              <bdi>{item ? `${visible(item.title)} · ${item_id}` : visible(item_id)}</bdi>
            </a>,
          ],
          [w.seller, `${seller ?? ''} ${lead.seller_id}`],
          [w.buyer, `${buyer ?? ''} ${lead.buyer_id}`],
          [w.entity, lead.financial_entity_id],
          [w.proposal, lead.proposal_id],
          [w.down, amount(lead.down_payment_amount)],
          [w.installments, `${number(lead.installments_number)} × ${amount(lead.installments_amount)}`],
        ]}
      />
      <a href={formatAddress('requests', [], { q: id })}>{w.callsWithIt}</a>
    </article>
  )
}

const TONES = { approved: 'good', rejected: 'bad', in_analysis: 'info' } as const
