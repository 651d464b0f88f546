import { useState } from 'preact/hooks'
import { Select } from '../../parts/fields.tsx'
import { dateTimeOf, distanceOf } from '../../words/time.ts'
import { worldNow } from '../../world/clock.ts'
import { canChange } from '../../world/role.ts'
import { words } from '../words.ts'
import { type Due, describe, rangeOf, SPANS, type Span } from './due.ts'
import { moveTo } from './moves.ts'

interface ScrubberProps {
  entries: Due[]
  /** Undefined: where the clock is. */
  target: number | undefined
  onTarget(target: number | undefined): void
  again(): void
}

/** A line of time with what is due on it. Dragging chooses an instant; the clock moves when the person says so. */
export function Scrubber({ entries, target, onTarget, again }: ScrubberProps) {
  const [span, setSpan] = useState<Span>('week')
  const w = words().clock
  const now = worldNow.value
  if (now === undefined) return null
  const range = rangeOf(now, span)
  const placeOf = (at: number) => (at - range.start) / (range.end - range.start)
  // The middle of the thumb does not reach the ends.
  const left = (at: number) => `calc(0.5rem + ${placeOf(at)} * (100% - 1rem))`
  const shown = entries.filter(({ at }) => placeOf(Date.parse(at)) <= 1)
  const go = async (event: Event) => {
    event.preventDefault()
    if (target === undefined) return
    await moveTo(target)
    onTarget(undefined)
    again()
  }
  return (
    <form class="scrubber card stack" onSubmit={(event) => void go(event)}>
      <div class="scrubber-track">
        <i class="now" style={{ left: left(now) }} />
        {shown.map((entry, n) => (
          <button
            key={n}
            type="button"
            class="tick"
            tabIndex={-1}
            disabled={!canChange.value}
            data-kind={entry.kind}
            style={{ left: left(Date.parse(entry.at)) }}
            title={`${describe(entry).title} · ${dateTimeOf(entry.at)}`}
            onClick={() => onTarget(Date.parse(entry.at))}
          >
            <span class="hidden">{describe(entry).title}</span>
          </button>
        ))}
        <input
          type="range"
          aria-label={w.scrubber}
          aria-valuetext={`${dateTimeOf(target ?? now)}, ${distanceOf(target ?? now, now)}`}
          disabled={!canChange.value}
          min={range.start}
          max={range.end}
          step={range.step}
          value={target ?? now}
          onInput={({ currentTarget }) => onTarget(currentTarget.valueAsNumber)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onTarget(undefined)
            if (event.key === 'Enter') void go(event)
          }}
        />
      </div>
      <div class="row">
        <Select
          label={w.span}
          value={span}
          options={(Object.keys(SPANS) as Span[]).map((one) => [one, w[one]] as const)}
          onValue={(one) => setSpan(one)}
        />
        {canChange.value && <Target entries={entries} target={target} now={now} onTarget={onTarget} />}
      </div>
    </form>
  )
}

interface TargetProps extends Omit<ScrubberProps, 'again'> {
  now: number
}

/** The chosen instant, what happens before it, and the button that goes there. */
function Target({ entries, target, now, onTarget }: TargetProps) {
  const w = words().clock
  const passed = target === undefined ? 0 : entries.filter(({ at }) => Date.parse(at) <= target).length
  return (
    <>
      <label class="select">
        <span>{w.instant}</span>
        <input
          type="datetime-local"
          step={1}
          value={new Date(target ?? now).toISOString().slice(0, 19)}
          onInput={({ currentTarget: { value } }) => value !== '' && onTarget(Date.parse(`${value}Z`))}
        />
      </label>
      <button type="submit" class="primary" disabled={target === undefined}>
        {w.go}
      </button>
      {target !== undefined && (
        <button type="button" onClick={() => onTarget(undefined)}>
          {w.drop}
        </button>
      )}
      <p class="muted" aria-live="polite">
        {target === undefined ? w.keysHint : target < now ? w.back : passed > 0 ? w.passes(passed) : ''}
      </p>
    </>
  )
}
