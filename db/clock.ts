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
  /** Takes another setting from now on. Whoever calls it has stored it. */
  take(setting: Setting): void
}

export function clockOf(first: Setting): Clock {
  let setting = first
  return {
    get mode() {
      return setting.mode
    },
    now: () => timeIn(setting),
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
