import { DialogButton } from '../../parts/dialog_button.tsx'
import { FactList } from '../../parts/facts.tsx'
import { Show } from '../../parts/feedback.tsx'
import { number } from '../../words/words.ts'
import { useCall } from '../../world/load.ts'
import { words } from '../words.ts'
import { DAYS, isFlexChange, type Range, rangesOf, type Settings, type Subscription } from './ranges.ts'
import { WeekForm } from './week_form.tsx'

/** When and how far a subscription delivers. */
export function Week({ subscription: { id, mode, status } }: { subscription: Subscription }) {
  const w = words().flex
  const settings = useCall('GET /flex/subscriptions/{id}/configuration', { path: { id } }, { refreshOn: isFlexChange })
  return (
    <section class="stack" aria-labelledby="flex-week">
      <div class="row spread">
        <h3 id="flex-week">{w.week}</h3>
        {status.id !== 'out' && settings.data && (
          <DialogButton
            title={w.edit}
            keys="e"
            class="small"
            dialog={(close) => (
              <WeekForm id={id} mode={mode} settings={settings.data!} onClose={close} again={settings.again} />
            )}
          />
        )}
      </div>
      <Show loaded={settings}>
        {(data) => (
          <>
            <Days settings={data} />
            <FactList
              of={
                mode === 'FLEX'
                  ? [
                      [w.window, w[data.delivery_window]],
                      [w.daily, data.daily_capacity ? w.yes : w.no],
                    ]
                  : [[w.radius, data.radius === null ? null : number(data.radius)]]
              }
            />
          </>
        )}
      </Show>
    </section>
  )
}

/** A track of 24 hours for each day; the same in words below it. */
function Days({ settings }: { settings: Settings }) {
  const w = words().flex
  const ranges = rangesOf(settings)
  const isTurbo = settings.mode === 'TURBO'
  return (
    <ul class="flex-days">
      <li class="flex-hours" aria-hidden="true">
        {[0, 6, 12, 18, 24].map((hour) => (
          <span key={hour}>{hour}</span>
        ))}
      </li>
      {DAYS.map((day) => (
        <li key={day}>
          <strong>{day === 'week' ? w.week_day : w[day]}</strong>
          <svg viewBox="0 0 240 16" preserveAspectRatio="none" aria-hidden="true">
            <rect class="track" width="240" height="16" />
            {ranges[day].map(({ from, to, cutoff }) => (
              <g key={from}>
                <rect class="range" x={from * 10} width={Math.max(0, to - from) * 10} height="16" />
                {!isTurbo && <rect class="cutoff" x={cutoff * 10 - 1} width="2" height="16" />}
              </g>
            ))}
          </svg>
          <span class="muted">
            {ranges[day].length === 0 ? w.off : ranges[day].map((range) => textOf(range, isTurbo)).join('; ')}
          </span>
        </li>
      ))}
    </ul>
  )
}

function textOf({ from, to, capacity, cutoff }: Range, isTurbo: boolean): string {
  const w = words().flex
  const range = w.range(String(from), String(to), number(capacity))
  return isTurbo ? range : `${range}, ${w.cutoffAt(String(cutoff))}`
}
