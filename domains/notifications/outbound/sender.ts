import http from 'node:http'
import https from 'node:https'
import type { Duplex } from 'node:stream'
import {
  type Attempt,
  type DeliveryRequest,
  failedAttempt,
  type InFlightAttempt,
  isHttps,
  type PinnedAddress,
  post,
  SERVER_STOPPING,
} from './attempt.ts'

export type { Attempt, DeliveryRequest, PinnedAddress } from './attempt.ts'

export interface Sender {
  /** One attempt; never throws. Waits for a connection of its target, which its `patience` does not count. */
  send(request: DeliveryRequest): Promise<Attempt>
  /** Aborted by `close`, for what comes before sending. */
  stopSignal: AbortSignal
  /**
   * Ends what runs and what waits, each with its Attempt, and closes the connections. Later sends are refused likewise.
   */
  close(): Promise<void>
}

/** One receiver, as it is connected to. */
interface TargetPool {
  key: string
  agent: http.Agent
  /** Of its addresses the one that was connected to last. */
  lastAddress?: string
  inFlight: number
  idleSockets: number
  queued: { request: DeliveryRequest; resolve(attempt: Attempt): void }[]
}

/** Below the 5 s after which many receivers close: a connection that is about to go is not used again. */
const IDLE_MS = 4000

/**
 * Sends to many receivers at once over kept connections. `maxSockets`: open at a time over all; `maxPerTarget`: to
 * one receiver (scheme, host, port, addresses).
 */
export function openSender({ maxSockets = 256, maxPerTarget = 16 } = {}): Sender {
  const pools = new Map<string, TargetPool>()
  /** Those where something waits, the one longest not served first. */
  const waitingPools = new Set<TargetPool>()
  /** With the promise of their end. */
  const inFlight = new Map<InFlightAttempt, Promise<void>>()
  /** Kept connections, the oldest first. */
  const idleSockets = new Map<Duplex, TargetPool>()
  const stopping = new AbortController()

  function poolFor({ url, addresses }: DeliveryRequest): TargetPool {
    const key = [url.protocol, url.host, ...addresses.map(({ address }) => address)].join(' ')
    let pool = pools.get(key)
    if (!pool) {
      pool = { key, agent: createAgent(url), inFlight: 0, idleSockets: 0, queued: [] }
      trackIdleSockets(pool)
      pools.set(key, pool)
    }
    return pool
  }

  /** Keeps count of the agent's idle connections: it has no bound over several agents. */
  function trackIdleSockets(pool: TargetPool): void {
    const { agent } = pool
    const keepSocketAlive = agent.keepSocketAlive.bind(agent)
    const reuseSocket = agent.reuseSocket.bind(agent)
    agent.keepSocketAlive = (socket) => {
      const isKept = keepSocketAlive(socket)
      if (isKept as unknown) {
        idleSockets.set(socket, pool)
        pool.idleSockets++
        socket.once('close', onIdleSocketClosed)
      }
      return isKept
    }
    agent.reuseSocket = (socket, request) => {
      removeIdleSocket(socket)
      reuseSocket(socket, request)
    }
  }

  function onIdleSocketClosed(this: Duplex): void {
    removeIdleSocket(this)
  }

  function removeIdleSocket(socket: Duplex): void {
    const pool = idleSockets.get(socket)
    if (!pool) return
    socket.off('close', onIdleSocketClosed)
    idleSockets.delete(socket)
    pool.idleSockets--
    removeIfUnused(pool)
  }

  function closeIdleSocket(socket: Duplex): void {
    removeIdleSocket(socket)
    socket.destroy()
  }

  function removeIfUnused(pool: TargetPool): void {
    if (pool.inFlight + pool.idleSockets + pool.queued.length === 0) pools.delete(pool.key)
  }

  /**
   * One for each in turn. No one takes more than is left free, so that what is new finds room however many are slow.
   */
  function startWaiting(): void {
    for (const pool of waitingPools) {
      if (pool.inFlight >= Math.min(maxPerTarget, maxSockets - inFlight.size)) continue
      waitingPools.delete(pool)
      startNext(pool)
      if (pool.queued.length > 0) waitingPools.add(pool)
    }
  }

  function startNext(pool: TargetPool): void {
    const { request, resolve } = pool.queued.shift()!
    if (pool.idleSockets === 0 && inFlight.size + idleSockets.size >= maxSockets)
      closeIdleSocket(idleSockets.keys().next().value!)
    pool.inFlight++
    const { promise, resolve: resolveEnd } = Promise.withResolvers<void>()
    const closeIdleConnections = () => {
      for (const [socket, owner] of idleSockets) if (owner === pool) closeIdleSocket(socket)
    }
    const onClosed = () => {
      inFlight.delete(attempt)
      pool.inFlight--
      // By then its connection is idle.
      queueMicrotask(() => {
        startWaiting()
        removeIfUnused(pool)
        resolveEnd()
      })
    }
    const onConnected = (address: string) => {
      pool.lastAddress = address
    }
    const addresses = pool.idleSockets > 0 ? lastAddressFirst(request.addresses, pool) : request.addresses
    const attempt = post({ agent: pool.agent, closeIdleConnections, onConnected, onClosed }, { ...request, addresses })
    inFlight.set(attempt, promise)
    attempt.result.then(resolve)
  }

  return {
    send(request) {
      if (stopping.signal.aborted) return Promise.resolve(failedAttempt(SERVER_STOPPING))
      const { promise, resolve } = Promise.withResolvers<Attempt>()
      const pool = poolFor(request)
      pool.queued.push({ request, resolve })
      waitingPools.add(pool)
      startWaiting()
      return promise
    },
    stopSignal: stopping.signal,
    async close() {
      stopping.abort()
      for (const pool of waitingPools)
        for (const { resolve } of pool.queued.splice(0)) resolve(failedAttempt(SERVER_STOPPING))
      waitingPools.clear()
      const ends = [...inFlight.values()]
      for (const attempt of inFlight.keys()) attempt.abort(SERVER_STOPPING)
      await Promise.all(ends)
      for (const socket of idleSockets.keys()) closeIdleSocket(socket)
    },
  }
}

/** Where a connection is kept none is made, to whichever address it leads. */
const lastAddressFirst = (addresses: PinnedAddress[], { lastAddress }: TargetPool): PinnedAddress[] =>
  addresses.toSorted((a, b) => Number(b.address === lastAddress) - Number(a.address === lastAddress))

const createAgent = (url: URL): http.Agent => {
  // A connection more is opened only where `begin` says so.
  const options = { keepAlive: true, maxFreeSockets: Number.POSITIVE_INFINITY, timeout: IDLE_MS }
  return isHttps(url) ? new https.Agent(options) : new http.Agent(options)
}
