import { useState } from 'preact/hooks'
import { type ChartProps, type Draft, type Point, withLine } from './series.ts'

/** Draws with mouse, pen or finger: listeners of the chart. */
export function useDrawing(
  { rows, kind, draft, onHover, onPick, onDraw }: ChartProps,
  pointOf: (event: PointerEvent) => Point,
) {
  /** Where the pointer is, and the draft before it drew. */
  const [stroke, setStroke] = useState<{ point: Point; before: Draft }>()
  const stop = () => setStroke(undefined)
  const drawTo = (point: Point, { point: last, before } = { point, before: draft }) => {
    onDraw?.(withLine(draft, rows, kind, last, point))
    setStroke({ point, before })
  }
  // A second finger draws nothing.
  const on = (run: (event: PointerEvent) => void) => (event: PointerEvent) => event.isPrimary && run(event)
  return {
    isDrawing: stroke !== undefined,
    stop,
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
