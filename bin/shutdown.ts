import { constants } from 'node:os'
import { performance } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { EXIT } from '../lib/cli/errors.ts'

/** Time for requests in flight when the server stops; then all connections are closed. */
const GRACE_PERIOD_MS = 1000
/** Ms between two looks for connections whose last request has ended. */
const IDLE_INTERVAL_MS = 20
/** Time after a signal when the process exits in any case: kept worlds lose nothing by that. */
const FORCE_EXIT_MS = 1900

/** Ms in which a signal that comes again is the same one: who signals a process group reaches us through our parent, too. */
const SAME_SIGNAL_MS = 1000

/** Stops accepting connections, waits for requests in flight, and closes the server. */
export async function shutDown(server: FastifyInstance): Promise<void> {
  const cut = setTimeout(() => server.server.closeAllConnections(), GRACE_PERIOD_MS)
  // Node closes those that are idle at first, not those that become idle.
  const sweep = setInterval(() => server.server.closeIdleConnections(), IDLE_INTERVAL_MS)
  try {
    await server.close()
  } finally {
    clearTimeout(cut)
    clearInterval(sweep)
  }
}

/**
 * Shuts down at the first signal; exits at once at a second one, or before `onShutdown`. Call it first: the first process
 * of a container ignores signals without a handler.
 */
export function handleSignals(onSignal: (signal: NodeJS.Signals) => void): {
  onShutdown(close: () => Promise<void>): void
} {
  let close: (() => Promise<void>) | undefined
  let first: { signal: NodeJS.Signals; at: number } | undefined
  const end = (signal: NodeJS.Signals) => {
    if (first?.signal === signal && performance.now() - first.at < SAME_SIGNAL_MS) return
    if (first || !close) process.exit(128 + constants.signals[signal])
    first = { signal, at: performance.now() }
    onSignal(signal)
    setTimeout(() => process.exit(EXIT.ok), FORCE_EXIT_MS).unref()
    close().then(
      () => process.exit(EXIT.ok),
      () => process.exit(EXIT.failure),
    )
  }
  for (const signal of STOP_SIGNALS) process.on(signal, end)
  return {
    onShutdown(closeServer) {
      close = closeServer
    },
  }
}

/** Signals that end a program in order; SIGHUP comes when its terminal closes. */
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Resolves at the first signal; a second one ends the program at once. */
export const waitForSignal = () =>
  new Promise<void>((resolve) => {
    for (const signal of STOP_SIGNALS) process.once(signal, () => resolve())
  })
