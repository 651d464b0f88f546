import { useState } from 'preact/hooks'
import type { BodyOf } from '../../../lib/types.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { DialogButton, FormDialog } from '../../parts/dialog.tsx'
import { Show } from '../../parts/feedback.tsx'
import { Input, Options, titled } from '../../parts/form.tsx'
import { FactList } from '../../parts/values.tsx'
import { number } from '../../words/words.ts'
import { change } from '../../world/client.ts'
import { useCall } from '../../world/load.ts'
import { wordsOf } from '../words.ts'
import {
  bodyOf,
  DAYS,
  type Day,
  isFlexChange,
  type Range,
  rangesOf,
  type Settings,
  type Subscription,
} from './subscription.tsx'

const w = wordsOf('flex')

/** When and how far a subscription delivers. */
export function Week({ subscription: { id, mode, status } }: { subscription: Subscription }) {
  const settings = useCall('GET /flex/subscriptions/{id}/configuration', { path: { id } }, { refreshOn: isFlexChange })
  return (
    <section class="stack" aria-labelledby="flex-week">
      <div class="row spread">
        <h3 id="flex-week">{w.week}</h3>
        {status.id !== 'out' && settings.data && (
          <DialogButton title={w.edit} keys="e" class="small">
            <WeekForm id={id} mode={mode} settings={settings.data} />
          </DialogButton>
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
  const ranges = rangesOf(settings)
  const isTurbo = settings.mode === 'TURBO'
  return (
    <ul class="stack flex-days">
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
  const range = w.range(String(from), String(to), number(capacity))
  return isTurbo ? range : `${range}, ${w.cutoffAt(String(cutoff))}`
}

interface WeekFormProps {
  id: number
  mode: Subscription['mode']
  settings: Settings
}

type Body = BodyOf<'PUT /flex/subscriptions/{id}/configuration'>

/** Ranges of all days. The server checks them as those that a seller sends. */
function WeekForm({ id, mode, settings }: WeekFormProps) {
  const [ranges, setRanges] = useState(rangesOf(settings))
  const { allowed } = settings
  const set = (day: Day, next: Range[]) => setRanges({ ...ranges, [day]: next })
  const submit = ({ delivery_window, daily_capacity, radius }: Body) => {
    // The fields of the ranges have names, too.
    const more = mode === 'FLEX' ? { delivery_window, daily_capacity } : { radius }
    const body = { delivery_ranges: bodyOf(ranges, mode), ...more } as Body
    return change(w.week, 'PUT /flex/subscriptions/{id}/configuration', { path: { id }, body })
  }
  const first = allowed.ranges[0] ?? { from: 14, to: 21 }
  const fresh = { ...first, capacity: allowed.capacity.from, cutoff: allowed.cutoffs[0] ?? first.from }
  return (
    <FormDialog title={w.week} action={w.save} onSubmit={submit}>
      {DAYS.map((day) => (
        <fieldset key={day} class="stack">
          <legend>
            <strong>{day === 'week' ? w.week_day : w[day]}</strong>
          </legend>
          {ranges[day].map((range, n) => (
            <RangeFields
              key={n}
              range={range}
              hasCutoff={mode === 'FLEX'}
              onRange={(next) => set(day, next ? ranges[day].with(n, next) : ranges[day].toSpliced(n, 1))}
            />
          ))}
          <div>
            <Button class="small" title={w.add} run={() => set(day, [...ranges[day], fresh])} />
          </div>
        </fieldset>
      ))}
      {mode === 'FLEX' ? (
        <div class="field-row">
          <Options
            label={w.window}
            name="delivery_window"
            value={settings.delivery_window}
            options={titled(['same_day', 'next_day'], w)}
          />
          <Options
            label={w.daily}
            name="daily_capacity"
            data-json
            value={String(settings.daily_capacity)}
            options={[
              ['false', w.no],
              ['true', w.yes],
            ]}
          />
        </div>
      ) : (
        <Input label={w.radius} name="radius" type="number" value={settings.radius} required />
      )}
    </FormDialog>
  )
}

interface RangeFieldsProps {
  range: Range
  hasCutoff: boolean
  /** Without an argument the range is removed. */
  onRange(range?: Range): void
}

function RangeFields({ range, hasCutoff, onRange }: RangeFieldsProps) {
  const { from, to, capacity, cutoff } = range
  const fields = { from, to, capacity, ...(hasCutoff && { cutoff }) }
  return (
    <div class="range-fields">
      {(Object.keys(fields) as (keyof Range)[]).map((name) => (
        <label key={name}>
          <span class="muted">{w[name]}</span>
          <input
            type="number"
            name={name}
            required
            value={range[name]}
            onInput={({ currentTarget }) => onRange({ ...range, [name]: Number(currentTarget.value) })}
          />
        </label>
      ))}
      <IconButton class="plain small" icon="close" title={w.remove} run={() => onRange()} />
    </div>
  )
}
