import type { RequestMade } from '../../../lib/types.ts'
import { FactList } from '../../parts/facts.tsx'
import { formatAddress } from '../../world/address.ts'
import type { AfterDelivery } from '../../world/entries.ts'
import { useCall } from '../../world/load.ts'
import { words } from '../words.ts'

/** Where the call comes from and what it changed. */
export function Consequences({ request }: { request: RequestMade & AfterDelivery }) {
  const { id, after_delivery: after, changes } = request
  const w = words().requests
  const marks = useCall('GET /requests', { query: { limit: 0 } }).data?.marks
  if (!marks) return null
  /** The numbers of its changes mean others now. */
  const isFormer = id <= (marks.at(-1)?.after ?? 0)
  return (
    <FactList
      of={[
        [
          w.causedBy,
          after && (
            <>
              <a href={formatAddress('webhooks', [after.id])}>{w.attemptOf(after.n, after.id)}</a>{' '}
              {after.inferred && <small class="muted">({w.inferredHint})</small>}
            </>
          ),
        ],
        [
          w.effects,
          changes.length > 0 ? (
            <span class="row">
              {isFormer
                ? w.formerChanges(changes.length)
                : changes.slice(0, 10).map((fact) => (
                    <a key={fact} href={formatAddress('live', [], { pick: `f${fact}` })}>
                      {w.change(fact)}
                    </a>
                  ))}
            </span>
          ) : null,
        ],
      ]}
    />
  )
}
