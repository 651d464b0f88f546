import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { words } from '../words/index.ts'
import { useKeys } from './keys.ts'
import { useRowFocus } from './row_focus.ts'
import { windowOf } from './window.ts'

export interface Column<Row> {
  title: string
  /** A track of a CSS grid, such as `6rem` or `minmax(8rem, 1fr)`. */
  width: string
  /** Left out where the table is narrow. */
  isWide?: boolean
  isNumber?: boolean
  cell(row: Row): ComponentChildren
}

export interface TableProps<Row> {
  label: string
  columns: Column<Row>[]
  rows: Row[]
  keyOf(row: Row): string | number
  /** Address that a row opens. The first column is its link. */
  hrefOf(row: Row): string
  /** Key of the row that is open beside the table. */
  openKey?: string | number | undefined
  /** All rows, also those that were not loaded. */
  total?: number | undefined
  /** Loads further rows; called near the end. */
  onEnd?: (() => void) | undefined
  /** Whether the first rows are out of sight, so that new ones must wait. */
  onScrolledAway?: (isAway: boolean) => void
  /** New rows that are shown when the person returns to the top. */
  waiting?: number
  rowHeight?: number | undefined
}

/**
 * A list of any length: only the rows in sight are in the document, which a table element could not lay out. `j` and `k`
 * move the focus, Enter opens.
 */
export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, keyOf, total = rows.length, onEnd, onScrolledAway, waiting = 0, rowHeight = 36 } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 600 })
  const { first, last } = windowOf(view.top, view.height, rowHeight, rows.length)
  const move = useRowFocus(scroller, rows.length, rowHeight)
  const w = words()
  useKeys([
    { keys: 'j', title: w.nextRow, run: () => move(1) },
    { keys: 'k', title: w.previousRow, run: () => move(-1) },
  ])

  const measure = () => {
    // The scroll event of an element may follow its removal.
    if (!scroller.current) return
    const { scrollTop, clientHeight } = scroller.current
    setView({ top: scrollTop, height: clientHeight })
    onScrolledAway?.(scrollTop > rowHeight / 2)
    if (scrollTop + 2 * clientHeight > rows.length * rowHeight) onEnd?.()
  }
  useLayoutEffect(() => {
    const observer = new ResizeObserver(measure)
    observer.observe(scroller.current!)
    return () => observer.disconnect()
  }, [])

  const tracks = (isNarrow: boolean) =>
    columns.flatMap(({ width, isWide }) => (isNarrow && isWide ? [] : width)).join(' ')
  return (
    <div class="table-frame">
      {waiting > 0 && (
        <button type="button" class="fresh small" onClick={() => scroller.current!.scrollTo({ top: 0 })}>
          ↑ {w.fresh(waiting)}
        </button>
      )}
      <div
        class="table"
        ref={scroller}
        onScroll={measure}
        style={{ '--tracks': tracks(false), '--narrow-tracks': tracks(true), '--row': `${rowHeight}px` }}
      >
        <div role="table" aria-label={label} aria-rowcount={total + 1}>
          <div role="row" class="table-row table-head" aria-rowindex={1}>
            {columns.map(({ title, isWide, isNumber }) => (
              <div role="columnheader" key={title} class={cellClass(isWide, isNumber)}>
                {title}
              </div>
            ))}
          </div>
          <div role="rowgroup" class="table-body" style={{ height: `${rows.length * rowHeight}px` }}>
            {rows.slice(first, last).map((row, n) => (
              <TableRow key={keyOf(row)} {...props} row={row} index={first + n} />
            ))}
          </div>
        </div>
      </div>
    </div>
  )
}

const cellClass = (isWide?: boolean, isNumber?: boolean) => `${isWide ? 'wide ' : ''}${isNumber ? 'number' : ''}`

function TableRow<Row>({
  columns,
  row,
  index,
  keyOf,
  hrefOf,
  openKey,
  rowHeight = 36,
}: TableProps<Row> & { row: Row; index: number }) {
  const isOpen = openKey !== undefined && keyOf(row) === openKey
  return (
    <div
      role="row"
      class="table-row"
      aria-rowindex={index + 2}
      style={{ top: `${index * rowHeight}px` }}
      data-open={isOpen}
    >
      {columns.map(({ title, isWide, isNumber, cell }, n) => (
        <div role="cell" key={title} class={cellClass(isWide, isNumber)}>
          {n > 0 ? (
            cell(row)
          ) : (
            <a href={hrefOf(row)} data-index={index} aria-current={isOpen ? 'true' : undefined}>
              {cell(row)}
            </a>
          )}
        </div>
      ))}
    </div>
  )
}
