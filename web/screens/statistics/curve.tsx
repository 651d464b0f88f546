import { useMemo } from 'preact/hooks'
import { type Plot, pathOf } from './scale.ts'
import { type Draft, type Kind, type Row, totalOf } from './series.ts'

interface CurveProps {
  plot: Plot
  rows: Row[]
  name: Kind
  isChosen: boolean
}

export function Curve({ plot, rows, name, isChosen }: CurveProps) {
  const { width, height, top } = plot
  // A drawing pointer renders the chart again and again.
  const path = useMemo(
    () =>
      pathOf(
        rows.map(({ totals }) => totals[name]),
        plot,
      ),
    [rows, width, height, top],
  )
  return <path class="curve" data-curve={name} data-chosen={isChosen} d={path} />
}

interface DraftCurveProps {
  plot: Plot
  rows: Row[]
  draft: Draft
  kind: Kind
}

/** The totals of the draft, and those next to them: a single interval would be no line. */
export function DraftCurve({ plot, rows, draft, kind }: DraftCurveProps) {
  const isNear = (n: number) => [n - 1, n, n + 1].some((index) => draft.has(rows[index]?.at ?? ''))
  const totals = rows.map((row, n) => (isNear(n) ? totalOf(draft, row, kind) : undefined))
  return <path class="curve" data-curve="draft" d={pathOf(totals, plot)} />
}
