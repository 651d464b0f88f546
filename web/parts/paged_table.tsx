import type { ComponentChildren } from 'preact'
import { words } from '../words/index.ts'
import { MAX_ENTRIES } from '../world/pages.ts'
import type { ShownPages } from '../world/use_pages.ts'
import { ErrorPanel, Skeleton } from './feedback.tsx'
import { Table, type TableProps } from './table.tsx'

interface PagedTableProps<Row extends { id: number }>
  extends Pick<TableProps<Row>, 'label' | 'columns' | 'hrefOf' | 'openKey' | 'rowHeight'> {
  pages: ShownPages<Row>
  /** Shown instead of a list without rows. */
  empty: ComponentChildren
}

/** A list of the server in each of its states: loading, error, empty, rows. */
export function PagedTable<Row extends { id: number }>({ pages, empty, ...table }: PagedTableProps<Row>) {
  const { data, error, again, waiting, onEnd, setHolding } = pages
  return (
    <>
      {error && <ErrorPanel error={error} again={again} />}
      {data === undefined ? (
        !error && <Skeleton />
      ) : data.rows.length === 0 ? (
        empty
      ) : (
        <>
          <Table
            {...table}
            rows={data.rows}
            total={data.total}
            keyOf={({ id }) => id}
            onEnd={onEnd}
            onScrolledAway={setHolding}
            waiting={waiting}
          />
          {data.rows.length >= MAX_ENTRIES && data.total > data.rows.length && (
            <p class="list-footer">{words().firstRows(data.rows.length, data.total)}</p>
          )}
        </>
      )}
    </>
  )
}
