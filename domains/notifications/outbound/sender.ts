import { type Attempt, type DeliveryRequest, failedAttempt, SERVER_STOPPING } from './attempt.ts'
import { type Connection, createConnection, createIdleConnections } from './connection.ts'
import { post } from './post.ts'

export interface Sender {
  /** Makes one attempt; never rejects. Waiting for a free connection does not count towards `timeoutMs`. */
  send(request: DeliveryRequest): Promise<Attempt>
  /** Aborted by `close`: stops the work that comes before sending. */
  stopSignal: AbortSignal
  /** Ends queued and running attempts, each with its Attempt, and closes all connections. Later sends fail likewise. */
  close(): Promise<void>
}

/** A receiver: scheme, host, port and addresses. */
interface Target {
  key: string
  inFlight: number
  queued: { request: DeliveryRequest; resolve(attempt: Attempt): void }[]
}

/**
 * Sends to many targets at once over keep-alive connections. `maxSockets`: open connections in total; `maxPerTarget`:
 * requests in flight to one target.
 */
export function openSender({ maxSockets = 256, maxPerTarget = 16 } = {}): Sender {
  const targets = new Map<string, Target>()
  /** Targets with queued requests, the one served longest ago first. */
  const waiting = new Set<Target>()
  const inFlight = new Map<AbortController, Promise<void>>()
  const idle = createIdleConnections()
  const stopping = new AbortController()

  function targetOf(request: DeliveryRequest): Target {
    const key = targetKey(request)
    const target = targets.get(key) ?? { key, inFlight: 0, queued: [] }
    targets.set(key, target)
    return target
  }

  /** Round robin. No target takes more connections than it leaves free, so that a new target always finds one. */
  function startWaiting(): void {
    for (const target of waiting) {
      if (target.inFlight >= Math.min(maxPerTarget, maxSockets - inFlight.size)) continue
      waiting.delete(target)
      startNext(target)
      if (target.queued.length > 0) waiting.add(target)
    }
  }

  function startNext(target: Target): void {
    const { request, resolve } = target.queued.shift()!
    const connection = acquireConnection(target, request)
    const controller = new AbortController()
    target.inFlight++
    const task = post(connection, request, controller).then((attempt) => {
      inFlight.delete(controller)
      target.inFlight--
      idle.add(connection)
      resolve(attempt)
      startWaiting()
      if (target.inFlight + target.queued.length === 0) targets.delete(target.key)
    })
    inFlight.set(controller, task)
  }

  /** An idle connection, or a new one; the oldest idle connection is closed to make room. */
  function acquireConnection({ key }: Target, { url }: DeliveryRequest): Connection {
    const kept = idle.take(key)
    if (kept) return kept
    if (inFlight.size + idle.count() >= maxSockets) idle.closeOldest()
    return createConnection(key, url)
  }

  return {
    send(request) {
      if (stopping.signal.aborted) return Promise.resolve(failedAttempt(SERVER_STOPPING))
      const { promise, resolve } = Promise.withResolvers<Attempt>()
      const target = targetOf(request)
      target.queued.push({ request, resolve })
      waiting.add(target)
      startWaiting()
      return promise
    },
    stopSignal: stopping.signal,
    async close() {
      stopping.abort()
      for (const { queued } of waiting)
        for (const { resolve } of queued.splice(0)) resolve(failedAttempt(SERVER_STOPPING))
      waiting.clear()
      for (const controller of inFlight.keys()) controller.abort(SERVER_STOPPING)
      await Promise.all(inFlight.values())
      idle.closeAll()
    },
  }
}

const targetKey = ({ url, addresses }: DeliveryRequest): string =>
  [url.protocol, url.host, ...addresses.map(({ address }) => address)].join(' ')
