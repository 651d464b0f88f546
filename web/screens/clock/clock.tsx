import { useState } from 'preact/hooks'
import { Select } from '../../parts/form.tsx'
import { useKeys } from '../../parts/keys.ts'
import { ReadOnly } from '../../parts/rows.tsx'
import { dateTimeOf, distanceOf } from '../../words/time.ts'
import { worldNow } from '../../world/clock.ts'
import { useCall } from '../../world/load.ts'
import { canChange } from '../../world/role.ts'
import { words } from '../words.ts'
import { Controls, moveBy, moveTo, moveToNext, toggleFrozen } from './controls.tsx'
import { type Due, DueList, describe } from './due_list.tsx'

const FIRST_LIMIT = 50

export default function Clock() {
  const [limit, setLimit] = useState(FIRST_LIMIT)
  /** Where the person wants to go, in ms. */
  const [target, setTarget] = useState<number>()
  const w = words().clock
  const due = useCall(
    'GET /clock/due',
    { query: { limit } },
    { refreshOn: ({ type }) => type !== 'request' && type !== 'contact' },
  )
  const run = (move: () => Promise<void>) => () => void move().then(due.again)
  useKeys(
    canChange.value
      ? [
          { keys: 'n', title: w.nextDue, run: run(moveToNext) },
          { keys: 'f', title: w.freeze, run: run(toggleFrozen) },
          { keys: '[', title: '−1 h', run: run(() => moveBy('-1h')) },
          { keys: ']', title: '+1 h', run: run(() => moveBy('1h')) },
        ]
      : [],
  )
  return (
    <div class="page stack">
      <div class="page-head">
        <h1>{w.title}</h1>
        <ReadOnly />
      </div>
      <Controls next={due.data?.results[0]} again={due.again} />
      <Scrubber entries={due.data?.results ?? []} target={target} onTarget={setTarget} again={due.again} />
      <DueList due={due} limit={limit} onLimit={setLimit} onTarget={setTarget} />
      <p>
        <a href="#/worlds">{w.snapshots}</a>
      </p>
    </div>
  )
}

interface ScrubberProps {
  entries: Due[]
  /** Undefined: where the clock is. */
  target: number | undefined
  onTarget(target: number | undefined): void
  again(): void
}

/** A line of time with what is due on it. Dragging chooses an instant; the clock moves when the person says so. */
function Scrubber({ entries, target, onTarget, again }: ScrubberProps) {
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

const HOUR = 3_600_000
/** Ms that the scrubber shows. */
const SPANS = { hour: HOUR, day: 24 * HOUR, week: 7 * 24 * HOUR, month: 30 * 24 * HOUR }
type Span = keyof typeof SPANS

/** Ends of the scrubber in ms: a quarter of it is past. It moves in steps, not with each second. */
function rangeOf(now: number, span: Span): { start: number; end: number; step: number } {
  const size = SPANS[span]
  const grid = size / 24
  const anchor = Math.floor(now / grid) * grid
  return { start: anchor - size / 4, end: anchor + (size * 3) / 4, step: Math.max(1000, size / 720) }
}
