export const CLOCK_MODES = ['real', 'shifted', 'frozen'] as const
export type ClockMode = (typeof CLOCK_MODES)[number]

/** How a world's time is made from real time. */
export interface ClockSetting {
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
  trackReads(): ClockReads
  /**
   * How long an answer is true that was made since then, whatever it read of the clock; undefined where it already is
   * not.
   */
  validitySince(since: ClockReads): Validity | undefined
  isValidNow(span: Validity): boolean
  /** Takes another setting from now on. Whoever calls it has stored it. */
  applySetting(setting: ClockSetting): void
}

/** What a clock had told when somebody began to watch it. */
export interface ClockReads {
  at: number
  exactReads: number
  hourReads: number
}

/** World time, ms: from the first up to the second. */
export type Validity = readonly [from: number, to: number]

const HOUR = 3_600_000
const ALWAYS: Validity = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
const hourOf = (ms: number): number => Math.floor(ms / HOUR) * HOUR

export function createClock(initial: ClockSetting): Clock {
  let setting = initial
  let exactReads = 0
  let hourReads = 0
  return {
    get mode() {
      return setting.mode
    },
    now() {
      exactReads++
      return timeIn(setting)
    },
    hour() {
      hourReads++
      return hourOf(timeIn(setting))
    },
    trackReads: () => ({ at: timeIn(setting), exactReads, hourReads }),
    validitySince(since) {
      const at = timeIn(setting)
      if (since.exactReads !== exactReads) return since.at === at ? [at, at + 1] : undefined
      if (since.hourReads === hourReads) return ALWAYS
      const hour = hourOf(at)
      return hourOf(since.at) === hour ? [hour, hour + HOUR] : undefined
    },
    isValidNow([from, to]) {
      const at = timeIn(setting)
      return from <= at && at < to
    },
    applySetting(next) {
      setting = next
    },
  }
}

/** The last instant of a world, ms: years have four digits. A clock that comes there stands. */
export const MAX_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** World time under a setting, ms. */
export const timeIn = ({ mode, ms }: ClockSetting): number =>
  mode === 'frozen' ? ms : Math.min(Date.now() + ms, MAX_TIME)

/** The setting under which it is `now` (ms) at this moment. */
export const settingAt = (mode: ClockMode, now: number): ClockSetting => ({
  mode,
  ms: mode === 'frozen' ? now : mode === 'shifted' ? now - Date.now() : 0,
})

/** Real time, for what is about this machine and not about a world. */
export const realNow = (): number => Date.now()
