const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** The report covers this span [spec: response_time.window]. */
export const REPORT_WINDOW_MS = 14 * DAY
/** A response time is capped at a week [spec: response_time.minutes]. */
const MAX_RESPONSE_MS = 7 * DAY
/** Days and hours of the periods are those at −04:00 [spec: response_time.offset]. */
const PERIOD_OFFSET_MS = -4 * 60 * MINUTE

/** The start of the day of an instant, at the offset of the periods; ms. */
export const startOfDay = (ms: number): number => ms - ((((ms + PERIOD_OFFSET_MS) % DAY) + DAY) % DAY)

interface CountedQuestion {
  date_created: number
  /** null = unanswered. An answer later than now (the clock was moved back) counts as unanswered. */
  answered_at: number | null
}

type Period = 'weekend' | 'weekdays_working_hours' | 'weekdays_extra_hours'
type Averages = Record<'total' | Period, number>

/** What the questions of a seller add up to at `now`; until `until` only those that wait for an answer change it. */
export interface ResponseTimes {
  now: number
  until: number
  sums: Record<keyof Averages, Sum>
}
interface Sum {
  n: number
  ms: number
  waiting: number
}

/** Adds up questions of 14 days up to `now`. A later one (the clock was moved back) counts from its own time on. */
export function addUp(questions: CountedQuestion[], now: number): ResponseTimes {
  const emptySum = (): Sum => ({ n: 0, ms: 0, waiting: 0 })
  const sums = {
    total: emptySum(),
    weekend: emptySum(),
    weekdays_working_hours: emptySum(),
    weekdays_extra_hours: emptySum(),
  }
  let until = Number.POSITIVE_INFINITY
  for (const { date_created, answered_at } of questions) {
    if (date_created > now) {
      until = Math.min(until, date_created)
      continue
    }
    const last = date_created + MAX_RESPONSE_MS
    const end = Math.min(answered_at ?? last, last)
    const isWaiting = end > now
    until = Math.min(until, isWaiting ? end : date_created + REPORT_WINDOW_MS + 1)
    for (const name of ['total', periodOf(date_created)] as const) {
      if (!name) continue
      sums[name].n++
      sums[name].ms += Math.min(end, now) - date_created
      if (isWaiting) sums[name].waiting++
    }
  }
  return { now, until, sums }
}

/**
 * Average minutes to an answer at an instant before `until`, rounded half up, in total and by the period of the question;
 * 0 for a period without questions.
 */
export function averages({ sums, now }: ResponseTimes, at: number): Averages {
  const mean = ({ n, ms, waiting }: Sum): number =>
    n === 0 ? 0 : Math.floor((ms + waiting * (at - now)) / n / MINUTE + 0.5)
  return {
    total: mean(sums.total),
    weekend: mean(sums.weekend),
    weekdays_working_hours: mean(sums.weekdays_working_hours),
    weekdays_extra_hours: mean(sums.weekdays_extra_hours),
  }
}

/** The period of an instant; undefined on weekdays before 09:00, which count in the total only. */
function periodOf(ms: number): Period | undefined {
  const local = new Date(ms + PERIOD_OFFSET_MS)
  const day = local.getUTCDay()
  if (day === 0 || day === 6) return 'weekend'
  const hour = local.getUTCHours()
  if (hour < 9) return undefined
  return hour < 18 ? 'weekdays_working_hours' : 'weekdays_extra_hours'
}

/** Forecast of extra sales, percent, for faster answers; null up to an hour [spec: response_time.sales_forecast]. */
export function salesIncrease(minutes: number): number | null {
  if (minutes <= 60) return null
  if (minutes <= 2 * 60) return 5
  if (minutes <= 8 * 60) return 10
  return minutes <= 24 * 60 ? 15 : 20
}
