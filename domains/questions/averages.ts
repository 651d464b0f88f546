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

interface Averages {
  total: number
  weekend: number
  weekdays_working_hours: number
  weekdays_extra_hours: number
}
type Period = Exclude<keyof Averages, 'total'>

/**
 * Average minutes to an answer, rounded half up, in total and by the period of the question; 0 for a period without
 * questions.
 */
export function averages(questions: CountedQuestion[], now: number): Averages {
  const emptySum = () => ({ n: 0, ms: 0 })
  const sums = {
    total: emptySum(),
    weekend: emptySum(),
    weekdays_working_hours: emptySum(),
    weekdays_extra_hours: emptySum(),
  }
  for (const { date_created, answered_at } of questions) {
    const ms = Math.min(Math.min(answered_at ?? now, now) - date_created, MAX_RESPONSE_MS)
    for (const name of ['total', periodOf(date_created)] as const) {
      if (!name) continue
      sums[name].n++
      sums[name].ms += ms
    }
  }
  return {
    total: mean(sums.total),
    weekend: mean(sums.weekend),
    weekdays_working_hours: mean(sums.weekdays_working_hours),
    weekdays_extra_hours: mean(sums.weekdays_extra_hours),
  }
}

const mean = ({ n, ms }: { n: number; ms: number }): number => (n === 0 ? 0 : Math.floor(ms / n / MINUTE + 0.5))

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
