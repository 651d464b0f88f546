import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import type { WorldInfo } from '../../control/worlds/world_info.ts'
import { readAsset } from '../../db/assets.ts'
import type { Client } from '../client.ts'
import { ALREADY_PRINTED, addExamples, defineCommand } from '../command.ts'
import { CliError, type Terminal } from '../errors.ts'
import { formatMegabytes, openInput } from '../input.ts'
import { printable, progress } from '../output.ts'
import { createOption, JSON_FLAG } from '../settings.ts'
import { formatWorldInfo } from './world.ts'

interface ExportResult {
  file: string
  bytes: number
}

/** Puts a world file in the place of the client's world; answers its address and its people with their tokens. */
export async function loadWorldFile(client: Client, file: string): Promise<WorldInfo> {
  const { stream, done } = openInput(file)
  try {
    return await client.call('PUT /world', { stream, type: 'application/json' })
  } finally {
    done()
  }
}

export const worldFileCommands = [
  defineCommand<WorldInfo>({
    name: 'load',
    description: 'Put what a world file says in the world’s place',
    args: [['<file>', 'JSON, as export writes it; - for standard input']],
    examples: ['load world.json', 'load world.json --url http://127.0.0.1:4400/w/2'],
    run: ({ client, args: [file] }) => loadWorldFile(client, file),
    format: formatWorldInfo,
  }),
  defineCommand<ExportResult | typeof ALREADY_PRINTED>({
    name: 'export',
    description: 'Write the world as a file that load reads',
    args: [['[file]', 'where to; standard output without']],
    examples: ['export world.json', 'export > world.json'],
    async run({ client, args: [file], terminal }) {
      const world = await client.stream('GET /world')
      if (file === undefined) {
        for await (const chunk of world.setEncoding('utf8')) terminal.out(chunk)
        return ALREADY_PRINTED
      }
      const { show, done } = progress()
      let bytes = 0
      world.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        show(formatMegabytes(bytes))
      })
      // A file that is there is not lost to one that breaks off.
      const tempFile = `${file}.part`
      try {
        await pipeline(world, createWriteStream(tempFile))
        await rename(tempFile, file)
      } catch (error) {
        await rm(tempFile, { force: true })
        throw new CliError(
          `${printable(file)} was not written (${(error as Error).message.split(',')[0]}); name another file`,
        )
      } finally {
        done()
      }
      return { file, bytes }
    },
    format: (answer) => (answer === ALREADY_PRINTED ? '' : `${printable(answer.file)} has ${answer.bytes} bytes`),
  }),
]

/** Prints what this program serves as `/openapi.json`; no server is needed. */
export function addOpenapi(program: Command, terminal: Terminal): void {
  const subcommand = program
    .command('openapi')
    .description('Print the OpenAPI document')
    .option('--control', 'that of the control plane instead of the emulated API')
    .addOption(createOption({ ...JSON_FLAG, description: 'as it is always' }))
    .allowExcessArguments(false)
  addExamples(subcommand, ['openapi > openapi.json', 'openapi --control'])
  subcommand.action(() =>
    terminal.out(readAsset(subcommand.opts().control ? 'openapi.sandbox.json' : 'openapi.json').toString()),
  )
}
