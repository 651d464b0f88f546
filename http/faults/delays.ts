import type { FastifyRequest } from 'fastify'
import { clearTimeout, setTimeout } from '../../db/timers.ts'
import type { Traffic } from '../connections/traffic.ts'

/** Delays of requests; a request that waits does not count as in flight. */
export interface Delays {
  /** Resolves after `ms`, or when its client disconnects: then with false. */
  wait(ms: number, request: FastifyRequest): Promise<boolean>
  /** Ends all delays, so that a closing server does not wait for them. */
  endAll(): void
}

export function createDelays(traffic: Traffic): Delays {
  const pending = new Set<() => void>()
  return {
    wait(ms, request) {
      const { socket } = request.raw
      traffic.park(request, true)
      return new Promise((resolve) => {
        const end = (isConnected: boolean) => {
          clearTimeout(timer)
          socket.removeListener('close', onClose)
          pending.delete(proceed)
          if (isConnected) traffic.park(request, false)
          resolve(isConnected)
        }
        const onClose = () => end(false)
        const proceed = () => end(true)
        const timer = setTimeout(proceed, ms)
        pending.add(proceed)
        socket.once('close', onClose)
        if (socket.destroyed) onClose()
      })
    },
    endAll() {
      for (const proceed of pending) proceed()
    },
  }
}
