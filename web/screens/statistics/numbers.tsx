import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { dayOf, minuteOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { wordsOf } from '../words.ts'
import { type Draft, type Drawn, NO_DRAFT, type Row, totalOf, type Unit, withNumbers } from './series.ts'

const w = wordsOf('statistics')

/** `lun 2 mar 2026 11:00 · Vistas de teléfono: 23 → 34` */
export function Readout({ row, unit, kind, draft }: Omit<Drawn, 'rows'> & { row: Row }) {
  const { at, totals } = row
  const total = draft.get(at)
  return (
    <output>
      <time dateTime={at}>{placeOf(row, unit)}</time> · {w[kind]}: {number(totals[kind])}
      {total !== undefined && <b data-tone="warn"> → {number(total)}</b>}
    </output>
  )
}

interface NumbersProps extends Drawn {
  index: number
  onDraft(draft: Draft): void
  onMove(step: number): void
  /** A key that moved was released. */
  onMoved(): void
  onApply(): void
  onDrop(): void
}

/** The number of an interval, to type; several are those of the next ones, too. The arrows move as in the table. */
export function Numbers({ rows, unit, kind, draft, index, ...on }: NumbersProps) {
  const row = rows[index]!
  /** The draft without what is typed now. */
  const before = useRef(draft)
  const [typed, setTyped] = useState<string>()
  // Before the next key.
  useLayoutEffect(() => {
    before.current = draft
    setTyped(undefined)
  }, [index])
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (step !== undefined) on.onMove(event.shiftKey ? 10 * step : step)
    else if (event.key === 'Enter' || event.key === 'Escape') {
      setTyped(undefined)
      before.current = NO_DRAFT
      if (event.key === 'Enter') on.onApply()
      else on.onDrop()
    } else return
    event.preventDefault()
  }
  const text = typed ?? String(totalOf(draft, row, kind))
  return (
    <label class="select">
      <span>
        <span class="hidden">{placeOf(row, unit)} · </span>
        {w[kind]}
      </span>
      <input
        inputMode="numeric"
        autocomplete="off"
        size={12}
        value={text}
        aria-invalid={withNumbers(draft, { rows, kind }, index, text) === undefined}
        aria-describedby="chart-hint"
        onFocus={({ currentTarget }) => {
          before.current = draft
          currentTarget.select()
        }}
        onInput={({ currentTarget: { value } }) => {
          setTyped(value)
          on.onDraft(withNumbers(before.current, { rows, kind }, index, value) ?? before.current)
        }}
        onKeyDown={onKeyDown}
        onKeyUp={on.onMoved}
        onBlur={() => {
          setTyped(undefined)
          on.onMoved()
        }}
      />
    </label>
  )
}

/** `lun 2 mar 2026 11:00` */
const placeOf = ({ at }: Row, unit: Unit): string => (unit === 'hour' ? `${dayOf(at)} ${minuteOf(at)}` : dayOf(at))
