import { setTimeout as timeoutPromise } from 'node:timers/promises'

// The timers as they are when this module is loaded: a test runner may replace them by fake ones, which never fire.

export const { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval } = globalThis
export const delay = timeoutPromise
/** The longest time that setTimeout accepts. */
export const MAX_TIMER_MS = 2 ** 31 - 1

/** Whether the work ends within `ms`. Rejects if the work does within that time. */
export async function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const { promise: timeout, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, ms, false)
  try {
    return await Promise.race([work.then(() => true), timeout])
  } finally {
    clearTimeout(timer)
  }
}
