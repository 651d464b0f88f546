import { lookup as resolve } from 'node:dns/promises'
import { clearTimeout, setTimeout } from '../../../db/timers.ts'
import { SERVER_STOPPING } from './attempt.ts'

/** All addresses of a name, in the order of the system. */
export type Lookup = (name: string) => Promise<{ address: string }[]>

/** The message is the error of the attempt. */
export class LookupError extends Error {}

/** Shorter than the time for which a claim outlasts the time limit of a receiver. */
const MAX_LOOKUP_MS = 10_000

/**
 * Shares one lookup among concurrent callers of the same name. The system's resolver cannot be cancelled, so each
 * lookup that hangs would occupy another of its few threads.
 */
export function deduplicated(lookup: Lookup): Lookup {
  const inFlight = new Map<string, ReturnType<Lookup>>()
  return (name) => {
    const pending = inFlight.get(name)
    if (pending) return pending
    const addresses = lookup(name).finally(() => inFlight.delete(name))
    inFlight.set(name, addresses)
    return addresses
  }
}

const systemLookup = deduplicated((name) => resolve(name, { all: true }))

/**
 * A lookup for one attempt. Throws LookupError when there is no address, when none arrives within `timeoutMs` (real
 * ms) or when `stopping` is aborted.
 */
export const lookupWithTimeout =
  (timeoutMs: number, stopping: AbortSignal, lookup: Lookup = systemLookup): Lookup =>
  async (name) => {
    if (stopping.aborted) throw new LookupError(SERVER_STOPPING)
    const limitMs = Math.min(timeoutMs, MAX_LOOKUP_MS)
    const { promise: failed, reject } = Promise.withResolvers<never>()
    const stop = () => reject(new LookupError(SERVER_STOPPING))
    const timer = setTimeout(() => reject(new LookupError(`no address of ${name} within ${limitMs} ms`)), limitMs)
    stopping.addEventListener('abort', stop)
    try {
      return await Promise.race([lookup(name), failed])
    } catch (error) {
      if (error instanceof LookupError) throw error
      throw new LookupError(`no address: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}`)
    } finally {
      clearTimeout(timer)
      stopping.removeEventListener('abort', stop)
    }
  }
