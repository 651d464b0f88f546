import { Show } from '../../parts/feedback.tsx'
import { Icon } from '../../parts/icons.tsx'
import { visible } from '../../parts/text.ts'
import { attempt } from '../../parts/toasts.tsx'
import { change } from '../../world/client.ts'
import { useCall } from '../../world/load.ts'
import { canChange } from '../../world/role.ts'
import { words } from '../words.ts'
import { isFlexChange, type Subscription } from './ranges.ts'

/** The zones of the seller's area as tiles to switch, and a list of their neighborhoods. */
export function Zones({ subscription: { id, status } }: { subscription: Subscription }) {
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
                      {price.symbol} {price.fraction}
                      {price.decimal_separator}
                      {price.cents}
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
