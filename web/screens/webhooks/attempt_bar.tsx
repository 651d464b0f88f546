import { Status } from '../../parts/status.tsx'
import { number } from '../../words/words.ts'
import { words } from '../words.ts'
import { type Attempt, isFailed, LIMIT_SHARE, shareOf } from './deliveries.ts'

interface AttemptBarProps {
  attempt: Attempt
  /** Of the present setting; undefined if there is none any more. */
  limitMs: number | undefined
}

/** How long the receiver took, against its limit; number and mark say the same as the colour. */
export function AttemptBar({ attempt, limitMs }: AttemptBarProps) {
  const { ms, http_code } = attempt
  const w = words().webhooks
  const isLate = limitMs !== undefined && ms >= limitMs
  return (
    <span class="attempt-bar" data-tone={isFailed(attempt) || isLate ? 'bad' : 'good'}>
      {limitMs !== undefined && (
        <span class="bar" aria-hidden="true">
          <i style={{ width: `${100 * shareOf(ms, limitMs)}%` }} />
          <b style={{ left: `${100 * LIMIT_SHARE}%` }} />
        </span>
      )}
      <span class="number">{limitMs === undefined ? `${number(ms)} ms` : w.ofLimit(number(ms), number(limitMs))}</span>
      <Status code={http_code} />
      {isLate && <span>{w.late}</span>}
    </span>
  )
}
