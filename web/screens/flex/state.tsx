import { words } from '../words.ts'
import type { Subscription } from './ranges.ts'

const TONES = { in: 'good', out: 'bad', pending: 'warn' } as const

export function StateBadge({ subscription: { status, is_moderated } }: { subscription: Subscription }) {
  const w = words().flex
  return (
    <>
      <span class="badge" data-tone={TONES[status.id]}>
        {w[status.id]}
      </span>{' '}
      {is_moderated && <span class="badge">{w.moderated}</span>}
    </>
  )
}
