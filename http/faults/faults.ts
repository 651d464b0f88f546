import type { FastifyRequest } from 'fastify'
import { clearTimeout, setTimeout } from '../../db/timers.ts'
import type { Traffic } from '../connections/traffic.ts'
import { badParameter } from '../errors/errors.ts'
import type { Action } from './rules.ts'

/** Ms of one delay. */
export const MAX_DELAY_MS = 60_000
/** The header that injects a fault into one call. */
export const FAULT_HEADER = 'x-sandbox-fault'

/** The effect on a call instead of its answer. */
export type FaultAction = Extract<
  Action,
  { status: number } | { drop: true } | { optimistic_lock: true } | { limits: string } | { partial: string[] }
>

export interface FaultOutcome {
  /** Ms to wait first. */
  delayMs: number
  action?: FaultAction | undefined
}

/** The fault in a header; 400 if it is not one. */
export function parseFaultHeader(text: string): FaultOutcome {
  const [, name, value] = /^(drop|[45]\d\d|delay=(\d{1,5}))$/.exec(text.trim()) ?? []
  const delayMs = Number(value ?? 0)
  if (name === undefined || delayMs > MAX_DELAY_MS)
    throw badParameter(
      FAULT_HEADER,
      `must be a status from 400 to 599, delay=MS with at most ${MAX_DELAY_MS}, or drop`,
      'http.faults.header',
    )
  if (value !== undefined) return { delayMs }
  return { delayMs, action: name === 'drop' ? { drop: true } : { status: Number(name) } }
}

/** Delays of requests; a request that waits does not count as in flight. */
interface Delays {
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
