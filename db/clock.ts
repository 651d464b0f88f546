export const CLOCK_MODES = ['real', 'shifted', 'frozen'] as const
export type ClockMode = (typeof CLOCK_MODES)[number]

/** The relation of world time to real time. */
export interface ClockSetting {
  mode: ClockMode
  /** shifted: ms to add to real time; frozen: the instant, ms since 1970; real: 0. */
  ms: number
}

/** The only source of time for what happens in a world. It counts reads, so that caches know how long they are valid. */
export interface Clock {
  readonly mode: ClockMode
  /** World time, ms since 1970. */
  now(): number
  /** The same, not counted: for what no answer depends on, or what is checked for each answer. */
  peek(): number
  /** The start of the current hour, ms: for results that are the same until the next hour. */
  hour(): number
  /** Starts tracking what is read from now on. */
  trackReads(): ClockReads
  /** The period in which a result computed since then is valid, given its reads; undefined if it is not valid now. */
  validitySince(since: ClockReads): Validity | undefined
  isValidNow(span: Validity): boolean
  /** Applies a setting that the caller has stored. */
  applySetting(setting: ClockSetting): void
}

/** State of a clock when tracking started: world time and numbers of reads. */
export interface ClockReads {
  at: number
  exactReads: number
  hourReads: number
}

/** World time, ms: `from` inclusive, `to` exclusive. */
export type Validity = readonly [from: number, to: number]

const HOUR = 3_600_000
const ALWAYS: Validity = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
const hourOf = (ms: number): number => Math.floor(ms / HOUR) * HOUR

/** World time under a setting, ms. */
export type ReadTime = (setting: ClockSetting) => number

export function createClock(initial: ClockSetting, readTime: ReadTime = timeIn): Clock {
  let setting = initial
  let exactReads = 0
  let hourReads = 0
  return {
    get mode() {
      return setting.mode
    },
    now() {
      exactReads++
      return readTime(setting)
    },
    peek: () => readTime(setting),
    hour() {
      hourReads++
      return hourOf(readTime(setting))
    },
    trackReads: () => ({ at: readTime(setting), exactReads, hourReads }),
    validitySince(since) {
      const at = readTime(setting)
      if (since.exactReads !== exactReads) return since.at === at ? [at, at + 1] : undefined
      if (since.hourReads === hourReads) return ALWAYS
      const hour = hourOf(at)
      return hourOf(since.at) === hour ? [hour, hour + HOUR] : undefined
    },
    isValidNow([from, to]) {
      const at = readTime(setting)
      return from <= at && at < to
    },
    applySetting(next) {
      setting = next
    },
  }
}

/** The last instant of a world, ms, because years have four digits. Clocks stop there. */
export const MAX_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** World time under a setting, ms. */
export const timeIn = ({ mode, ms }: ClockSetting, now = realNow()): number =>
  mode === 'frozen' ? ms : Math.min(now + ms, MAX_TIME)

/** The setting under which it is `now` (ms) at this moment. */
export const settingAt = (mode: ClockMode, now: number): ClockSetting => ({
  mode,
  ms: mode === 'frozen' ? now : mode === 'shifted' ? now - realNow() : 0,
})

/** Ms that real time is ahead of the clock of this machine. */
let offset = 0

/** Real time, ms since 1970: of this machine, or of the database that several servers share. */
export const realNow = (): number => Date.now() + offset

/** Has real time follow another clock, by which it is `time` now, give or take `uncertainty` ms. */
export function followClock(time: number, uncertainty: number): void {
  const ahead = Math.round(time - Date.now())
  // It does not jump by what may be an error of the measurement.
  if (Math.abs(ahead - offset) > uncertainty) offset = ahead
}

/** Ms after which time goes on although a call has not ended. */
const MAX_HOLD_MS = 100

/** Time that stands still during a call, so that all it reads is one instant: of the latest call, if several overlap. */
interface HeldTime {
  read: ReadTime
  begin(): void
  end(): void
}

export function createHeldTime(): HeldTime {
  let calls = 0
  let heldAt = 0
  return {
    read(setting) {
      const now = realNow()
      return timeIn(setting, calls > 0 && now - heldAt < MAX_HOLD_MS ? Math.min(heldAt, now) : now)
    },
    begin() {
      calls++
      heldAt = realNow()
    },
    end: () => void calls--,
  }
}
