import { useState } from 'preact/hooks'
import { Show } from '../../parts/feedback.tsx'
import { Rows } from '../../parts/rows.tsx'
import { visible } from '../../parts/text.ts'
import { attempt } from '../../parts/toasts.tsx'
import { change } from '../../world/client.ts'
import { useCall } from '../../world/load.ts'
import { canChange } from '../../world/role.ts'
import { words } from '../words.ts'
import { isFlexChange } from './ranges.ts'

/** The listings of a seller. The server says why one cannot be offered with Flex. */
export function Items({ user }: { user: number }) {
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
              {({ id, title, in_flex }) => (
                <>
                  <span>
                    <bdi>{visible(title)}</bdi> <span class="muted mono">{id}</span>{' '}
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
