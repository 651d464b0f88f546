import { setTimeout } from 'node:timers/promises'

/** Ms after which a condition counts as never met, also on a slow machine. */
const LIMIT_MS = 30_000
const PAUSE_MS = 5

/**
 * Waits until `check` returns something that is not false, 0, '' or nullish, and resolves with it. Rejects after `limitMs`
 * with what it waited for.
 */
export async function until<T>(what: string, check: () => T | Promise<T>, limitMs = LIMIT_MS): Promise<NonNullable<T>> {
  for (const end = performance.now() + limitMs; performance.now() < end; await setTimeout(PAUSE_MS)) {
    const found = await check()
    if (found) return found
  }
  throw new Error(`waited ${limitMs} ms for ${what}`)
}
