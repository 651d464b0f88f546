import { CopyButton } from '../../parts/code.tsx'
import { words as common } from '../../words/index.ts'
import { dayOf, minuteOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { baseUrl } from '../../world/client.ts'
import { isViewer } from '../../world/role.ts'
import { words } from '../words.ts'
import { Sample } from './legend.tsx'
import { changeOf, type Draft, KINDS, type Kind, type Row, type Unit } from './series.ts'

interface CurveProps {
  kind: Kind
  draft: Draft
}

/** `lun 2 mar 2026 11:00 · Vistas de teléfono: 23 → 34` */
export function Readout({ row: { at, totals }, unit, kind, draft }: CurveProps & { row: Row; unit: Unit }) {
  const total = draft.get(at)
  return (
    <output>
      <time dateTime={at}>{unit === 'day' ? dayOf(at) : `${dayOf(at)} ${minuteOf(at)}`}</time> ·{' '}
      {words().statistics[kind]}: {number(totals[kind])}
      {total !== undefined && <b data-tone="warn"> → {number(total)}</b>}
    </output>
  )
}

interface PendingProps extends CurveProps {
  rows: Row[]
  onDrop(): void
  onApply(): void
}

/** What the draft would change, and its buttons. */
export function Pending({ rows, kind, draft, onDrop, onApply }: PendingProps) {
  const w = words().statistics
  const { added, removed } = changeOf(draft, rows, kind)
  return (
    <div class="row">
      <span>
        <Sample curve="draft" /> {w.pending(number(added), number(removed))}
      </span>
      <span class="row">
        <button type="button" class="small" onClick={onDrop}>
          {w.drop}
        </button>
        <button type="button" class="small primary" onClick={onApply}>
          {w.apply}
        </button>
      </span>
    </div>
  )
}

/** How to draw, or why nothing can be drawn. */
export function Hint({ kind, item }: { kind: Kind; item: string | undefined }) {
  const w = words().statistics
  const text = isViewer.value
    ? common().readOnlyWhy
    : kind === 'question'
      ? w.drawKind
      : item === undefined
        ? w.drawItem
        : w.drawHint
  return (
    <p class="muted" id="chart-hint">
      {text}
    </p>
  )
}

/** Where all curves are empty: what would fill them. */
export function Nothing({ rows }: { rows: Row[] }) {
  if (rows.some(({ totals }) => KINDS.some((name) => totals[name] > 0))) return null
  const command = `mercadito simulate --days 30 --url ${baseUrl}`
  return (
    <p class="row">
      {words().statistics.nothing}: <code>{command}</code> <CopyButton text={command} />
    </p>
  )
}
