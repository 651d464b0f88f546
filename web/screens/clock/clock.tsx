import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { Select, titled } from '../../parts/form.tsx'
import { useKeys } from '../../parts/keys.ts'
import { Page } from '../../parts/page.tsx'
import type { Tone } from '../../parts/values.tsx'
import { dateTimeOf, dayOf, distanceOf } from '../../words/time.ts'
import type { Address } from '../../world/address.ts'
import { worldNow } from '../../world/clock.ts'
import { useCall } from '../../world/load.ts'
import { setQuery } from '../../world/navigation.ts'
import { canChange } from '../../world/role.ts'
import { passedWords } from '../passed.ts'
import { wordsOf } from '../words.ts'
import { Controls, moveBy, moveTo, moveToNext, toggleFrozen } from './controls.tsx'
import { type Due, DueList, describe, FIRST_ENTRIES, kindIn, MAX_ENTRIES } from './due_list.tsx'
import { readInstant } from './instant.ts'

const w = wordsOf('clock')

/** `#/clock?span=day&kind=lead` */
export default function Clock({ query }: Address) {
  const [limit, setLimit] = useState(FIRST_ENTRIES)
  /** Where the person wants to go, in ms. */
  const [target, setTarget] = useState<number>()
  const kind = kindIn(query.kind)
  const due = useCall(
    'GET /clock/due',
    { query: { limit, kind } },
    { refreshOn: ({ type }) => type !== 'request' && type !== 'contact' },
  )
  const run = (move: () => Promise<void>) => () => void move()
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
  const { value: now } = worldNow
  const entries = due.data?.results ?? []
  return (
    <Page head={<span class="muted">{now !== undefined && dayOf(now)}</span>}>
      <section class="card stack">
        <Controls next={kind === undefined ? entries[0] : undefined} />
        <Scrubber {...{ entries, target }} span={spanIn(query.span)} onTarget={setTarget} />
      </section>
      <DueList
        due={due}
        kind={kind}
        onAll={limit < MAX_ENTRIES ? () => setLimit(MAX_ENTRIES) : undefined}
        onTarget={setTarget}
      />
      <p>
        <a href="#/worlds">{w.snapshots}</a>
      </p>
    </Page>
  )
}

interface TargetProps {
  /** Undefined: where the clock is. */
  target: number | undefined
  onTarget(target: number | undefined): void
}

interface ScrubberProps extends TargetProps {
  entries: Due[]
  span: Span
}

const TONES: Partial<Record<Due['kind'], Tone>> = {
  attempt: 'info',
  lead: 'warn',
  token: 'good',
  refresh_token: 'good',
  code: 'good',
}

/** A line of time with what is due on it. Dragging chooses an instant; the clock moves when the person says so. */
function Scrubber({ entries, span, target, onTarget }: ScrubberProps) {
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
  }
  return (
    <form class="scrubber stack" onSubmit={(event) => void go(event)}>
      <div class="scrubber-track">
        <i class="now" style={{ left: left(now) }} />
        {shown.map((entry, n) => (
          <button
            key={n}
            type="button"
            class="tick muted"
            tabIndex={-1}
            disabled={!canChange.value}
            data-tone={TONES[entry.kind]}
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
          options={titled(Object.keys(SPANS) as Span[], w)}
          onValue={(one) => setQuery({ span: one })}
        />
        {canChange.value && <Target target={target} now={now} onTarget={onTarget} />}
      </div>
    </form>
  )
}

/** The field for an instant, what happens until then, and the button that goes there. */
function Target({ target, now, onTarget }: TargetProps & { now: number }) {
  const [text, setText] = useState('')
  const typed = useRef<number>()
  // Going there, dropping it or dragging empties the field.
  useEffect(() => {
    if (target !== typed.current) setText('')
  }, [target])
  const isWrong = text.trim() !== '' && target === undefined
  return (
    <>
      <label class="select">
        <span>{w.instant}</span>
        <input
          value={text}
          placeholder={w.example}
          size={24}
          autocomplete="off"
          aria-invalid={isWrong}
          aria-describedby="clock-target"
          onInput={({ currentTarget: { value } }) => {
            setText(value)
            typed.current = readInstant(value, now)
            onTarget(typed.current)
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            setText('')
            onTarget(undefined)
          }}
        />
      </label>
      <button type="submit" class="primary" disabled={target === undefined}>
        {w.go}
      </button>
      {target !== undefined && <Button title={w.cancel} run={() => onTarget(undefined)} />}
      <p id="clock-target" class={isWrong ? 'bad' : 'muted'} aria-live="polite">
        {isWrong ? (
          w.unreadable
        ) : target === undefined ? (
          w.keysHint
        ) : (
          <>
            {dateTimeOf(target)}, {distanceOf(target, now)} · {target < now ? w.back : <Until target={target} />}
          </>
        )}
      </p>
    </>
  )
}

/** Ms without a change of the target after which the server is asked. */
const SETTLED_MS = 150

function Until({ target }: { target: number }) {
  const [settled, setSettled] = useState(target)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(target), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [target])
  const { data } = useCall('GET /clock/due', { query: { limit: 0, until: new Date(settled).toISOString() } })
  return data && <>{data.total === 0 ? w.nothingBefore : w.before(passedWords(data.groups).join(', '))}</>
}

const HOUR = 3_600_000
/** Ms that the scrubber shows. */
const SPANS = { hour: HOUR, day: 24 * HOUR, week: 7 * 24 * HOUR, month: 30 * 24 * HOUR }
type Span = keyof typeof SPANS

const spanIn = (text: string | undefined): Span => (Object.keys(SPANS) as Span[]).find((one) => one === text) ?? 'week'

/** Ends of the scrubber in ms: a quarter of it is past. It moves in steps, not with each second. */
function rangeOf(now: number, span: Span): { start: number; end: number; step: number } {
  const size = SPANS[span]
  const grid = size / 24
  const anchor = Math.floor(now / grid) * grid
  return { start: anchor - size / 4, end: anchor + (size * 3) / 4, step: Math.max(1000, size / 720) }
}
