const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Distances between ticks that fit into a day or are whole days; longer ones are months. */
const STEPS_MS = [1, 3, 6, 12, 24, 48, 72, 120, 240].map((hours) => hours * HOUR_MS)

/** Round whole numbers from 0 to the first that is at least `max`: about `count`. */
export function totalTicks(max: number, count: number): number[] {
  const least = Math.max(1, max / count)
  const power = 10 ** Math.floor(Math.log10(least))
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= least)!
  return Array.from({ length: Math.ceil(max / step) + 1 }, (_, n) => n * step)
}

/** Full hours, midnights or first days of months in UTC from `from` until before `to`, ms: at most about `count`. */
export function timeTicks(from: number, to: number, count: number): number[] {
  const step = STEPS_MS.find((ms) => (to - from) / ms <= count)
  const ticks: number[] = []
  if (step !== undefined) {
    for (let at = Math.ceil(from / step) * step; at < to; at += step) ticks.push(at)
    return ticks
  }
  const months = Math.ceil((to - from) / (30 * DAY_MS) / Math.max(1, count))
  const start = new Date(from)
  for (let n = 1; ; n += months) {
    const at = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + n)
    if (at >= to) return ticks
    ticks.push(at)
  }
}

/** Where the curves are. */
export interface Plot {
  /** Px. */
  width: number
  height: number
  /** The total at its upper end. */
  top: number
  /** World time at its left and right end, ms. */
  from: number
  to: number
}

export const yOf = ({ height, top }: Plot, total: number): number => (1 - total / top) * height

/** The middle of an interval, in px from the left. */
export const placeOf = (index: number, count: number, width: number): number => ((index + 0.5) / count) * width

/**
 * The SVG path of a curve: of many points in one pixel only the lowest and the highest. Undefined totals interrupt it.
 */
export function pathOf(totals: readonly (number | undefined)[], plot: Plot): string {
  const xOf = (index: number) => placeOf(index, totals.length, plot.width)
  let path = ''
  let isDrawing = false
  for (let start = 0, end: number; start < totals.length; start = end) {
    end = start + 1
    if (totals[start] === undefined) {
      isDrawing = false
      continue
    }
    let low = start
    let high = start
    for (; totals[end] !== undefined && Math.floor(xOf(end)) === Math.floor(xOf(start)); end++) {
      if (totals[end]! < totals[low]!) low = end
      if (totals[end]! > totals[high]!) high = end
    }
    for (const index of new Set([Math.min(low, high), Math.max(low, high)])) {
      path += `${isDrawing ? 'L' : 'M'}${xOf(index).toFixed(1)} ${yOf(plot, totals[index]!).toFixed(1)}`
      isDrawing = true
    }
  }
  return path
}
