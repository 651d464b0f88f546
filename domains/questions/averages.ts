const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** The report looks this far back. */
export const REPORT_WINDOW = 14 * DAY
/** Neither a late answer nor a missing one counts more. */
const CAP = 7 * DAY
/** Periods are cut by the clock at −04:00. */
const OFFSET = -4 * 60 * MINUTE

export interface Asked {
  date_created: number
  /** null = not answered yet; after a back move of the clock an answer can lie ahead, and is none yet either. */
  answered_at: number | null
}

export interface Averages {
  total: number
  weekend: number
  weekdays_working_hours: number
  weekdays_extra_hours: number
}
type Period = Exclude<keyof Averages, 'total'>

/** Average minutes to an answer, rounded half up, in all and by the period in which was asked; 0 where nothing was. */
export function averages(questions: Asked[], now: number): Averages {
  const taken: Record<keyof Averages, number[]> = {
    total: [],
    weekend: [],
    weekdays_working_hours: [],
    weekdays_extra_hours: [],
  }
  for (const { date_created, answered_at } of questions) {
    const minutes = Math.min(Math.min(answered_at ?? now, now) - date_created, CAP) / MINUTE
    taken.total.push(minutes)
    const period = periodOf(date_created)
    if (period) taken[period].push(minutes)
  }
  return Object.fromEntries(
    Object.entries(taken).map(([name, minutes]) => [name, mean(minutes)]),
  ) as unknown as Averages
}

const mean = (values: number[]): number =>
  values.length === 0 ? 0 : Math.floor(values.reduce((sum, value) => sum + value, 0) / values.length + 0.5)

/** The period of an instant; undefined for nights of weekdays, which only the total counts. */
function periodOf(ms: number): Period | undefined {
  const local = new Date(ms + OFFSET)
  const day = local.getUTCDay()
  if (day === 0 || day === 6) return 'weekend'
  const hour = local.getUTCHours()
  if (hour < 9) return undefined
  return hour < 18 ? 'weekdays_working_hours' : 'weekdays_extra_hours'
}

/** Forecast of extra sales, percent, by answering sooner; null up to an hour. */
export function salesIncrease(minutes: number): number | null {
  if (minutes <= 60) return null
  if (minutes <= 2 * 60) return 5
  if (minutes <= 8 * 60) return 10
  return minutes <= 24 * 60 ? 15 : 20
}
