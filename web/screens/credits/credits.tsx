import type { BodyOf } from '../../../lib/types.ts'
import { CopyCurl } from '../../parts/copy_as.tsx'
import { FactList } from '../../parts/facts.tsx'
import { Empty, Show } from '../../parts/feedback.tsx'
import { useKeys } from '../../parts/keys.ts'
import { Split } from '../../parts/split.tsx'
import { visible } from '../../parts/text.tsx'
import { attempt } from '../../parts/toasts.tsx'
import { money } from '../../words/money.ts'
import { dateTimeOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { type Address, formatAddress } from '../../world/address.ts'
import { change, orNull, read } from '../../world/client.ts'
import { worldNow } from '../../world/clock.ts'
import { useCall, useLoad } from '../../world/load.ts'
import { canChange } from '../../world/role.ts'
import { words } from '../words.ts'
import { Board } from './board.tsx'
import { Expiry, expiryOf, type Lead } from './lead.tsx'

/** Leads change with control calls and with time only. */
const refreshOn = ({ type }: { type: string }) => type === 'control' || type === 'clock'

/** `#/credits/ID?user=2500000201&expired=false` */
export default function Credits({ path: [id], query }: Address) {
  const w = words().credits
  const total = useCall('GET /loans', { query: { limit: 0 } }, { refreshOn })
  return (
    <Split
      heading={w.title}
      list={<Show loaded={total}>{({ paging }) => <Board query={query} open={id} total={paging.total} />}</Show>}
      title={`${w.lead} ${id}`}
      detail={id === undefined ? undefined : <Opened key={id} id={id} />}
    />
  )
}

function Opened({ id }: { id: string }) {
  const w = words().credits
  const lead = useLoad((signal) => orNull(read('GET /loans/{id}', { path: { id }, signal })), { key: id, refreshOn })
  return (
    <Show loaded={lead}>
      {(data) =>
        data === null ? <Empty icon="credits" title={w.gone} /> : <LeadDetail lead={data} again={lead.again} />
      }
    </Show>
  )
}

/** What can be done with a lead: its key, its title and its change. */
function actionsOf(lead: Lead, now: number) {
  const w = words().credits
  const { isExpired, isEarly } = expiryOf(lead, now)
  const actions: { keys: string; title: string; body: BodyOf<'PATCH /loans/{id}'> }[] = []
  if (lead.status === 'in_analysis')
    actions.push(
      { keys: 'a', title: w.approve, body: { status: 'approved' } },
      { keys: 'r', title: w.reject, body: { status: 'rejected' } },
    )
  if (!isExpired) actions.push({ keys: 'e', title: w.expire, body: { expired: true } })
  if (isEarly) actions.push({ keys: 'e', title: w.unexpire, body: { expired: false } })
  return actions
}

function LeadDetail({ lead, again }: { lead: Lead; again(): void }) {
  const w = words().credits
  const { id, item_id } = lead
  const now = worldNow.value ?? Date.parse(lead.date_created)
  const item = useCall('GET /items/{id}', { path: { id: item_id } }).data
  const amount = (value: number) => money(value, item?.currency_id ?? null, item_id)
  const nicknameOf = (user: number) =>
    useLoad((signal) => orNull(read('GET /users/{id}', { path: { id: user }, signal })), { key: user }).data?.nickname
  const [seller, buyer] = [nicknameOf(lead.seller_id), nicknameOf(lead.buyer_id)]
  const actions = canChange.value
    ? actionsOf(lead, now).map(({ keys, title, body }) => ({
        keys,
        title,
        run: () => void attempt(() => change(title, 'PATCH /loans/{id}', { path: { id }, body })).then(again, () => {}),
      }))
    : []
  useKeys(actions)
  return (
    <article class="stack">
      <header class="stack">
        <p class="muted">
          {w.lead}{' '}
          <span class="badge" data-tone={TONES[lead.status]}>
            {w[`${lead.status}_one`]}
          </span>
        </p>
        <h2 class="mono">{id}</h2>
        <div class="actions">
          {actions.map(({ title, run }) => (
            <button key={title} type="button" onClick={run}>
              {title}
            </button>
          ))}
          <CopyCurl call={{ call: 'GET /loans/{id}', input: { path: { id } } }} />
        </div>
      </header>
      <section class="stack">
        <Expiry lead={lead} />
        <a href="#/clock">{w.clock}</a>
      </section>
      <FactList
        of={[
          [w.created, dateTimeOf(lead.date_created)],
          [w.expiresAt, dateTimeOf(expiryOf(lead, now).at)],
          [
            w.item,
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
      <a href={formatAddress('requests', [], { q: id })}>{w.requests}</a>
    </article>
  )
}

const TONES = { approved: 'good', rejected: 'bad', in_analysis: 'info' } as const
