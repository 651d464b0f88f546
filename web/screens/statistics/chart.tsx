import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Axes, Cursor, Now } from './chart_parts.tsx'
import { Curve, DraftCurve } from './curve.tsx'
import { type ChartProps, useDrawing } from './drawing.ts'
import { type Plot, totalTicks } from './scale.ts'
import { KINDS, UNIT_MS } from './series.ts'

/** Around the curves, px; on the left are the numbers. */
const MARGIN = { top: 20, right: 10, bottom: 26 }
const PX_OF_DIGIT = 8
/** The chart of few contacts is not all steps. */
const LEAST_TOP = 8

/** The curves. The table beside them has the same numbers. */
export function Chart(props: ChartProps) {
  const { label, rows, unit, kind, draft, index, onDraw, onKeyDown, onKeyUp } = props
  const [frame, size] = useSize()
  const { isDrawing, stop, ...listeners } = useDrawing(props, (event) => pointOf(event))
  const largest = useMemo(() => rows.reduce((max, { totals }) => Math.max(max, ...Object.values(totals)), 0), [rows])
  // The scale stays while the pointer draws: else the curve would run away from it.
  const ticks = useRef<number[]>([])
  if (!isDrawing) ticks.current = totalTicks(1.25 * Math.max(LEAST_TOP, largest, ...draft.values()), 5)
  const top = ticks.current.at(-1)!
  const left = PX_OF_DIGIT * (String(top).length + 1)
  const width = Math.max(0, size.width - left - MARGIN.right)
  const height = size.height - MARGIN.top - MARGIN.bottom
  const pointOf = ({ clientX, clientY }: PointerEvent) => {
    const box = frame.current!.getBoundingClientRect()
    const place = Math.floor(((clientX - box.left - left) / width) * rows.length)
    const total = (1 - (clientY - box.top - MARGIN.top) / height) * top
    return { index: Math.max(0, Math.min(rows.length - 1, place)), total: Math.min(top, total) }
  }
  const from = Date.parse(rows[0]!.at)
  const plot: Plot = { width, height, top, from, to: from + rows.length * UNIT_MS[unit] }
  // The chosen curve covers the others.
  const inOrder = KINDS.toSorted((a, b) => Number(a === kind) - Number(b === kind))
  return (
    <svg
      ref={frame}
      class="chart"
      role="application"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is used with the arrow keys
      tabIndex={0}
      aria-label={label}
      aria-describedby="chart-hint"
      data-drawable={onDraw !== undefined}
      onKeyDown={(event) => {
        stop()
        onKeyDown(event)
      }}
      onKeyUp={onKeyUp}
      onBlur={onKeyUp}
      {...listeners}
    >
      {width > 0 && (
        <g transform={`translate(${left} ${MARGIN.top})`}>
          <Axes plot={plot} totals={ticks.current} />
          {inOrder.map((name) => (
            <Curve key={name} plot={plot} rows={rows} name={name} isChosen={name === kind} />
          ))}
          <DraftCurve plot={plot} rows={rows} draft={draft} kind={kind} />
          <Now plot={plot} />
          <Cursor plot={plot} rows={rows} index={index} drawn={draft.get(rows[index]!.at)} />
        </g>
      )}
    </svg>
  )
}

/** Of an element in px; its style sheet decides. */
function useSize() {
  const frame = useRef<SVGSVGElement>(null)
  const [size, setSize] = useState({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => setSize(entry!.contentRect))
    observer.observe(frame.current!)
    return () => observer.disconnect()
  }, [])
  return [frame, size] as const
}
