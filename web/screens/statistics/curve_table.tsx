import { type Column, Table } from '../../parts/table.tsx'
import { minuteOf, shortDayOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { formatAddress } from '../../world/address.ts'
import { address } from '../../world/navigation.ts'
import { words } from '../words.ts'
import { type Draft, KINDS, type Kind, type Row } from './series.ts'

interface CurveTableProps {
  rows: Row[]
  kind: Kind
  draft: Draft
  /** Start of the chosen interval. */
  open: string
}

/** The numbers of the chart, newest first. */
export function CurveTable({ rows, kind, draft, open }: CurveTableProps) {
  const w = words().statistics
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

function columns(kind: Kind, draft: Draft): Column<Row>[] {
  const w = words().statistics
  return [
    { title: w.at, width: '6rem', cell: ({ at }) => <time dateTime={at}>{`${shortDayOf(at)} ${minuteOf(at)}`}</time> },
    ...KINDS.map((name) => ({
      title: w[name].split(' ')[0]!,
      width: 'minmax(0, 1fr)',
      isNumber: true,
      cell: ({ at, totals }: Row) =>
        name === kind && draft.has(at) ? <b data-tone="warn">{number(draft.get(at)!)}</b> : number(totals[name]),
    })),
  ]
}
