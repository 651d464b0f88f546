import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { minuteOf, shortDayOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { worldNow } from '../../world/clock.ts'
import { wordsOf } from '../words.ts'
import { type Plot, pathOf, placeOf, timeTicks, totalTicks, yOf } from './scale.ts'
import { type Draft, type Drawn, KINDS, type Kind, type Point, type Row, totalOf, UNIT_MS, withLine } from './series.ts'

const w = wordsOf('statistics')

/** Around the curves, px; on the left are the numbers. */
const MARGIN = { top: 20, right: 10, bottom: 26 }
const PX_OF_DIGIT = 8
/** The chart of few contacts is not all steps. */
const LEAST_TOP = 8

/** The curves. The table beside them has the same numbers. */
export function Chart(props: ChartProps) {
  const { label, rows, unit, kind, draft, index, onDraw } = props
  const [frame, size] = useSize()
  const { isDrawing, ...listeners } = useDrawing(props, (event) => pointOf(event))
  const largest = useMemo(() => rows.reduce((max, { totals }) => Math.max(max, ...Object.values(totals)), 0), [rows])
  const highest = Math.max(LEAST_TOP, largest, ...draft.values())
  // While the pointer draws the scale only grows: else the curve would run away from it.
  const ticks = useRef<number[]>([0])
  if (!isDrawing || highest > ticks.current.at(-1)!) ticks.current = totalTicks(1.25 * highest, 5)
  const top = ticks.current.at(-1)!
  const left = PX_OF_DIGIT * (String(top).length + 1)
  const width = Math.max(0, size.width - left - MARGIN.right)
  const height = size.height - MARGIN.top - MARGIN.bottom
  const pointOf = ({ clientX, clientY }: PointerEvent) => {
    const box = frame.current!.getBoundingClientRect()
    const place = Math.floor(((clientX - box.left - left) / width) * rows.length)
    const total = (1 - (clientY - box.top - MARGIN.top) / height) * top
    return { index: Math.max(0, Math.min(rows.length - 1, place)), total }
  }
  const from = Date.parse(rows[0]!.at)
  const plot: Plot = { width, height, top, from, to: from + rows.length * UNIT_MS[unit] }
  // The chosen curve covers the others.
  const inOrder = KINDS.toSorted((a, b) => Number(a === kind) - Number(b === kind))
  return (
    <svg
      ref={frame}
      class="chart"
      role="img"
      aria-label={label}
      aria-describedby="chart-hint"
      data-drawable={onDraw !== undefined}
      {...listeners}
    >
      {width > 0 && (
        <g transform={`translate(${left} ${MARGIN.top})`}>
          <Axes plot={plot} totals={ticks.current} />
          {inOrder.map((name) => (
            <Curve key={name} plot={plot} rows={rows} name={name} isChosen={name === kind} />
          ))}
          <DraftCurve plot={plot} {...props} />
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

/** Px that the label of an instant needs. */
const PX_OF_INSTANT = 72
const DAY_MS = 86_400_000

const xOf = ({ width, from, to }: Plot, at: number): number => ((at - from) / (to - from)) * width

const Axes = ({ plot, totals }: { plot: Plot; totals: number[] }) => (
  <g class="axes">
    {totals.map((total) => (
      <g key={total} transform={`translate(0 ${yOf(plot, total)})`}>
        <path d={`M0 0H${plot.width}`} />
        <text x={-8} dy="0.35em">
          {number(total)}
        </text>
      </g>
    ))}
    {timeTicks(plot.from, plot.to, plot.width / PX_OF_INSTANT).map((at) => (
      <g key={at} transform={`translate(${xOf(plot, at)} ${plot.height})`}>
        <path d="M0 0v5" />
        <text y={20} text-anchor="middle">
          {at % DAY_MS === 0 ? shortDayOf(at) : minuteOf(at)}
        </text>
      </g>
    ))}
  </g>
)

/** Moves while the clock of the world runs. */
function Now({ plot }: { plot: Plot }) {
  const { value: now } = worldNow
  if (now === undefined || now < plot.from || now > plot.to) return null
  return (
    <g class="now" transform={`translate(${xOf(plot, now)} 0)`}>
      <path d={`M0 -4V${plot.height}`} />
      <text y={-8}>{w.now}</text>
    </g>
  )
}

interface CursorProps {
  plot: Plot
  rows: Row[]
  index: number
  /** What was drawn there. */
  drawn: number | undefined
}

/** A line at the interval whose numbers are shown, with a dot on each curve. */
function Cursor({ plot, rows, index, drawn }: CursorProps) {
  const { totals } = rows[index]!
  return (
    <g class="cursor" transform={`translate(${placeOf(index, rows.length, plot.width)} 0)`}>
      <path d={`M0 0V${plot.height}`} />
      {KINDS.map((name) => (
        <circle key={name} data-curve={name} cy={yOf(plot, totals[name])} r={3.5} />
      ))}
      {drawn !== undefined && <circle data-curve="draft" cy={yOf(plot, drawn)} r={5} />}
    </g>
  )
}

interface CurveProps {
  plot: Plot
  rows: Row[]
  name: Kind
  isChosen: boolean
}

function Curve({ plot, rows, name, isChosen }: CurveProps) {
  const { width, height, top } = plot
  // A drawing pointer renders the chart again and again.
  const path = useMemo(
    () =>
      pathOf(
        rows.map(({ totals }) => totals[name]),
        plot,
      ),
    [rows, width, height, top],
  )
  return <path class="curve" data-curve={name} data-chosen={isChosen} d={path} />
}

/** The totals of the draft, and those next to them: a single interval would be no line. */
function DraftCurve({ plot, rows, draft, kind }: Drawn & { plot: Plot }) {
  const isNear = (n: number) => [n - 1, n, n + 1].some((index) => draft.has(rows[index]?.at ?? ''))
  const totals = rows.map((row, n) => (isNear(n) ? totalOf(draft, row, kind) : undefined))
  return <path class="curve" data-curve="draft" d={pathOf(totals, plot)} />
}

/** A chart of curves that the pointer can draw. */
interface ChartProps extends Drawn {
  label: string
  /** The interval whose numbers are shown. */
  index: number
  /** The interval under the pointer. */
  onHover(index: number | undefined): void
  /** The interval that the pointer has chosen. */
  onPick(index: number): void
  /** The pointer has drawn. Undefined if nothing can be drawn. */
  onDraw: ((draft: Draft) => void) | undefined
}

/** Draws with mouse, pen or finger: listeners of the chart. */
function useDrawing(
  { rows, kind, draft, onHover, onPick, onDraw }: ChartProps,
  pointOf: (event: PointerEvent) => Point,
) {
  /** Where the pointer is, and the draft before it drew. */
  const [stroke, setStroke] = useState<{ point: Point; before: Draft }>()
  const stop = () => setStroke(undefined)
  const drawTo = (point: Point, { point: last, before } = { point, before: draft }) => {
    onDraw?.(withLine(draft, { rows, kind }, last, point))
    setStroke({ point, before })
  }
  // A second finger draws nothing.
  const on = (run: (event: PointerEvent) => void) => (event: PointerEvent) => event.isPrimary && run(event)
  return {
    isDrawing: stroke !== undefined,
    onPointerDown: on((event) => {
      if (!onDraw || event.button !== 0) return
      ;(event.currentTarget as Element).setPointerCapture(event.pointerId)
      drawTo(pointOf(event))
    }),
    onPointerMove: on((event) => {
      const point = pointOf(event)
      onHover(point.index)
      if (stroke) drawTo(point, stroke)
    }),
    onPointerUp: on((event) => {
      onPick(pointOf(event).index)
      stop()
    }),
    // The finger scrolls the page.
    onPointerCancel: on(() => {
      if (stroke) onDraw?.(stroke.before)
      stop()
    }),
    onPointerLeave: () => onHover(undefined),
  }
}
