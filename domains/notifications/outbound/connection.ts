import { lookup as resolve } from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
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

/** One keep-alive connection to one target: an agent that is used for one request at a time. */
export interface Connection {
  /** The key of the target. */
  key: string
  agent: http.Agent
  /** The IP address that it was last connected to. */
  address?: string
}

/** Below the 5 s after which many servers close an idle connection: one that is about to be closed is not reused. */
const IDLE_MS = 4000

export const isHttps = (url: URL): boolean => url.protocol === 'https:'

/** The socket is opened by the first request. */
export const createConnection = (key: string, url: URL): Connection => ({
  key,
  agent: new (isHttps(url) ? https : http).Agent({ keepAlive: true, timeout: IDLE_MS }),
})

/** Whether a socket is open and idle, so that the next request reuses it. */
export const isReusable = ({ agent }: Connection): boolean => Object.keys(agent.freeSockets).length > 0

/** Connections kept for reuse, the oldest first; receivers may have closed some of them meanwhile. */
export function createIdleConnections() {
  const idle = new Set<Connection>()
  const close = (connection: Connection) => {
    idle.delete(connection)
    connection.agent.destroy()
  }
  return {
    count: () => idle.size,
    /** Keeps a connection after a request, if its socket is still open. */
    add(connection: Connection): void {
      if (isReusable(connection)) idle.add(connection)
    },
    /** The open connection to a target that was used last. */
    take(key: string): Connection | undefined {
      const kept = [...idle].findLast((connection) => connection.key === key && isReusable(connection))
      if (kept) idle.delete(kept)
      return kept
    },
    closeOldest(): void {
      const [oldest] = idle
      if (oldest) close(oldest)
    },
    closeAll(): void {
      for (const connection of idle) close(connection)
    },
  }
}
