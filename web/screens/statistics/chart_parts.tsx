import { minuteOf, shortDayOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { worldNow } from '../../world/clock.ts'
import { words } from '../words.ts'
import { type Plot, placeOf, timeTicks, yOf } from './scale.ts'
import { KINDS, type Row } from './series.ts'

/** Px that the label of an instant needs. */
const PX_OF_INSTANT = 72
const DAY_MS = 86_400_000

const xOf = ({ width, from, to }: Plot, at: number): number => ((at - from) / (to - from)) * width

export const Axes = ({ plot, totals }: { plot: Plot; totals: number[] }) => (
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
export function Now({ plot }: { plot: Plot }) {
  const { value: now } = worldNow
  if (now === undefined || now < plot.from || now > plot.to) return null
  return (
    <g class="now" transform={`translate(${xOf(plot, now)} 0)`}>
      <path d={`M0 -4V${plot.height}`} />
      <text y={-8}>{words().statistics.now}</text>
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
export function Cursor({ plot, rows, index, drawn }: CursorProps) {
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
