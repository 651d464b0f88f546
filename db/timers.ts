import { setTimeout as timeoutPromise } from 'node:timers/promises'

// The timers as they are when this module is loaded: a test runner may replace them by fake ones, which never fire.

export const { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval } = globalThis
/** The longest time that setTimeout accepts. */
export const MAX_TIMER_MS = 2 ** 31 - 1
export const delay = timeoutPromise
