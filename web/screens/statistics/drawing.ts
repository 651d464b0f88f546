import { useState } from 'preact/hooks'
import { type Draft, type Kind, type Point, type Row, type Unit, withLine } from './series.ts'

/** A chart of curves that the pointer can draw. */
export interface ChartProps {
  label: string
  rows: Row[]
  unit: Unit
  kind: Kind
  draft: Draft
  /** The interval whose numbers are shown. */
  index: number
  /** The interval under the pointer. */
  onHover(index: number | undefined): void
  /** The interval that the pointer has chosen. */
  onPick(index: number): void
  /** The pointer has drawn. Undefined if nothing can be drawn. */
  onDraw: ((draft: Draft) => void) | undefined
  onKeyDown(event: KeyboardEvent): void
  onKeyUp(): void
}

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
