import { setTimeout } from 'node:timers/promises'

/** Ms after which a condition counts as never met, also on a slow machine. */
const LIMIT_MS = 30_000
const PAUSE_MS = 5
/** Pauses grow to this share of the time that was waited: a check may be a call or a query. */
const PAUSE_SHARE = 1 / 16
const MAX_PAUSE_MS = 100

/**
 * Waits until `check` returns something that is not false, 0, '' or nullish, and resolves with it. Rejects after `limitMs`
 * with what it waited for.
 */
export async function until<T>(what: string, check: () => T | Promise<T>, limitMs = LIMIT_MS): Promise<NonNullable<T>> {
  const began = performance.now()
  for (let waited = 0; waited < limitMs; waited = performance.now() - began) {
    const found = await check()
    if (found) return found
    await setTimeout(Math.min(PAUSE_MS + waited * PAUSE_SHARE, MAX_PAUSE_MS))
  }
  throw new Error(`waited ${limitMs} ms for ${what}`)
}
