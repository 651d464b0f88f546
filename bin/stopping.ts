import { constants } from 'node:os'
import type { FastifyInstance } from 'fastify'
import { EXIT } from './failure.ts'

/** Ms that requests have left when the server stops; connections that are still open then are cut. */
const LAST_MOMENT = 1000
/** Ms after a signal when the process is gone, whatever is left: kept worlds lose nothing by that. */
const LATEST = 1900

/** Takes nobody in any more, lets run what runs, cuts what goes on, and closes everything. */
export async function stop(server: FastifyInstance): Promise<void> {
  const cut = setTimeout(() => server.server.closeAllConnections(), LAST_MOMENT)
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
export function endOnSignal(told: (signal: NodeJS.Signals) => void): { serves(close: () => Promise<void>): void } {
  let close: (() => Promise<void>) | undefined
  let ending = false
  const end = (signal: NodeJS.Signals) => {
    if (ending || !close) process.exit(128 + constants.signals[signal])
    ending = true
    told(signal)
    setTimeout(() => process.exit(EXIT.ok), LATEST).unref()
    close().then(
      () => process.exit(EXIT.ok),
      () => process.exit(EXIT.failure),
    )
  }
  process.on('SIGINT', end).on('SIGTERM', end)
  return {
    serves(how) {
      close = how
    },
  }
}
