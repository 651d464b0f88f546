import { lookup as resolve } from 'node:dns/promises'
import { STOPPED } from './attempt.ts'

/** Every address of a name, in the order of the system. */
export type Lookup = (name: string) => Promise<{ address: string }[]>

/** The message tells what came of the attempt. */
export class NoAddress extends Error {}

/** Ms: shorter than the time for which a claim outlasts the receiver's limit. */
const LONGEST = 10_000

/**
 * Who asks for a name that is being asked for waits for the same answer: the system's resolver cannot be interrupted,
 * and what never ends there takes one of its few threads, however often it is asked for.
 */
export function shared(lookup: Lookup): Lookup {
  const running = new Map<string, ReturnType<Lookup>>()
  return (name) => {
    const known = running.get(name)
    if (known) return known
    const answer = lookup(name).finally(() => running.delete(name))
    running.set(name, answer)
    return answer
  }
}

const system = shared((name) => resolve(name, { all: true }))

/**
 * A lookup for one attempt. Throws NoAddress: there is none, none came within `patience` (real ms), or the server
 * stops.
 */
export const lookupWithin =
  (patience: number, stopping: AbortSignal, lookup: Lookup = system): Lookup =>
  async (name) => {
    if (stopping.aborted) throw new NoAddress(STOPPED)
    const limit = Math.min(patience, LONGEST)
    const { promise: given, reject } = Promise.withResolvers<never>()
    const stop = () => reject(new NoAddress(STOPPED))
    const timer = setTimeout(() => reject(new NoAddress(`no address of ${name} within ${limit} ms`)), limit)
    stopping.addEventListener('abort', stop)
    try {
      return await Promise.race([lookup(name), given])
    } catch (error) {
      if (error instanceof NoAddress) throw error
      throw new NoAddress(`no address: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}`)
    } finally {
      clearTimeout(timer)
      stopping.removeEventListener('abort', stop)
    }
  }
