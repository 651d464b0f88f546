import { writeFile } from 'node:fs/promises'
import type { WorldInfo } from '../../control/worlds/world_info.ts'
import { type Client, defineCommand, integer, mustBe, path, printable } from '../../domains/shared/commands.ts'
import { createClient } from '../../lib/cli/client.ts'
import { usageError } from '../../lib/cli/errors.ts'
import { ALREADY_PRINTED } from '../command.ts'
import { checkOutput, FORCE, replaceFile } from '../output.ts'
import { CLIENT_FORMATS, VARIABLE_FORMATS, type Variables, worldVariables } from '../world_variables.ts'

const PREFIX = 'MERCADITO_'
const THIRTY_DAYS_MS = 30 * 24 * 3_600_000

interface WrittenFile {
  file: string
  url: string
}

export const envCommand = defineCommand<WrittenFile | typeof ALREADY_PRINTED>({
  name: 'world env',
  description: 'Print the variables that exec sets, for a world of a running server',
  args: [['[id]', 'number of the world; default: the world of --url', integer(1)]],
  flags: [
    {
      flags: '--format <format>',
      description: 'how to write them; http-client is for JetBrains and httpYac',
      defaultValue: 'dotenv',
      choices: [...Object.keys(VARIABLE_FORMATS), ...Object.keys(CLIENT_FORMATS)],
      conflicts: ['json'],
    },
    { flags: '--prefix <text>', description: `of the names, in place of ${PREFIX}`, parse: parsePrefix },
    { flags: '--output <file>', description: 'write this new file, which only its owner can read' },
    FORCE,
  ],
  examples: ['world env', 'world env --output .env', 'world env 2 --prefix ML_', 'world env --format shell'],
  async run({ client, args: [id = client.world], flags, terminal }) {
    // Existing files may have variables of their users.
    checkOutput(flags.output, flags.force)
    const format: string = flags.json ? 'json' : flags.format
    if (flags.prefix !== undefined && CLIENT_FORMATS[format])
      throw usageError(`--prefix cannot be used with --format ${format}; leave out one of them`)
    const world: WorldInfo = await client.server.call(path`GET /worlds/${id}`)
    const variables = worldVariables(world, flags)
    const text = CLIENT_FORMATS[format]
      ? CLIENT_FORMATS[format](await clientVariables(variables, createClient(world.url, flags)))
      : VARIABLE_FORMATS[format]!(renameAll(variables, (name) => name.replace(PREFIX, flags.prefix ?? PREFIX)))
    if (flags.output === undefined) {
      terminal.out(`${text}\n`)
      return ALREADY_PRINTED
    }
    await replaceFile(flags.output, (tempFile) => writeFile(tempFile, `${text}\n`, { mode: 0o600 }))
    return { file: flags.output, url: world.url }
  },
  format: (answer) =>
    answer === ALREADY_PRINTED ? '' : `wrote ${printable(answer.file)} for ${printable(answer.url)}; it has tokens`,
})

function parsePrefix(text: string): string {
  if (!/^[A-Za-z_]\w*$/.test(text)) throw mustBe('letters, digits and _, and not begin with a digit')
  return text
}

const renameAll = (variables: Variables, rename: (name: string) => string): Variables =>
  Object.fromEntries(Object.entries(variables).map(([name, value]) => [rename(name), value]))

/** For the requests of examples/http: names in lower case, and the latest 30 days of the world, UTC without offset. */
async function clientVariables(variables: Variables, client: Client): Promise<Variables> {
  const { now } = await client.call('GET /clock')
  const toSeconds = (ms: number) => new Date(ms).toISOString().slice(0, 19)
  return {
    ...renameAll(variables, (name) => name.replace(PREFIX, '').toLowerCase()),
    date_from: toSeconds(Date.parse(now) - THIRTY_DAYS_MS),
    date_to: toSeconds(Date.parse(now)),
  }
}
