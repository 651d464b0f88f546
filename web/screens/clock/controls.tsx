import { Choices } from '../../parts/fields.tsx'
import { dayOf, distanceOf, timeOf } from '../../words/time.ts'
import { clock, worldNow } from '../../world/clock.ts'
import { canChange } from '../../world/role.ts'
import { words } from '../words.ts'
import { type Due, describe } from './due.ts'
import { moveBy, moveToNext, setMode } from './moves.ts'

const STEPS: [title: string, by: string][] = [
  ['−1 d', '-1d'],
  ['−1 h', '-1h'],
  ['−1 min', '-1m'],
  ['+1 min', '1m'],
  ['+1 h', '1h'],
  ['+1 d', '1d'],
]
const MODES = ['real', 'shifted', 'frozen'] as const

/** The time, and what moves it by one press. */
export function Controls({ next, again }: { next: Due | undefined; again(): void }) {
  const w = words().clock
  const now = worldNow.value
  const mode = clock.value?.mode
  if (now === undefined || mode === undefined) return null
  return (
    <section class="clock-head card">
      <p class="clock-now">
        <span>{dayOf(now)}</span>
        <time dateTime={new Date(now).toISOString()}>{timeOf(now)}</time>
        {canChange.value || <span class="badge">{w[mode]}</span>}
      </p>
      {canChange.value && (
        <div class="clock-controls">
          <Choices
            label={w.mode}
            value={mode}
            options={MODES.map((one) => [one, w[one]] as const)}
            onValue={(one) => void setMode(one).then(again)}
          />
          {/* biome-ignore lint/a11y/useSemanticElements: buttons that belong together are no fields */}
          <div class="row" role="group" aria-label={w.steps}>
            {STEPS.map(([title, by]) => (
              <button key={by} type="button" class="small" onClick={() => void moveBy(by).then(again)}>
                {title}
              </button>
            ))}
          </div>
          {next && (
            <button type="button" class="primary small" onClick={() => void moveToNext().then(again)}>
              {w.nextDue} <kbd>n</kbd>
            </button>
          )}
        </div>
      )}
      {next && (
        <p class="muted">
          {describe(next).title} · {distanceOf(Date.parse(next.at), now)}
        </p>
      )}
    </section>
  )
}
