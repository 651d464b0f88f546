import { Show } from '../../parts/feedback.tsx'
import { Icon } from '../../parts/icons.tsx'
import { ActionButtons } from '../../parts/page.tsx'
import { ListRows } from '../../parts/rows.tsx'
import { act } from '../../parts/toasts.tsx'
import { Badge, FactList, foreign, visible } from '../../parts/values.tsx'
import { money } from '../../words/money.ts'
import { dateTimeOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { formatAddress } from '../../world/address.ts'
import { change } from '../../world/client.ts'
import { useCall } from '../../world/load.ts'
import { canChange } from '../../world/role.ts'
import { useWhole } from '../../world/use_pages.ts'
import { UserLink } from '../subjects.tsx'
import { wordsOf } from '../words.ts'
import { Shipments } from './shipments.tsx'
import { isFlexChange, StateBadge, type Subscription } from './subscription.tsx'
import { Week } from './week.tsx'

const w = wordsOf('flex')

const NEXT = { creating: 'pending', pending: 'in', activating: 'in', in: 'out', out: 'pending' } as const

interface ServiceProps {
  subscription: Subscription
  seller: string | undefined
}

/** A subscription of a seller, with all that belongs to it. */
export function Service({ subscription, seller }: ServiceProps) {
  const { id, user_id, service_id, mode, status, is_moderated, training_days, creation_date, origin } = subscription
  const next = NEXT[status.id]
  const nextTitle = { in: w.activate, out: w.toOut, pending: status.id === 'creating' ? w.toReady : w.toPending }[next]
  const update = (title: string, body: { status?: typeof next; is_moderated?: boolean }) => () =>
    change(title, 'PATCH /flex/subscriptions/{id}', { path: { id }, body })
  const moderateTitle = is_moderated ? w.unmoderate : w.moderate
  const actions = [
    { keys: 's', title: nextTitle, run: update(nextTitle, { status: next }) },
    { title: moderateTitle, run: update(moderateTitle, { is_moderated: !is_moderated }) },
  ]
  return (
    <article class="stack flex-service">
      <header class="stack">
        <h2>
          {w.service(String(service_id))} · {mode} <StateBadge subscription={subscription} />
        </h2>
        <div class="actions">
          <ActionButtons of={actions} />
        </div>
        {status.id === 'out' && <p class="muted">{w.outWhy}</p>}
      </header>
      <FactList
        of={[
          [w.seller, <UserLink key="seller" id={user_id} nickname={seller} />],
          [w.origin, origin && visible(`${origin.address}, ${origin.city}`)],
          [w.created, dateTimeOf(creation_date)],
          [w.training, training_days === null ? null : number(training_days)],
        ]}
      />
      <Week subscription={subscription} />
      {mode === 'FLEX' && <Zones subscription={subscription} />}
      <Items user={user_id} />
      <Shipments user={user_id} />
    </article>
  )
}

/** The listings of a seller. The server says why one cannot be offered with Flex. */
function Items({ user }: { user: number }) {
  const list = useWhole('GET /items', { seller_id: user }, { first: 10, refreshOn: isFlexChange })
  const turn = (id: string, has_flex: boolean) => () =>
    change(has_flex ? w.flexOn : w.flexOff, 'PUT /flex/items/{id}', { path: { id }, body: { has_flex } })
  return (
    <section class="stack" aria-labelledby="flex-items">
      <h3 id="flex-items">{w.listings}</h3>
      <ListRows label={w.listings} list={list} keyOf={({ id }) => id} none={<p class="muted">{w.noItems}</p>}>
        {({ id, title, in_flex, price, currency_id }) => (
          <>
            <span>
              <a href={formatAddress('listings', [id])}>{foreign(title)}</a> <span class="muted mono">{id}</span>{' '}
              {money(price, currency_id, id)} {in_flex && <Badge tone="good">{w.withFlex}</Badge>}
            </span>
            <ActionButtons class="small" of={[{ title: in_flex ? w.flexOff : w.flexOn, run: turn(id, !in_flex) }]} />
          </>
        )}
      </ListRows>
    </section>
  )
}

/** The zones of the seller's area as tiles to switch, and a list of their neighborhoods. */
function Zones({ subscription }: { subscription: Subscription }) {
  const { id, status } = subscription
  const loaded = useCall('GET /flex/subscriptions/{id}/zones', { path: { id } }, { refreshOn: isFlexChange })
  return (
    <section class="stack" aria-labelledby="flex-zones">
      <h3 id="flex-zones">{w.zones}</h3>
      <Show loaded={loaded}>
        {({ area, city, zones }) => {
          const toggle = (zone: string) => {
            const selected = zones.filter((one) => one.selected !== (one.id === zone)).map((one) => ({ id: one.id }))
            act(() =>
              change(w.zones, 'PUT /flex/subscriptions/{id}/zones', { path: { id }, body: { zones: selected } }),
            )
          }
          return (
            <>
              <p class="muted">
                <bdi>{area === null ? w.noArea(visible(city)) : w.zonesOf(visible(area))}</bdi>
              </p>
              <div class="zone-tiles">
                {zones.map(({ id: zone, label, is_mandatory, selected, price }) => (
                  <button
                    key={zone}
                    type="button"
                    aria-pressed={selected}
                    disabled={!canChange.value || status.id === 'out' || is_mandatory}
                    onClick={() => toggle(zone)}
                  >
                    {selected && <Icon name="done" />}
                    <strong>{label}</strong>
                    <span>
                      {money(Number(`${price.fraction}.${price.cents}`), price.currency_id, subscription.site_id)}
                    </span>
                    {is_mandatory && <span>{w.mandatory}</span>}
                  </button>
                ))}
              </div>
              {zones.length > 0 && (
                <details>
                  <summary>{w.neighborhoods}</summary>
                  <FactList of={zones.map(({ label, neighborhoods }) => [label, neighborhoods.join(', ') || '–'])} />
                </details>
              )}
            </>
          )
        }}
      </Show>
    </section>
  )
}
