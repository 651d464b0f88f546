import { constants } from 'node:os'
import type { FastifyInstance } from 'fastify'
import { EXIT } from './errors.ts'

/** Ms that requests have left when the server stops; connections that are still open then are cut. */
const GRACE_PERIOD_MS = 1000
/** Ms after a signal when the process is gone, whatever is left: kept worlds lose nothing by that. */
const FORCE_EXIT_MS = 1900

/** Takes nobody in any more, lets run what runs, cuts what goes on, and closes everything. */
export async function shutDown(server: FastifyInstance): Promise<void> {
  const cut = setTimeout(() => server.server.closeAllConnections(), GRACE_PERIOD_MS)
  try {
    await server.close()
  } finally {
    clearTimeout(cut)
  }
}

/**
 * Ends the process in order when it is told to; at once when it is told twice, or before it serves. Call it first: what
 * runs as the first process of a container would not hear signals otherwise.
 */
export function handleSignals(onSignal: (signal: NodeJS.Signals) => void): {
  onShutdown(close: () => Promise<void>): void
} {
  let close: (() => Promise<void>) | undefined
  let isShuttingDown = false
  const end = (signal: NodeJS.Signals) => {
    if (isShuttingDown || !close) process.exit(128 + constants.signals[signal])
    isShuttingDown = true
    onSignal(signal)
    setTimeout(() => process.exit(EXIT.ok), FORCE_EXIT_MS).unref()
    close().then(
      () => process.exit(EXIT.ok),
      () => process.exit(EXIT.failure),
    )
  }
  process.on('SIGINT', end).on('SIGTERM', end)
  return {
    onShutdown(how) {
      close = how
    },
  }
}
