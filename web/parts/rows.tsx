import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { words as w } from '../words/index.ts'
import type { ShownList } from '../world/use_pages.ts'
import { Button } from './button.tsx'
import { Show } from './feedback.tsx'
import { Table, type TableProps } from './table.tsx'

interface RowsProps<Row> {
  label: string
  rows: Row[]
  total: number
  /** Loads more rows; undefined if the page has as many as it may have. */
  onMore: (() => void) | undefined
  keyOf(row: Row): string | number
  children(row: Row): ComponentChildren
}

/** A short list whose rows have actions. */
export const Rows = <Row,>({ label, rows, total, onMore, keyOf, children }: RowsProps<Row>) => (
  <>
    <ul class="rows" aria-label={label}>
      {rows.map((row) => (
        <li key={keyOf(row)}>{children(row)}</li>
      ))}
    </ul>
    {rows.length < total && (
      <p class="row">
        <span class="muted">{w.ofTotal(rows.length, total)}</span>
        {onMore && <Button class="small" title={w.more} run={onMore} />}
      </p>
    )}
  </>
)

interface ListRowsProps<Row> extends Pick<RowsProps<Row>, 'label' | 'keyOf' | 'children'> {
  list: ShownList<Row>
  /** Shown instead of a list without rows. */
  none?: ComponentChildren
}

/** A list of the server in each of its states, as `Rows`. */
export const ListRows = <Row,>({ list, none, ...shown }: ListRowsProps<Row>) => (
  <Show loaded={list}>
    {({ rows, total }) =>
      none && rows.length === 0 ? none : <Rows rows={rows} total={total} onMore={list.onMore} {...shown} />
    }
  </Show>
)

interface ListTableProps<Row> extends Pick<TableProps<Row>, 'columns' | 'hrefOf' | 'openKey' | 'isTall'> {
  list: ShownList<Row>
  /** Shown instead of a list without rows. */
  empty: ComponentChildren
  /** The number of rows in words. */
  countOf?(total: number): string
}

/** A list of the server in each of its states, as a `Table`. */
export function ListTable<Row extends { id: string | number }>({
  list,
  empty,
  countOf,
  ...table
}: ListTableProps<Row>) {
  const { onMore, mayFollow, waiting, setHolding } = list
  const { openKey } = table
  useEffect(() => {
    if (openKey !== undefined && mayFollow(openKey)) onMore?.()
  }, [openKey, list.data?.rows.length])
  return (
    <Show loaded={list}>
      {({ rows, total }) =>
        rows.length === 0 ? (
          empty
        ) : (
          <Table
            {...table}
            rows={rows}
            total={total}
            keyOf={({ id }) => id}
            onEnd={onMore}
            waiting={waiting}
            onScrolledAway={setHolding}
            footer={!onMore && total > rows.length ? w.firstRows(rows.length, total) : countOf?.(total)}
          />
        )
      }
    </Show>
  )
}
