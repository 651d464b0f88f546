import type { Client } from '../../domains/shared/commands.ts'
import { CliError } from './errors.ts'

/** The id of the latest call that was refused. Throws a CliError without one, which names the list of calls. */
export async function latestRefused(client: Client, list: string): Promise<number> {
  const latest = async (status: string): Promise<number> => {
    const { results } = await client.get('/requests', { status, order: 'desc', limit: 1, bodies: false })
    return (results as { id: number }[])[0]?.id ?? 0
  }
  const id = Math.max(await latest('4xx'), await latest('5xx'))
  if (id === 0) throw new CliError(`no recorded call was refused; ${list}`)
  return id
}
