import { Method } from '../../parts/status.tsx'
import { visible } from '../../parts/text.ts'
import { durationOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { words } from '../words.ts'
import type { Rule } from './rule.ts'

/** `POST /answers` */
export const Match = ({ match: { method, path, user } }: { match: Rule['match'] }) => (
  <span class="mono">
    {method && <Method name={method} />} <bdi>{path === undefined ? words().faults.anyCall : visible(path)}</bdi>
    {user !== undefined && <span class="muted"> · {user}</span>}
  </span>
)

/** `503`, `2 s late` */
export function effectOf({ status, delay, rate_limit }: Rule['action']): string {
  const w = words().faults
  if (status !== undefined) return String(status)
  if (rate_limit) return w.limited(number(rate_limit.limit), number(rate_limit.window))
  if (typeof delay === 'object') return w.late(`${durationOf(delay.min)} – ${durationOf(delay.max)}`)
  return delay === undefined ? w.dropped : w.late(durationOf(delay))
}

export function State({ rule: { enabled, times, applied } }: { rule: Rule }) {
  const w = words().faults
  const [tone, text] = !enabled
    ? (['plain', w.off] as const)
    : times !== null && applied >= times
      ? (['plain', w.usedUp] as const)
      : (['warn', w.active] as const)
  return (
    <span class="badge" data-tone={tone}>
      {text}
    </span>
  )
}
