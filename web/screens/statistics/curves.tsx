import { useState } from 'preact/hooks'
import { attempt, notify } from '../../parts/toasts.tsx'
import { number } from '../../words/words.ts'
import { change } from '../../world/client.ts'
import { setQuery } from '../../world/navigation.ts'
import { canChange } from '../../world/role.ts'
import { words } from '../words.ts'
import { Chart } from './chart.tsx'
import { Hint, Nothing, Pending, Readout } from './chart_texts.tsx'
import { CurveTable } from './curve_table.tsx'
import { Legend } from './legend.tsx'
import { type Draft, type Kind, NO_DRAFT, type Row, totalOf, type Unit, withLine } from './series.ts'

interface CurvesProps {
  rows: Row[]
  kind: Kind
  unit: Unit
  item: string | undefined
  /** Start of the chosen interval. */
  at: string | undefined
  again(): void
}

/** The chart, in which one curve of a listing can be drawn, and its table. */
export function Curves({ rows, kind, unit, item, at, again }: CurvesProps) {
  const w = words().statistics
  const [draft, setDraft] = useState<Draft>(NO_DRAFT)
  const [hovered, setHovered] = useState<number>()
  /** The chosen interval while a key is down: browsers limit how often the address changes. */
  const [moved, setMoved] = useState<number>()
  const last = rows.length - 1
  const found = rows.findIndex((row) => row.at === at)
  const chosen = Math.min(moved ?? (found < 0 ? last : found), last)
  const index = Math.min(hovered ?? chosen, last)
  const isDrawable = canChange.value && item !== undefined && kind !== 'question'

  const pick = (n: number) => {
    setQuery({ at: rows[n]!.at })
    setMoved(undefined)
  }
  const move = (step: number) => setMoved(Math.max(0, Math.min(last, chosen + step)))
  const raise = (step: number) => {
    const point = { index: chosen, total: totalOf(draft, rows[chosen]!, kind) + step }
    setDraft(withLine(draft, rows, kind, point, point))
  }
  const drop = () => setDraft(NO_DRAFT)
  const apply = () =>
    attempt(async () => {
      if (draft.size === 0 || item === undefined || kind === 'question') return
      const points = rows.flatMap(({ at }) => (draft.has(at) ? { at, total: draft.get(at)! } : []))
      const done = await change(w.apply, 'PUT /contacts/series', { body: { kind, item_id: item, unit, points } })
      notify(w.applied(number(done.added), number(done.removed)))
      drop()
      again()
    }).catch(() => {})
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.shiftKey ? 10 : 1
    const actions: Record<string, () => void> = {
      ArrowLeft: () => move(-step),
      ArrowRight: () => move(step),
      ...(isDrawable && {
        ArrowUp: () => raise(step),
        ArrowDown: () => raise(-step),
        Enter: () => void apply(),
        Escape: drop,
      }),
    }
    const action = actions[event.key]
    if (!action) return
    event.preventDefault()
    setHovered(undefined)
    action()
  }
  return (
    <div class="curves">
      <div class="card stack">
        <Legend kind={kind} row={rows[index]!} />
        <Chart
          {...{ rows, unit, kind, draft, index, onKeyDown }}
          label={`${w.chart}: ${w[kind]}`}
          onKeyUp={() => moved !== undefined && pick(moved)}
          onHover={setHovered}
          onPick={pick}
          onDraw={isDrawable ? setDraft : undefined}
        />
        <div class="row spread">
          <Readout row={rows[index]!} unit={unit} kind={kind} draft={draft} />
          {draft.size > 0 && <Pending rows={rows} kind={kind} draft={draft} onDrop={drop} onApply={apply} />}
        </div>
        <Hint kind={kind} item={item} />
        <Nothing rows={rows} />
      </div>
      <CurveTable rows={rows} kind={kind} draft={draft} open={rows[chosen]!.at} />
    </div>
  )
}
