import type { ServerResponse } from 'node:http'
import { delay } from '../../../db/timers.ts'

/** A client with more unread data than this is disconnected. */
const MAX_BUFFERED_BYTES = 1024 * 1024
/** Proxies and clients close connections that are silent for longer. */
const HEARTBEAT_MS = 15_000

interface SseResponse {
  isOpen(): boolean
  write(text: string): void
  /** Resolves when the client has read what was written, or has disconnected. */
  waitForDrain(): Promise<void>
  /** Resolves after some ms, or when the client has disconnected. */
  pause(ms: number): Promise<void>
}

/** Writes server-sent events with back-pressure. A client that reads nothing between two heartbeats is disconnected. */
export function openSseResponse(response: ServerResponse): SseResponse {
  // `writable` stays true after `end()`.
  const isOpen = () => !response.writableEnded && !response.destroyed
  const disconnected = new AbortController()
  let blocked: { resume: () => void; missedHeartbeats: number } | undefined

  const heartbeat = setInterval(() => {
    if (response.writableEnded || (blocked && ++blocked.missedHeartbeats > 1)) response.destroy()
    else write(':\n\n')
  }, HEARTBEAT_MS).unref()
  response.on('drain', () => blocked?.resume())
  response.once('close', () => {
    clearInterval(heartbeat)
    disconnected.abort()
    blocked?.resume()
  })
  write('retry: 1000\n\n')

  function write(text: string): void {
    if (text === '' || !isOpen()) return
    response.write(text)
    if (response.writableLength > MAX_BUFFERED_BYTES) response.destroy()
  }

  return {
    isOpen,
    write,
    async waitForDrain() {
      if (!response.writableNeedDrain || response.destroyed) return
      await new Promise<void>((resume) => {
        blocked = { resume, missedHeartbeats: 0 }
      })
      blocked = undefined
    },
    pause: (ms) => delay(ms, undefined, disconnected).catch(() => {}),
  }
}
