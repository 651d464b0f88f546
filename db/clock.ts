export type ClockMode = 'real' | 'shifted' | 'frozen'

/** The only source of time for what happens in a world. */
export interface Clock {
  mode: ClockMode
  /** World time, ms since 1970. */
  now(): number
}

/** `ms`: what a shifted clock adds to real time, or where a frozen one stands. */
export function clockOf(mode: ClockMode, ms: number): Clock {
  return { mode, now: mode === 'frozen' ? () => ms : mode === 'shifted' ? () => Date.now() + ms : Date.now }
}

/** Real time, for what is about this machine and not about a world. */
export const realNow = (): number => Date.now()
