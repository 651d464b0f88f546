import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { Icon } from '../../parts/icons.tsx'
import { useRowFocus } from '../../parts/table.tsx'
import { isRefused } from '../../parts/values.tsx'
import { windowOf } from '../../parts/window.ts'
import { dateTimeOf, localTimeOf, offsetOf } from '../../words/time.ts'
import { formatAddress, whyHref } from '../../world/address.ts'
import type { Row } from '../../world/chain.ts'
import { LANES } from '../../world/entries.ts'
import { isAtEnd as isEndSeen, news } from '../../world/timeline.ts'
import { titleOf } from '../index.ts'
import { wordsOf } from '../words.ts'
import { Content } from './cells.tsx'

const w = wordsOf('live')

const ROW_HEIGHT = 46
/** Narrower timelines have one lane, in which colours tell the entries apart; see live.css. */
const NARROW_PX = 704

/** What is in sight. */
interface View {
  /** Px above it; END at the newest line, where it follows new ones. */
  top: number
  height: number
  isNarrow: boolean
}
const END = Number.POSITIVE_INFINITY

/** Room for each lane; an empty one has little. */
const WIDTHS = ['0.8fr', '1.2fr', '1.25fr', '1.05fr']
const EMPTY_WIDTH = '1.6rem'

/** "3 new, 1 refused"; empty if nothing is. */
export function newsText(): string {
  const { all, refused } = news.value
  return [all > 0 && w.fresh(all), refused > 0 && w.refusals(refused)].filter(Boolean).join(', ')
}

function viewOf({ scrollTop, clientHeight, clientWidth, scrollHeight }: HTMLElement): View {
  const isAtEnd = scrollTop + clientHeight > scrollHeight - ROW_HEIGHT
  return { top: isAtEnd ? END : scrollTop, height: clientHeight, isNarrow: clientWidth < NARROW_PX }
}

/** The former view if it is the same: following new lines scrolls, which must not render them twice. */
const changed = (former: View, view: View): View =>
  view.top === former.top && view.height === former.height && view.isNarrow === former.isNarrow ? former : view

interface TimelineProps {
  rows: Row[]
  query: Record<string, string>
  /** Keys of the chain that is picked; the rest is faded. */
  picked: Set<string> | undefined
}

/** Four lanes on one clock: each line reads from cause to effect. The newest line is the last. */
export function Timeline({ rows: allRows, query, picked }: TimelineProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const [view, setView] = useState<View>({ top: END, height: 600, isNarrow: false })
  const isAtEnd = view.top === END
  const rows = view.isNarrow ? allRows.flatMap(splitRow) : allRows
  const { first, last } = windowOf(view.top, view.height, ROW_HEIGHT, rows.length)
  useRowFocus(scroller, rows.length, ROW_HEIGHT)
  const isEmpty = LANES.map((_, n) => !allRows.some(({ cells }) => cells[n]))
  const tracks = WIDTHS.map((width, n) => (isEmpty[n] ? EMPTY_WIDTH : `minmax(0, ${width})`)).join(' ')
  /** A timeline at its end stays there when its size changes. */
  const measure = (isResized: boolean) => {
    const { current } = scroller
    // The scroll event of an element may follow its removal.
    if (!current) return
    setView((previous) => {
      const view = viewOf(current)
      return changed(previous, isResized && previous.top === END ? { ...view, top: END } : view)
    })
  }
  const toEnd = () => scroller.current!.scrollTo({ top: rows.length * ROW_HEIGHT })
  useLayoutEffect(() => {
    if (isAtEnd) toEnd()
  }, [allRows, view.isNarrow, view.height])
  useEffect(() => {
    isEndSeen.value = isAtEnd
  }, [isAtEnd])
  useEffect(() => {
    const observer = new ResizeObserver(() => measure(true))
    observer.observe(scroller.current!)
    return () => {
      observer.disconnect()
      isEndSeen.value = true
    }
  }, [])
  return (
    <div class="table-frame">
      {!isAtEnd && <Button class="fresh small timeline-end" title={`↓ ${newsText() || w.toLatest}`} run={toEnd} />}
      <div
        class="table timeline"
        ref={scroller}
        onScroll={() => measure(false)}
        style={{ '--row': `${ROW_HEIGHT}px`, '--lanes': tracks }}
      >
        <div role="table" aria-label={titleOf('live')} aria-rowcount={rows.length + 1}>
          <div role="row" class="table-row table-head" aria-rowindex={1}>
            <div role="columnheader">{w.time}</div>
            {LANES.map((lane, n) => (
              <div key={lane} role="columnheader" data-lane={lane} title={w[lane]}>
                <span class={isEmpty[n] ? 'hidden' : undefined}>{w[lane]}</span>
              </div>
            ))}
          </div>
          <div role="rowgroup" class="table-body" style={{ height: `${rows.length * ROW_HEIGHT}px` }}>
            {rows.slice(first, last).map((row, n) => (
              <TimelineRow key={row.key} {...{ row, query, picked }} previous={rows[first + n - 1]} index={first + n} />
            ))}
          </div>
        </div>
      </div>
    </div>
  )
}

interface RowProps extends Omit<TimelineProps, 'rows'> {
  row: Row
  previous: Row | undefined
  index: number
}

function TimelineRow({ row, previous, index, query, picked }: RowProps) {
  const firstCell = row.cells.findIndex(Boolean)
  const shift = shiftOf(row)
  return (
    <div role="row" class="table-row" aria-rowindex={index + 2} style={{ top: `${index * ROW_HEIGHT}px` }}>
      <div role="cell" class="timeline-time" title={`${w.worldTime}: ${dateTimeOf(row.at)}`}>
        <time>{row.realAt ? localTimeOf(row.realAt) : '–'}</time>
        {/* Said once, until the clock of the world moves. */}
        {shift !== (previous ? shiftOf(previous) : '') && <span class="muted">{shift || '±0'}</span>}
      </div>
      {row.cells.map((entry, n) => (
        <div role="cell" key={LANES[n]} data-lane={LANES[n]}>
          {entry && (
            <a
              class="entry"
              href={formatAddress('live', [], { ...query, pick: query.pick === entry.key ? undefined : entry.key })}
              data-index={n === firstCell ? index : undefined}
              data-faded={picked !== undefined && !picked.has(entry.key)}
              aria-current={query.pick === entry.key ? 'true' : undefined}
            >
              <Content entry={entry} />
            </a>
          )}
          {entry?.event.type === 'request' && isRefused(entry.event.status) && (
            <a class="button small" href={whyHref(entry.event.id)} title={w.why}>
              <Icon name="assumptions" />
              <span class="hidden">
                {w.why} #{entry.event.id}
              </span>
            </a>
          )}
        </div>
      ))}
    </div>
  )
}

/** From real time to that of the world. */
const shiftOf = ({ at, realAt }: Row): string => (realAt ? offsetOf(at - realAt) : '')

/** One line for each entry. */
const splitRow = (row: Row): Row[] =>
  row.cells.flatMap((entry, lane) =>
    entry ? { ...row, key: entry.key, cells: row.cells.map((_, n) => (n === lane ? entry : undefined)) } : [],
  )
