import type { Command } from 'commander'
import { clientOf, NotHeard } from '../client.ts'
import { examples } from '../command.ts'
import { Failure, type Terminal } from '../failure.ts'
import { json } from '../output.ts'
import { callSettings, JSON_OUT, optionOf, patience } from '../settings.ts'

/** Ms between two tries. */
const PAUSE = 100

export function addWait(program: Command, terminal: Terminal): void {
  const placed = program.command('wait').description('Wait until the server answers').allowExcessArguments(false)
  placed.addOption(
    optionOf({ flags: '--timeout <duration>', about: 'give up after this', read: patience }, 'wait').default(
      30_000,
      '30s',
    ),
  )
  for (const setting of [...callSettings, JSON_OUT]) placed.addOption(optionOf(setting))
  examples(placed, ['wait', 'wait --timeout 5s --url http://127.0.0.1:4400/w/2'])
  placed.action(async () => {
    const { url, adminToken, timeout, json: asJson } = placed.opts()
    const clock = await answered(url, adminToken, timeout)
    terminal.out(asJson ? `${json({ url, clock })}\n` : `${url} answers\n`)
  })
}

/** The world’s clock, as soon as the server tells it. Throws at once when it answers with an error. `patience`: ms. */
async function answered(url: string, adminToken: string | undefined, patience: number): Promise<unknown> {
  const end = AbortSignal.timeout(patience)
  const client = clientOf(url, adminToken, end)
  for (;;) {
    try {
      return await client.call('GET /clock')
    } catch (error) {
      if (!(error instanceof NotHeard)) throw error
      if (end.aborted)
        throw new Failure(`no server answered at ${url} for ${patience / 1000} s; start one with \`mercadito start\``)
      await new Promise((resolve) => setTimeout(resolve, PAUSE))
    }
  }
}
