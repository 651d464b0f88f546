export const CLOCK_MODES = ['real', 'shifted', 'frozen'] as const
export type ClockMode = (typeof CLOCK_MODES)[number]

/** How a world's time is made from real time. */
export interface Setting {
  mode: ClockMode
  /** shifted: ms that are added to real time; frozen: the instant where it stands; real: 0. */
  ms: number
}

/** The only source of time for what happens in a world. */
export interface Clock {
  readonly mode: ClockMode
  /** World time, ms since 1970. */
  now(): number
  /** The hour that has begun, ms: for what stays as it is until the next one. */
  hour(): number
  /** Begins to note what is read of it. */
  watch(): Reading
  /**
   * How long an answer is true that was made since then, whatever it read of the clock; undefined where it already is
   * not.
   */
  holds(since: Reading): Span | undefined
  isIn(span: Span): boolean
  /** Takes another setting from now on. Whoever calls it has stored it. */
  take(setting: Setting): void
}

/** What a clock had told when somebody began to watch it. */
export interface Reading {
  at: number
  exact: number
  hours: number
}

/** World time, ms: from the first up to the second. */
export type Span = readonly [from: number, to: number]

const HOUR = 3_600_000
const ALWAYS: Span = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
const hourOf = (ms: number): number => Math.floor(ms / HOUR) * HOUR

export function clockOf(first: Setting): Clock {
  let setting = first
  let exact = 0
  let hours = 0
  return {
    get mode() {
      return setting.mode
    },
    now() {
      exact++
      return timeIn(setting)
    },
    hour() {
      hours++
      return hourOf(timeIn(setting))
    },
    watch: () => ({ at: timeIn(setting), exact, hours }),
    holds(since) {
      const at = timeIn(setting)
      if (since.exact !== exact) return since.at === at ? [at, at + 1] : undefined
      if (since.hours === hours) return ALWAYS
      const hour = hourOf(at)
      return hourOf(since.at) === hour ? [hour, hour + HOUR] : undefined
    },
    isIn([from, to]) {
      const at = timeIn(setting)
      return from <= at && at < to
    },
    take(next) {
      setting = next
    },
  }
}

/** The last instant of a world, ms: years have four digits. A clock that comes there stands. */
export const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** World time under a setting, ms. */
export const timeIn = ({ mode, ms }: Setting): number => (mode === 'frozen' ? ms : Math.min(Date.now() + ms, LAST))

/** The setting under which it is `now` (ms) at this moment. */
export const settingAt = (mode: ClockMode, now: number): Setting => ({
  mode,
  ms: mode === 'frozen' ? now : mode === 'shifted' ? now - Date.now() : 0,
})

/** Real time, for what is about this machine and not about a world. */
export const realNow = (): number => Date.now()
