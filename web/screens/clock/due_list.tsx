import type { Schemas } from '../../../lib/types.ts'
import { Empty, Show } from '../../parts/feedback.tsx'
import { Rows } from '../../parts/rows.tsx'
import { visible } from '../../parts/text.tsx'
import { dateTimeOf, distanceOf } from '../../words/time.ts'
import { formatAddress } from '../../world/address.ts'
import { worldNow } from '../../world/clock.ts'
import type { Loaded } from '../../world/load.ts'
import { canChange } from '../../world/role.ts'
import { words } from '../words.ts'

interface DueListProps {
  due: Loaded<Schemas['DueList']>
  limit: number
  onLimit(limit: number): void
  onTarget(target: number): void
}

/** What time will bring, in order. */
export function DueList({ due, limit, onLimit, onTarget }: DueListProps) {
  const w = words().clock
  return (
    <section class="stack">
      <h2>{w.due}</h2>
      <Show loaded={due}>
        {(list) =>
          list.results.length === 0 ? (
            <div class="card">
              <Empty icon="clock" title={w.nothingDue}>
                <p>{w.nothingDueWhy}</p>
              </Empty>
            </div>
          ) : (
            <Rows
              label={w.due}
              page={{
                paging: { total: list.total, limit },
                // Tokens have no id.
                results: list.results.map((entry, key) => ({ entry, key })),
              }}
              keyOf={({ key }) => key}
              onLimit={onLimit}
            >
              {({ entry }) => <DueRow entry={entry} onTarget={onTarget} />}
            </Rows>
          )
        }
      </Show>
    </section>
  )
}

function DueRow({ entry, onTarget }: { entry: Due; onTarget(target: number): void }) {
  const w = words().clock
  const now = worldNow.value
  const { title, href } = describe(entry)
  const at = Date.parse(entry.at)
  return (
    <>
      <span>
        <bdi>{href ? <a href={href}>{visible(title)}</a> : visible(title)}</bdi>
      </span>
      <span class="muted">
        <time dateTime={entry.at}>{dateTimeOf(at)}</time> · {now !== undefined && distanceOf(at, now)}
      </span>
      {canChange.value && (
        <button type="button" class="small" onClick={() => onTarget(at)}>
          {w.goHere}
        </button>
      )}
    </>
  )
}

export type Due = Schemas['Due']

/** Its words, and the address of what it concerns. */
export function describe({ kind, effect, id, user_id, n }: Due): { title: string; href?: string } {
  const w = words().clock
  const name = String(id ?? '')
  if (effect === 'sent') return { title: w.attempt(n ?? 1, name), href: formatAddress('webhooks', [name]) }
  if (kind === 'token' || kind === 'refresh_token') return { title: w.token(user_id) }
  if (kind === 'code') return { title: w.code(user_id) }
  if (kind === 'question') return { title: w.questionGone(name), href: formatAddress('questions', [name]) }
  const title = effect === 'listed' ? w.leadListed : effect === 'unlisted' ? w.leadUnlisted : w.leadExpires
  return { title: title(name.slice(0, 8)), href: formatAddress('credits', [name]) }
}
