import type { Command } from 'commander'
import { parseDuration, type Terminal } from '../../domains/shared/commands.ts'
import { type ClientOptions, ConnectionError, createClient } from '../../lib/cli/client.ts'
import { CliError } from '../../lib/cli/errors.ts'
import { addExamples, addSubcommand } from '../command.ts'
import { formatJson } from '../output.ts'
import { callSettings, createOption, JSON_FLAG } from '../settings.ts'

/** Ms between two attempts. */
const RETRY_INTERVAL_MS = 100

export function addWait(program: Command, terminal: Terminal): void {
  const subcommand = addSubcommand(program, { name: 'status wait' })
    .description('Wait until the server answers')
    .allowExcessArguments(false)
  subcommand.addOption(
    createOption(
      { flags: '--timeout <duration>', description: 'give up after this', parse: parseDuration },
      'status wait',
    ).default(30_000, '30s'),
  )
  for (const setting of [...callSettings, JSON_FLAG]) subcommand.addOption(createOption(setting))
  addExamples(subcommand, ['status wait', 'status wait --timeout 5s --url http://127.0.0.1:4400/w/2'])
  subcommand.action(async () => {
    const { url, timeout, json: asJson, ...options } = subcommand.opts()
    const clock = await waitForAnswer(url, options, timeout)
    terminal.out(asJson ? `${formatJson({ url, clock })}\n` : `${url} answers\n`)
  })
}

/** Resolves with the clock of the world when the server answers. Rejects at once if the answer is an error. */
async function waitForAnswer(url: string, options: ClientOptions, timeoutMs: number): Promise<unknown> {
  const timeoutSignal = AbortSignal.timeout(timeoutMs)
  const client = createClient(url, { ...options, signal: timeoutSignal })
  for (;;) {
    try {
      return await client.call('GET /clock')
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error
      if (timeoutSignal.aborted)
        throw new CliError(`no server answered at ${url} for ${timeoutMs / 1000} s; start one with \`mercadito start\``)
      await new Promise((resolve) => setTimeout(resolve, RETRY_INTERVAL_MS))
    }
  }
}
