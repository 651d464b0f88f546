import type { ComponentChildren } from 'preact'
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { words as w } from '../words/index.ts'
import { formatAddress } from '../world/address.ts'
import { address } from '../world/navigation.ts'
import { Button } from './button.tsx'
import { useKeys } from './keys.ts'
import { ScreenTitle } from './page.tsx'
import { neighbours } from './split.tsx'
import { windowOf } from './window.ts'

export interface Column<Row> {
  title: string
  /** A track of a CSS grid, such as `6rem` or `minmax(8rem, 1fr)`. */
  width: string
  /** `wide`: left out where the table is narrow. */
  class?: 'wide' | 'number' | 'wide number'
  cell(row: Row): ComponentChildren
}

export interface TableProps<Row> {
  /** Default: the title of the screen. */
  label?: string
  columns: Column<Row>[]
  rows: Row[]
  keyOf(row: Row): string | number
  /**
   * Address that a row opens. The first column is its link. Undefined: the row only separates others. Default: that of its
   * key, with the filters.
   */
  hrefOf?: ((row: Row) => string | undefined) | undefined
  /** Key of the row that is open beside the table. */
  openKey?: string | number | undefined
  /** All rows, also those that were not loaded. */
  total?: number | undefined
  /** Loads further rows; called near the end. */
  onEnd?: (() => void) | undefined
  /** Whether the first rows are out of sight, so that new ones must wait. */
  onScrolledAway?: ((isAway: boolean) => void) | undefined
  /** New rows that are shown when the person returns to the top. */
  waiting?: number | undefined
  /** Rows of two lines. */
  isTall?: boolean | undefined
  /** Below the rows, such as their number. */
  footer?: ComponentChildren
}

/**
 * A list of any length: only the rows in sight are in the document, which a table element could not lay out. `j` and `k`
 * move the focus, Enter opens.
 */
export function Table<Row>(props: TableProps<Row>) {
  const { columns, rows, keyOf, total = rows.length, onEnd, onScrolledAway, waiting = 0, openKey, footer } = props
  const { screen, query } = address.value
  const { hrefOf = (row: Row) => formatAddress(screen, [keyOf(row)], query) } = props
  const rowHeight = props.isTall ? 56 : 36
  const title = useContext(ScreenTitle)
  const scroller = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 600 })
  const { first, last } = windowOf(view.top, view.height, rowHeight, rows.length)
  useRowFocus(scroller, rows.length, rowHeight)
  const place = openKey === undefined ? -1 : rows.findIndex((row) => keyOf(row) === openKey)
  const hrefIn = (others: Row[]) => others.map(hrefOf).find((href) => href !== undefined)
  const previous = place < 0 ? undefined : hrefIn(rows.slice(Math.max(0, place - 5), place).reverse())
  const next = place < 0 ? undefined : hrefIn(rows.slice(place + 1, place + 6))
  useEffect(() => {
    neighbours.value = { previous, next }
  }, [previous, next])
  useEffect(
    () => () => {
      neighbours.value = {}
    },
    [],
  )
  useLayoutEffect(() => {
    const { scrollTop, clientHeight } = scroller.current!
    const top = place * rowHeight
    // What is in sight stays there.
    if (place >= 0 && (top < scrollTop || top + 2 * rowHeight > scrollTop + clientHeight))
      scroller.current!.scrollTop = top - clientHeight / 3
  }, [openKey, place >= 0])

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
    columns.flatMap(({ width, class: kind }) => (isNarrow && kind?.includes('wide') ? [] : width)).join(' ')
  return (
    <>
      <div class="table-frame">
        {waiting > 0 && (
          <Button
            class="fresh small"
            title={`↑ ${w.fresh(waiting)}`}
            run={() => scroller.current!.scrollTo({ top: 0 })}
          />
        )}
        <div
          class="table"
          ref={scroller}
          onScroll={measure}
          style={{ '--tracks': tracks(false), '--narrow-tracks': tracks(true), '--row': `${rowHeight}px` }}
        >
          <div role="table" aria-label={props.label ?? title} aria-rowcount={total + 1}>
            <div role="row" class="table-row table-head" aria-rowindex={1}>
              {columns.map(({ title, class: kind }) => (
                <div role="columnheader" key={title} class={kind}>
                  {title}
                </div>
              ))}
            </div>
            <div role="rowgroup" class="table-body" style={{ height: `${rows.length * rowHeight}px` }}>
              {rows.slice(first, last).map((row, n) => (
                <TableRow
                  key={keyOf(row)}
                  {...{ row, rowHeight, columns }}
                  index={first + n}
                  href={hrefOf(row)}
                  isOpen={openKey !== undefined && keyOf(row) === openKey}
                />
              ))}
            </div>
          </div>
        </div>
      </div>
      {footer && <p class="list-footer">{footer}</p>}
    </>
  )
}

interface RowProps<Row> {
  row: Row
  columns: Column<Row>[]
  index: number
  rowHeight: number
  href: string | undefined
  isOpen: boolean
}

const TableRow = <Row,>({ row, columns, index, rowHeight, href, isOpen }: RowProps<Row>) => (
  <div
    role="row"
    class="table-row"
    aria-rowindex={index + 2}
    style={{ top: `${index * rowHeight}px` }}
    data-open={isOpen}
  >
    {columns.map(({ title, class: kind, cell }, n) => (
      <div role="cell" key={title} class={kind}>
        {n > 0 ? (
          cell(row)
        ) : (
          <a
            {...(href === undefined ? { tabIndex: -1, class: 'separator' } : { href })}
            data-index={index}
            aria-current={isOpen ? 'true' : undefined}
          >
            {cell(row)}
          </a>
        )}
      </div>
    ))}
  </div>
)

/** Binds `j` and `k`, which move the focus to the next and the previous row. */
export function useRowKeys(move: (step: 1 | -1) => void): void {
  useKeys([
    { keys: 'j', title: w.nextRow, run: () => move(1) },
    { keys: 'k', title: w.previousRow, run: () => move(-1) },
  ])
}

/** Binds `j` and `k` for a table, which scrolls to the row in focus. */
export function useRowFocus(scroller: { current: HTMLDivElement | null }, count: number, rowHeight: number) {
  const position = useRef(-1)
  useRowKeys((step) => {
    const { current } = scroller
    const focused = (document.activeElement as HTMLElement | null)?.dataset.index
    const next = Math.max(0, Math.min(count - 1, Number(focused ?? position.current) + step))
    if (!current || count === 0) return
    position.current = next
    const top = next * rowHeight
    if (top < current.scrollTop) current.scrollTop = top
    else if (top + 2 * rowHeight > current.scrollTop + current.clientHeight)
      current.scrollTop = top + 2 * rowHeight - current.clientHeight
    // The row is rendered after the scroll event.
    const focus = () => current.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus({ preventScroll: true })
    requestAnimationFrame(() => requestAnimationFrame(focus))
  })
}
