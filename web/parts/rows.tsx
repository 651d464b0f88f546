import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { words as w } from '../words/index.ts'
import type { ShownList } from '../world/use_pages.ts'
import { Button } from './button.tsx'
import { Show } from './feedback.tsx'
import { Table, type TableProps } from './table.tsx'

interface RowsProps<Row> {
  label: string
  list: Omit<ShownList<Row>, 'mayFollow'>
  keyOf(row: Row): string | number
  /** Shown instead of a list without rows. */
  none?: ComponentChildren
  children(row: Row): ComponentChildren
}

/** A short list whose rows have actions. */
export const Rows = <Row,>({ label, list, keyOf, none, children }: RowsProps<Row>) => (
  <Show loaded={list}>
    {({ rows, total }) =>
      none && rows.length === 0 ? (
        none
      ) : (
        <>
          <ul class="rows" aria-label={label}>
            {rows.map((row) => (
              <li key={keyOf(row)}>{children(row)}</li>
            ))}
          </ul>
          {rows.length < total && (
            <p class="row">
              <span class="muted">{w.ofTotal(rows.length, total)}</span>
              {rows.length < list.max && <Button class="small" title={w.more} run={list.onEnd} />}
            </p>
          )}
        </>
      )
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

/** A list of the server in each of its states: loading, error, empty, rows. */
export function ListTable<Row extends { id: string | number }>({
  list,
  empty,
  countOf,
  ...table
}: ListTableProps<Row>) {
  const { onEnd, max, mayFollow, waiting, setHolding } = list
  const { openKey } = table
  useEffect(() => {
    if (openKey !== undefined && mayFollow(openKey)) onEnd()
  }, [openKey, list.data?.rows.length])
  return (
    <Show loaded={list}>
      {({ rows, total }) =>
        rows.length === 0 ? (
          empty
        ) : (
          <Table
            {...{ ...table, rows, total, onEnd, waiting }}
            keyOf={({ id }) => id}
            onScrolledAway={setHolding}
            footer={rows.length >= max && total > rows.length ? w.firstRows(rows.length, total) : countOf?.(total)}
          />
        )
      }
    </Show>
  )
}
