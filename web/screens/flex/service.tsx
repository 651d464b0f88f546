import { FactList } from '../../parts/facts.tsx'
import { useKeys } from '../../parts/keys.ts'
import { attempt } from '../../parts/toasts.tsx'
import { dateTimeOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { change } from '../../world/client.ts'
import { canChange } from '../../world/role.ts'
import { words } from '../words.ts'
import { Items } from './items.tsx'
import type { Subscription } from './ranges.ts'
import { Shipments } from './shipments.tsx'
import { StateBadge } from './state.tsx'
import { Week } from './week.tsx'
import { Zones } from './zones.tsx'

const NEXT = { pending: 'in', in: 'out', out: 'pending' } as const

/** A subscription of a seller, with all that belongs to it. */
export function Service({ subscription, again }: { subscription: Subscription; again(): void }) {
  const w = words().flex
  const { id, user_id, service_id, mode, status, is_moderated, training_days, creation_date } = subscription
  const next = NEXT[status.id]
  const nextTitle = { in: w.toIn, out: w.toOut, pending: w.toPending }[next]
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
          [w.seller, String(user_id)],
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
