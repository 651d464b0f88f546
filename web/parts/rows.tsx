import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { words } from '../words/index.ts'
import type { Loaded } from '../world/load.ts'
import { Button } from './button.tsx'
import { Show } from './feedback.tsx'
import { Table, type TableProps } from './table.tsx'

/** Elements of a list that is not paged further. */
const MAX_LIMIT = 1000

interface RowsProps<Row> {
  label: string
  page: { paging: { total: number; limit: number }; results: Row[] }
  keyOf(row: Row): string | number
  /** Loads more rows: as many as the argument. */
  onLimit(limit: number): void
  /** Shown instead of a list without rows. */
  none?: ComponentChildren
  children(row: Row): ComponentChildren
}

/** A short list whose rows have actions. */
export function Rows<Row>({ label, page: { paging, results }, keyOf, onLimit, none, children }: RowsProps<Row>) {
  const { total, limit } = paging
  const w = words()
  if (none && results.length === 0) return <>{none}</>
  return (
    <>
      <ul class="rows" aria-label={label}>
        {results.map((row) => (
          <li key={keyOf(row)}>{children(row)}</li>
        ))}
      </ul>
      {results.length < total && (
        <p class="row">
          <span class="muted">{w.ofTotal(results.length, total)}</span>
          {limit < MAX_LIMIT && (
            <Button class="small" title={w.more} run={() => onLimit(limit < 100 ? 100 : MAX_LIMIT)} />
          )}
        </p>
      )}
    </>
  )
}

interface LimitedTableProps<Row>
  extends Pick<RowsProps<Row>, 'onLimit'>,
    Omit<TableProps<Row>, 'rows' | 'total' | 'onEnd' | 'footer'> {
  loaded: Loaded<RowsProps<Row>['page']>
  /** Shown instead of a list without rows. */
  empty: ComponentChildren
  /** The number of rows in words. */
  countOf(total: number): string
}

/** A long list by id, which is read whole up to a limit. */
export function LimitedTable<Row>({ loaded, onLimit, empty, countOf, ...table }: LimitedTableProps<Row>) {
  const { openKey, keyOf } = table
  const { paging: { total, limit } = { total: 0, limit: 0 }, results = [] } = loaded.data ?? {}
  const isPart = results.length < total
  const more = () => isPart && limit < MAX_LIMIT && onLimit(MAX_LIMIT)
  useEffect(() => {
    if (openKey !== undefined && !results.some((row) => keyOf(row) === openKey)) more()
  }, [openKey, isPart])
  const footer = isPart && limit === MAX_LIMIT ? words().firstRows(results.length, total) : countOf(total)
  return (
    <Show loaded={loaded}>
      {() => (total === 0 ? empty : <Table {...table} rows={results} total={total} onEnd={more} footer={footer} />)}
    </Show>
  )
}
