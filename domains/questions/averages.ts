const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** The report looks this far back. */
export const REPORT_WINDOW_MS = 14 * DAY
/** Neither a late answer nor a missing one counts more. */
const MAX_RESPONSE_MS = 7 * DAY
/** Periods are cut by the clock at −04:00. */
const PERIOD_OFFSET_MS = -4 * 60 * MINUTE

export interface CountedQuestion {
  date_created: number
  /** null = not answered yet; after a back move of the clock an answer can lie ahead, and is none yet either. */
  answered_at: number | null
}

/** What was asked in one hour, counted from 1970, added up; the columns are told of in the schema. */
export interface HourTotals {
  hour: number
  answered: number
  taken: number
  open: number
  asked: number
  latest: number
}

/**
 * Whether an hour's sums stand for its questions: else it ends after now, begins before the report or lies on either
 * side of the cap.
 */
export function isCompleteHour({ hour, latest }: HourTotals, now: number): boolean {
  const [start, end] = [hour * HOUR, (hour + 1) * HOUR]
  const isInside = (at: number) => start < at && at < end
  return latest <= now && end <= now && !isInside(now - REPORT_WINDOW_MS) && !isInside(now - MAX_RESPONSE_MS)
}

export interface Averages {
  total: number
  weekend: number
  weekdays_working_hours: number
  weekdays_extra_hours: number
}
type Period = Exclude<keyof Averages, 'total'>

/**
 * Average minutes to an answer, rounded half up, in all and by the period in which was asked; 0 where nothing was.
 * `hours`: those that are whole, beside the questions one by one.
 */
export function averages(questions: CountedQuestion[], now: number, hours: HourTotals[] = []): Averages {
  const emptySum = () => ({ n: 0, ms: 0 })
  const sums = {
    total: emptySum(),
    weekend: emptySum(),
    weekdays_working_hours: emptySum(),
    weekdays_extra_hours: emptySum(),
  }
  const add = (at: number, n: number, ms: number) => {
    for (const name of ['total', periodOf(at)] as const) {
      if (!name) continue
      sums[name].n += n
      sums[name].ms += ms
    }
  }
  for (const { date_created, answered_at } of questions)
    add(date_created, 1, Math.min(Math.min(answered_at ?? now, now) - date_created, MAX_RESPONSE_MS))
  for (const { hour, answered, taken, open, asked } of hours) {
    const start = hour * HOUR
    const openMs = start < now - MAX_RESPONSE_MS ? open * MAX_RESPONSE_MS : open * (now - start) - asked
    add(start, answered + open, taken + openMs)
  }
  return {
    total: mean(sums.total),
    weekend: mean(sums.weekend),
    weekdays_working_hours: mean(sums.weekdays_working_hours),
    weekdays_extra_hours: mean(sums.weekdays_extra_hours),
  }
}

const mean = ({ n, ms }: { n: number; ms: number }): number => (n === 0 ? 0 : Math.floor(ms / n / MINUTE + 0.5))

/** The period of an instant; undefined for nights of weekdays, which only the total counts. */
function periodOf(ms: number): Period | undefined {
  const local = new Date(ms + PERIOD_OFFSET_MS)
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
