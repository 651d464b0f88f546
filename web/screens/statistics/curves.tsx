import { useState } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { CopyButton } from '../../parts/code.tsx'
import { CopyAs } from '../../parts/copy_as.tsx'
import { Choices } from '../../parts/form.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { act, notify } from '../../parts/toasts.tsx'
import { callOf } from '../../snippets/call.ts'
import { minuteOf, shortDayOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { formatAddress } from '../../world/address.ts'
import { baseUrl, change } from '../../world/client.ts'
import { address, setQuery } from '../../world/navigation.ts'
import { canChange, isViewer } from '../../world/role.ts'
import { wordsOf } from '../words.ts'
import { Chart } from './chart.tsx'
import { Numbers, Readout } from './numbers.tsx'
import { changeOf, type Draft, type Drawn, KINDS, type Kind, NO_DRAFT, pointsOf, type Row } from './series.ts'

const w = wordsOf('statistics')

interface CurvesProps extends Omit<Drawn, 'draft'> {
  user: number
  /** End of the rows, if the person has chosen it. */
  to: string | undefined
  item: string | undefined
  /** Start of the chosen interval. */
  at: string | undefined
}

/** In the paths of the emulated API. */
const PATHS: Record<Kind, string> = { phone_view: 'phone_views', messaging_click: 'whatsapp', question: 'questions' }
/** Intervals that a call of the API can ask for. */
const MAX_LAST = 1000

/** The chart, in which one curve of a listing can be drawn, and its table. */
export function Curves({ rows, user, to, kind, unit, item, at }: CurvesProps) {
  const [draft, setDraft] = useState<Draft>(NO_DRAFT)
  const [hovered, setHovered] = useState<number>()
  /** The chosen interval while a key is down: browsers limit how often the address changes. */
  const [moved, setMoved] = useState<number>()
  const last = rows.length - 1
  const found = rows.findIndex((row) => row.at === at)
  const chosen = Math.min(moved ?? (found < 0 ? last : found), last)
  const index = Math.min(hovered ?? chosen, last)
  const isDrawable = canChange.value && item !== undefined && kind !== 'question'

  const drawn = { rows, unit, kind, draft }
  const pick = (n: number) => {
    setQuery({ at: rows[n]!.at })
    setMoved(undefined)
  }
  const move = (step: number) => setMoved(Math.max(0, Math.min(last, chosen + step)))
  const drop = () => setDraft(NO_DRAFT)
  const apply = () =>
    act(async () => {
      if (draft.size === 0 || item === undefined || kind === 'question') return
      const points = pointsOf(draft, rows, kind)
      const body = { kind, item_id: item, unit: unit === 'week' ? ('day' as const) : unit, points }
      const done = await change(w.apply, 'PUT /contacts/series', { body })
      notify(w.applied(number(done.added), number(done.removed)))
      drop()
    })
  const readingCall = {
    ...{ method: 'GET', headers: {}, body: null, user_id: user },
    path: `/${item ? `items/${item}` : `users/${user}`}/contacts/${PATHS[kind]}/time_window`,
    query: {
      last: String(Math.min(MAX_LAST, unit === 'week' ? 7 * rows.length : rows.length)),
      unit: unit === 'week' ? 'day' : unit,
      ...(to && { ending: new Date(Date.parse(to) - 1).toISOString() }),
    },
  }
  return (
    <div class="curves">
      <div class="card stack">
        <Legend kind={kind} row={rows[index]!} />
        <Chart
          {...drawn}
          index={index}
          label={`${w.chart}: ${w[kind]}`}
          onHover={setHovered}
          onPick={pick}
          onDraw={isDrawable ? setDraft : undefined}
        />
        <Readout {...drawn} row={rows[index]!} />
        <div class="row spread">
          {isDrawable && (
            <Numbers
              {...drawn}
              index={chosen}
              onDraft={setDraft}
              onMove={move}
              onMoved={() => moved !== undefined && pick(moved)}
              onApply={apply}
              onDrop={drop}
            />
          )}
          {draft.size > 0 && <Pending {...drawn} onDrop={drop} onApply={apply} />}
        </div>
        <Hint kind={kind} item={item} />
        <Nothing rows={rows} />
        <details class="stack">
          <summary>{w.copyCall}</summary>
          <CopyAs textOf={(language) => language.call(callOf(readingCall, baseUrl))} />
        </details>
      </div>
      <CurveTable {...drawn} open={rows[chosen]!.at} />
    </div>
  )
}

/** The numbers of the chart, newest first. */
function CurveTable({ rows, kind, draft, open }: Drawn & { open: string }) {
  const { screen, path, query } = address.value
  return (
    <section class="curve-table" aria-label={w.table}>
      <Table
        label={w.table}
        columns={columns(kind, draft)}
        rows={rows.toReversed()}
        keyOf={({ at }) => at}
        hrefOf={({ at }) => formatAddress(screen, path, { ...query, at })}
        openKey={open}
      />
    </section>
  )
}

const columns = (kind: Kind, draft: Draft): Column<Row>[] => [
  { title: w.at, width: '6rem', cell: ({ at }) => <time dateTime={at}>{`${shortDayOf(at)} ${minuteOf(at)}`}</time> },
  ...KINDS.map((name) => ({
    title: w[name].split(' ')[0]!,
    width: 'minmax(0, 1fr)',
    class: 'number' as const,
    cell: ({ at, totals }: Row) =>
      name === kind && draft.has(at) ? <b data-tone="warn">{number(draft.get(at)!)}</b> : number(totals[name]),
  })),
]

interface PendingProps extends Drawn {
  onDrop(): void
  onApply(): void
}

/** What the draft would change, and its buttons. */
function Pending({ rows, kind, draft, onDrop, onApply }: PendingProps) {
  const { added, removed } = changeOf(draft, rows, kind)
  return (
    <div class="row">
      <span>
        <Sample curve="draft" /> {w.pending(number(added), number(removed))}
      </span>
      <span class="row">
        <Button class="small" title={w.drop} run={onDrop} />
        <Button class="small primary" title={w.apply} run={onApply} />
      </span>
    </div>
  )
}

/** How to draw, or why nothing can be drawn. */
function Hint({ kind, item }: { kind: Kind; item: string | undefined }) {
  const text = isViewer.value
    ? w.readOnlyWhy
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
function Nothing({ rows }: { rows: Row[] }) {
  if (rows.some(({ totals }) => KINDS.some((name) => totals[name] > 0))) return null
  const command = `mercadito simulate --days 30 --url ${baseUrl}`
  return (
    <p class="row">
      {w.nothing}: <code>{command}</code> <CopyButton text={command} />
    </p>
  )
}

/** How a curve is drawn. */
const Sample = ({ curve }: { curve: Kind | 'draft' }) => (
  <svg class="sample" viewBox="0 0 28 8" aria-hidden="true">
    <path class="curve" data-curve={curve} data-chosen="true" d="M1 4h26" />
  </svg>
)

/** What each curve is, with its total in an interval; the chosen one can be drawn. */
const Legend = ({ kind, row }: { kind: Kind; row: Row }) => (
  <Choices
    label={w.kind}
    value={kind}
    options={KINDS.map((name) => [
      name,
      <>
        <Sample curve={name} /> {w[name]} <b>{number(row.totals[name])}</b>
      </>,
    ])}
    onValue={(name) => setQuery({ kind: name })}
  />
)
