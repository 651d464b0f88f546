/** The curves, in the order of the chart and of the table. */
export const KINDS = ['phone_view', 'messaging_click', 'question'] as const
export type Kind = (typeof KINDS)[number]

/** Length of an interval. */
export const UNIT_MS = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 }
export type Unit = keyof typeof UNIT_MS

export interface Row {
  /** Start of the interval, as the server writes it. */
  at: string
  totals: Record<Kind, number>
  /** Of a week. */
  days?: Row[]
}

/** Drawn totals by the start of their interval, not applied yet. */
export type Draft = ReadonlyMap<string, number>
export const NO_DRAFT: Draft = new Map()

/** What the chart shows: the curve of `kind` can be drawn. */
export interface Drawn {
  rows: Row[]
  unit: Unit
  kind: Kind
  draft: Draft
}

/** What is drawn in an interval, else its total. */
export const totalOf = (draft: Draft, { at, totals }: Row, kind: Kind): number => draft.get(at) ?? totals[kind]

/** A place in the chart. */
export interface Point {
  /** Of the row. */
  index: number
  total: number
}

/** The largest total that the server accepts. */
const MAX_TOTAL = 100_000

interface Series {
  points: { at: string; total: number }[]
}

/** Puts the series of KINDS together; one that began an interval earlier decides nothing. */
export function rowsOf(series: Series[]): Row[] {
  const [views, ...others] = series.map(({ points }) => new Map(points.map(({ at, total }) => [at, total])))
  return [...views!].map(([at, total]) => ({
    at,
    totals: {
      phone_view: total,
      messaging_click: others[0]!.get(at) ?? 0,
      question: others[1]!.get(at) ?? 0,
    },
  }))
}

const DAYS_OF_WEEK = 7

/** Puts days together to weeks, of which the last ends with the last day. Only a single week may have less than seven. */
export function weeksOf(days: Row[]): Row[] {
  const weeks: Row[] = []
  for (let end = days.length; end > 0; end -= DAYS_OF_WEEK) {
    const parts = days.slice(Math.max(0, end - DAYS_OF_WEEK), end)
    if (parts.length < DAYS_OF_WEEK && weeks.length > 0) break
    const totalsOf = (kind: Kind) => parts.reduce((sum, { totals }) => sum + totals[kind], 0)
    const totals = Object.fromEntries(KINDS.map((kind) => [kind, totalsOf(kind)])) as Row['totals']
    weeks.unshift({ at: parts[0]!.at, totals, days: parts })
  }
  return weeks
}

/** The draft as points of the server, which knows no weeks: their days share a total as they share the present one. */
export function pointsOf(draft: Draft, rows: Row[], kind: Kind): { at: string; total: number }[] {
  return rows.flatMap(({ at, totals, days }) => {
    const total = draft.get(at)
    if (total === undefined) return []
    if (!days) return [{ at, total }]
    const weightOf = (day: Row) => (totals[kind] === 0 ? 1 : day.totals[kind])
    const sum = days.reduce((all, day) => all + weightOf(day), 0)
    let weight = 0
    let before = 0
    return days.map((day) => {
      weight += weightOf(day)
      const until = Math.round((total * weight) / sum)
      const share = until - before
      before = until
      return { at: day.at, total: share }
    })
  })
}

type Curve = Pick<Drawn, 'rows' | 'kind'>

/** The draft after numbers were typed for an interval and those after it; undefined if the text has anything else. */
export function withNumbers(draft: Draft, curve: Curve, index: number, text: string): Draft | undefined {
  const numbers = text.trim().split(/[\s,;]+/)
  if (!numbers.every((one) => /^\d{1,6}$/.test(one))) return undefined
  return numbers.reduce((next, one, n) => {
    const point = { index: index + n, total: Number(one) }
    return withLine(next, curve, point, point)
  }, draft)
}

const limit = (total: number): number => Math.min(MAX_TOTAL, Math.max(0, Math.round(total)))

/** The draft after a line was drawn from one interval to another. Intervals that end as they are leave the draft. */
export function withLine(draft: Draft, { rows, kind }: Curve, from: Point, to: Point): Draft {
  const next = new Map(draft)
  const step = Math.sign(to.index - from.index)
  for (let index = from.index; ; index += step) {
    const part = step === 0 ? 1 : (index - from.index) / (to.index - from.index)
    const row = rows[index]
    if (row) {
      const total = limit(from.total + part * (to.total - from.total))
      if (total === row.totals[kind]) next.delete(row.at)
      else next.set(row.at, total)
    }
    if (index === to.index) return next
  }
}

/** What applying the draft adds and removes. */
export function changeOf(draft: Draft, rows: Row[], kind: Kind): { added: number; removed: number } {
  let added = 0
  let removed = 0
  for (const row of rows) {
    const change = totalOf(draft, row, kind) - row.totals[kind]
    if (change > 0) added += change
    else removed -= change
  }
  return { added, removed }
}
