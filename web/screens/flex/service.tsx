import { useState } from 'preact/hooks'
import { FactList } from '../../parts/facts.tsx'
import { Show } from '../../parts/feedback.tsx'
import { Icon } from '../../parts/icons.tsx'
import { useKeys } from '../../parts/keys.ts'
import { Rows } from '../../parts/rows.tsx'
import { visible } from '../../parts/text.tsx'
import { attempt } from '../../parts/toasts.tsx'
import { money } from '../../words/money.ts'
import { dateTimeOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { formatAddress } from '../../world/address.ts'
import { change } from '../../world/client.ts'
import { useCall } from '../../world/load.ts'
import { canChange } from '../../world/role.ts'
import { words } from '../words.ts'
import { Shipments } from './shipments.tsx'
import { isFlexChange, StateBadge, type Subscription } from './subscription.tsx'
import { Week } from './week.tsx'

const NEXT = { creating: 'pending', pending: 'in', activating: 'in', in: 'out', out: 'pending' } as const

/** A subscription of a seller, with all that belongs to it. */
export function Service({
  subscription,
  seller,
  again,
}: {
  subscription: Subscription
  seller: string
  again(): void
}) {
  const w = words().flex
  const { id, user_id, service_id, mode, status, is_moderated, training_days, creation_date, origin } = subscription
  const next = NEXT[status.id]
  const nextTitle = { in: w.toIn, out: w.toOut, pending: status.id === 'creating' ? w.toReady : w.toPending }[next]
  const update = (title: string, body: { status?: typeof next; is_moderated?: boolean }) =>
    void attempt(() => change(title, 'PATCH /flex/subscriptions/{id}', { path: { id }, body })).then(again, () => {})
  const move = () => update(nextTitle, { status: next })
  const moderateTitle = is_moderated ? w.unmoderate : w.moderate
  useKeys(canChange.value ? [{ keys: 's', title: nextTitle, run: move }] : [])
  return (
    <article class="stack flex-service">
      <header class="stack">
        <h2>
          {w.service(String(service_id))} · {mode} <StateBadge subscription={subscription} />
        </h2>
        {canChange.value && (
          <div class="actions">
            <button type="button" onClick={move}>
              {nextTitle}
            </button>
            <button type="button" onClick={() => update(moderateTitle, { is_moderated: !is_moderated })}>
              {moderateTitle}
            </button>
          </div>
        )}
        {status.id === 'out' && <p class="muted">{w.outWhy}</p>}
      </header>
      <FactList
        of={[
          [w.seller, <a key="seller" href={formatAddress('users', [user_id])}>{`${visible(seller)} · ${user_id}`}</a>],
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
  const w = words().flex
  const [limit, setLimit] = useState(10)
  const items = useCall('GET /items', { query: { seller_id: user, limit } }, { refreshOn: isFlexChange })
  const turn = (id: string, has_flex: boolean) =>
    void attempt(() =>
      change(has_flex ? w.turnOn : w.turnOff, 'PUT /flex/items/{id}', { path: { id }, body: { has_flex } }),
    ).then(items.again, () => {})
  return (
    <section class="stack" aria-labelledby="flex-items">
      <h3 id="flex-items">{w.items}</h3>
      <Show loaded={items}>
        {(page) =>
          page.results.length === 0 ? (
            <p class="muted">{w.noItems}</p>
          ) : (
            <Rows label={w.items} page={page} keyOf={({ id }) => id} onLimit={setLimit}>
              {({ id, title, in_flex, price, currency_id }) => (
                <>
                  <span>
                    <a href={formatAddress('listings', [id])}>
                      <bdi>{visible(title)}</bdi>
                    </a>{' '}
                    <span class="muted mono">{id}</span> {money(price, currency_id, id)}{' '}
                    {in_flex && (
                      <span class="badge" data-tone="good">
                        {w.withFlex}
                      </span>
                    )}
                  </span>
                  {canChange.value && (
                    <button type="button" class="small" onClick={() => turn(id, !in_flex)}>
                      {in_flex ? w.turnOff : w.turnOn}
                    </button>
                  )}
                </>
              )}
            </Rows>
          )
        }
      </Show>
    </section>
  )
}

/** The zones of the seller's area as tiles to switch, and a list of their neighborhoods. */
function Zones({ subscription }: { subscription: Subscription }) {
  const { id, status } = subscription
  const w = words().flex
  const loaded = useCall('GET /flex/subscriptions/{id}/zones', { path: { id } }, { refreshOn: isFlexChange })
  return (
    <section class="stack" aria-labelledby="flex-zones">
      <h3 id="flex-zones">{w.zones}</h3>
      <Show loaded={loaded}>
        {({ area, city, zones }) => {
          const toggle = (zone: string) => {
            const selected = zones.filter((one) => one.selected !== (one.id === zone)).map((one) => ({ id: one.id }))
            const body = { zones: selected }
            attempt(() => change(w.zones, 'PUT /flex/subscriptions/{id}/zones', { path: { id }, body })).then(
              loaded.again,
              () => {},
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
                  <dl class="facts">
                    {zones.map(({ id: zone, label, neighborhoods }) => (
                      <div key={zone}>
                        <dt>{label}</dt>
                        <dd>{neighborhoods.join(', ') || '–'}</dd>
                      </div>
                    ))}
                  </dl>
                </details>
              )}
            </>
          )
        }}
      </Show>
    </section>
  )
}
