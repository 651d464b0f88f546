import { parseDuration, printable } from '../../domains/shared/commands.ts'
import {
  type ClientOptions,
  ConnectionError,
  createClient,
  GATEWAY_STATUSES,
  readReadiness,
} from '../../lib/cli/client.ts'
import { CliError } from '../../lib/cli/errors.ts'
import { localCommand } from '../command.ts'
import { callSettings } from '../settings.ts'

/** Ms between two attempts. */
const RETRY_INTERVAL_MS = 100

export const addWait = localCommand({
  name: 'status wait',
  description: 'Wait until the server is ready; needs no token',
  settings: callSettings,
  flags: [
    {
      ...{ flags: '--timeout <duration>', description: 'give up after this', parse: parseDuration },
      ...{ defaultValue: 30_000, defaultText: '30s' },
    },
  ],
  examples: ['status wait', 'status wait --timeout 5s --url http://127.0.0.1:4400'],
  async run({ flags: { url, timeout, adminToken, ca } }) {
    return { url, clock: await waitForAnswer(url, { adminToken, ca }, timeout) }
  },
  format: ({ url }) => `${url} answers`,
})

/**
 * Resolves when the server is ready, with the clock of the world; null if that needs a token. Rejects at once if another
 * program answers, or if there is no such world.
 */
async function waitForAnswer(url: string, options: ClientOptions, timeoutMs: number): Promise<unknown> {
  const timeoutSignal = AbortSignal.timeout(timeoutMs)
  const called = { ...options, signal: timeoutSignal }
  let reason = `no server answered at ${url}`
  let remedy = 'start one with `mercadito start`'
  for (;;) {
    try {
      const { status, body } = await readReadiness(url, called)
      if (status === 200 && body?.status === 'ready') return readClock(url, called)
      if (!GATEWAY_STATUSES.includes(status))
        throw new CliError(`the server at ${url} is not mercadito (status ${status} for /readyz); is --url right?`)
      reason = `the server at ${url} answered ${status}${body?.message ? ` (${printable(body.message)})` : ''}`
      remedy = 'see its output'
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error
    }
    if (timeoutSignal.aborted) throw new CliError(`${reason} for ${timeoutMs / 1000} s; ${remedy}`)
    await new Promise((resolve) => setTimeout(resolve, RETRY_INTERVAL_MS))
  }
}

async function readClock(url: string, options: ClientOptions): Promise<unknown> {
  const client = createClient(url, options)
  const answer = await client.request('GET /clock')
  return answer.status === 401 && options.adminToken === undefined ? null : client.requireSuccess('GET /clock', answer)
}
