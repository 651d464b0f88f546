import { useState } from 'preact/hooks'
import { Input, Options, type Values } from '../../parts/form.tsx'
import { FormDialog } from '../../parts/form_dialog.tsx'
import { Icon } from '../../parts/icons.tsx'
import { change } from '../../world/client.ts'
import { words } from '../words.ts'
import { bodyOf, DAYS, type Day, type Range, rangesOf, type Settings, type Subscription } from './ranges.ts'

interface WeekFormProps {
  id: number
  mode: Subscription['mode']
  settings: Settings
  onClose(): void
  again(): void
}

/** Ranges of all days. The server checks them as those that a seller sends. */
export function WeekForm({ id, mode, settings, onClose, again }: WeekFormProps) {
  const w = words().flex
  const [ranges, setRanges] = useState(rangesOf(settings))
  const { allowed } = settings
  const set = (day: Day, next: Range[]) => setRanges({ ...ranges, [day]: next })
  const submit = async ({ delivery_window, daily, radius }: Values) => {
    const more =
      mode === 'FLEX'
        ? { delivery_window: delivery_window as Settings['delivery_window'], daily_capacity: daily === 'yes' }
        : { radius: Number(radius) }
    await change(w.week, 'PUT /flex/subscriptions/{id}/configuration', {
      path: { id },
      body: { delivery_ranges: bodyOf(ranges, mode), ...more },
    })
    again()
  }
  const first = allowed.ranges[0] ?? { from: 14, to: 21 }
  const fresh = { ...first, capacity: allowed.capacity.from, cutoff: allowed.cutoffs[0] ?? first.from }
  return (
    <FormDialog title={w.week} action={w.save} onSubmit={submit} onClose={onClose}>
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
            <button type="button" class="small" onClick={() => set(day, [...ranges[day], fresh])}>
              {w.add}
            </button>
          </div>
        </fieldset>
      ))}
      {mode === 'FLEX' ? (
        <div class="field-row">
          <Options
            label={w.window}
            name="delivery_window"
            value={settings.delivery_window}
            options={(['same_day', 'next_day'] as const).map((name) => [name, w[name]] as const)}
          />
          <Options
            label={w.daily}
            name="daily"
            value={settings.daily_capacity ? 'yes' : 'no'}
            options={(['no', 'yes'] as const).map((name) => [name, w[name]] as const)}
          />
        </div>
      ) : (
        <Input label={w.radius} name="radius" type="number" value={String(settings.radius ?? '')} required />
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
  const w = words().flex
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
      <button type="button" class="plain small" aria-label={w.remove} onClick={() => onRange()}>
        <Icon name="close" />
      </button>
    </div>
  )
}
