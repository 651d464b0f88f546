import http from 'node:http'
import https from 'node:https'
import type { Duplex } from 'node:stream'
import { type Attempt, type Pinned, type Posting, post, type Running, STOPPED, secure, unsent } from './attempt.ts'

export type { Attempt, Pinned, Posting } from './attempt.ts'

export interface Sender {
  /** One attempt; never throws. Waits for a connection of its target, which its `patience` does not count. */
  send(posting: Posting): Promise<Attempt>
  /** Aborted by `close`, for what comes before sending. */
  stopping: AbortSignal
  /**
   * Ends what runs and what waits, each with its Attempt, and closes the connections. Later sends are refused likewise.
   */
  close(): Promise<void>
}

/** One receiver, as it is connected to. */
interface Lane {
  key: string
  agent: http.Agent
  /** Of its addresses the one that was connected to last. */
  reached?: string
  running: number
  idle: number
  waiting: { posting: Posting; resolve(attempt: Attempt): void }[]
}

/** Below the 5 s after which many receivers close: a connection that is about to go is not used again. */
const IDLE_MS = 4000

/**
 * Sends to many receivers at once over kept connections. `mostSockets`: open at a time over all; `mostPerTarget`: to
 * one receiver (scheme, host, port, addresses).
 */
export function openSender({ mostSockets = 256, mostPerTarget = 16 } = {}): Sender {
  const lanes = new Map<string, Lane>()
  /** Those where something waits, the one longest not served first. */
  const queue = new Set<Lane>()
  /** With the promise of their end. */
  const running = new Map<Running, Promise<void>>()
  /** Kept connections, the oldest first. */
  const idle = new Map<Duplex, Lane>()
  const stopping = new AbortController()

  function laneOf({ url, addresses }: Posting): Lane {
    const key = [url.protocol, url.host, ...addresses.map(({ address }) => address)].join(' ')
    let lane = lanes.get(key)
    if (!lane) {
      lane = { key, agent: agentOf(url), running: 0, idle: 0, waiting: [] }
      watch(lane)
      lanes.set(key, lane)
    }
    return lane
  }

  /** Keeps count of the agent's idle connections: it has no bound over several agents. */
  function watch(lane: Lane): void {
    const { agent } = lane
    const keep = agent.keepSocketAlive.bind(agent)
    const reuse = agent.reuseSocket.bind(agent)
    agent.keepSocketAlive = (socket) => {
      const kept = keep(socket)
      if (kept as unknown) {
        idle.set(socket, lane)
        lane.idle++
        socket.once('close', gone)
      }
      return kept
    }
    agent.reuseSocket = (socket, request) => {
      taken(socket)
      reuse(socket, request)
    }
  }

  function gone(this: Duplex): void {
    taken(this)
  }

  function taken(socket: Duplex): void {
    const lane = idle.get(socket)
    if (!lane) return
    socket.off('close', gone)
    idle.delete(socket)
    lane.idle--
    forget(lane)
  }

  function letGo(socket: Duplex): void {
    taken(socket)
    socket.destroy()
  }

  function forget(lane: Lane): void {
    if (lane.running + lane.idle + lane.waiting.length === 0) lanes.delete(lane.key)
  }

  /**
   * One for each in turn. No one takes more than is left free, so that what is new finds room however many are slow.
   */
  function serve(): void {
    for (const lane of queue) {
      if (lane.running >= Math.min(mostPerTarget, mostSockets - running.size)) continue
      queue.delete(lane)
      begin(lane)
      if (lane.waiting.length > 0) queue.add(lane)
    }
  }

  function begin(lane: Lane): void {
    const { posting, resolve } = lane.waiting.shift()!
    if (lane.idle === 0 && running.size + idle.size >= mostSockets) letGo(idle.keys().next().value!)
    lane.running++
    const { promise, resolve: end } = Promise.withResolvers<void>()
    const freshen = () => {
      for (const [socket, of] of idle) if (of === lane) letGo(socket)
    }
    const over = () => {
      running.delete(one)
      lane.running--
      // By then its connection is idle.
      queueMicrotask(() => {
        serve()
        forget(lane)
        end()
      })
    }
    const reached = (address: string) => {
      lane.reached = address
    }
    const addresses = lane.idle > 0 ? keptFirst(posting.addresses, lane) : posting.addresses
    const one = post({ agent: lane.agent, freshen, reached, over }, { ...posting, addresses })
    running.set(one, promise)
    one.attempt.then(resolve)
  }

  return {
    send(posting) {
      if (stopping.signal.aborted) return Promise.resolve(unsent(STOPPED))
      const { promise, resolve } = Promise.withResolvers<Attempt>()
      const lane = laneOf(posting)
      lane.waiting.push({ posting, resolve })
      queue.add(lane)
      serve()
      return promise
    },
    stopping: stopping.signal,
    async close() {
      stopping.abort()
      for (const lane of queue) for (const { resolve } of lane.waiting.splice(0)) resolve(unsent(STOPPED))
      queue.clear()
      const ends = [...running.values()]
      for (const one of running.keys()) one.stop(STOPPED)
      await Promise.all(ends)
      for (const socket of idle.keys()) letGo(socket)
    },
  }
}

/** Where a connection is kept none is made, to whichever address it leads. */
const keptFirst = (addresses: Pinned[], { reached }: Lane): Pinned[] =>
  addresses.toSorted((a, b) => Number(b.address === reached) - Number(a.address === reached))

const agentOf = (url: URL): http.Agent => {
  // A connection more is opened only where `begin` says so.
  const options = { keepAlive: true, maxFreeSockets: Number.POSITIVE_INFINITY, timeout: IDLE_MS }
  return secure(url) ? new https.Agent(options) : new http.Agent(options)
}
