import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import type { WorldInfo } from '../../control/worlds/world_info.ts'
import { readAsset } from '../../db/assets.ts'
import { type Client, defineCommand, printable, type Terminal } from '../../domains/shared/commands.ts'
import { withProgress } from '../../lib/cli/progress.ts'
import { ALREADY_PRINTED, addExamples } from '../command.ts'
import { withInput } from '../input.ts'
import { replaceFile } from '../output_file.ts'
import { createOption, JSON_FLAG } from '../settings.ts'
import { formatWorldInfo } from './world.ts'

interface ExportResult {
  file: string
  bytes: number
}

/** Replaces the client's world by a world file. */
export const loadWorldFile = (client: Client, file: string): Promise<WorldInfo> =>
  withInput('load', file, (stream) => client.call('PUT /world', { stream, type: 'application/json' }))

export const worldFileCommands = [
  defineCommand<WorldInfo>({
    name: 'load',
    description: 'Replace the world by a world file',
    args: [['<file>', 'JSON, as written by export; - for standard input']],
    examples: ['load world.json', 'load world.json --url http://127.0.0.1:4400/w/2'],
    run: ({ client, args: [file] }) => loadWorldFile(client, file),
    format: formatWorldInfo,
  }),
  defineCommand<ExportResult | typeof ALREADY_PRINTED>({
    name: 'export',
    description: 'Write the world as a file for load',
    args: [['[file]', 'file to write; default: standard output']],
    examples: ['export world.json', 'export > world.json'],
    async run({ client, args: [file], terminal }) {
      const world = await client.stream('GET /world')
      if (file === undefined) {
        for await (const chunk of world.setEncoding('utf8')) terminal.out(chunk)
        return ALREADY_PRINTED
      }
      let bytes = 0
      await replaceFile(file, (tempFile) =>
        withProgress(`export ${printable(file)}`, ({ update }) => {
          world.on('data', (chunk: Buffer) => {
            bytes += chunk.length
            update(bytes)
          })
          return pipeline(world, createWriteStream(tempFile))
        }),
      )
      return { file, bytes }
    },
    format: (answer) => (answer === ALREADY_PRINTED ? '' : `wrote ${answer.bytes} bytes to ${printable(answer.file)}`),
  }),
]

/** Prints what a server answers to `/openapi.json`; needs no server. */
export function addOpenapi(program: Command, terminal: Terminal): void {
  const subcommand = program
    .command('openapi')
    .description('Print the OpenAPI document')
    .option('--control', 'the document of the control plane instead of the emulated API')
    .addOption(createOption({ ...JSON_FLAG, description: 'no effect: the output is always JSON' }))
    .allowExcessArguments(false)
  addExamples(subcommand, ['openapi > openapi.json', 'openapi --control'])
  subcommand.action(() =>
    terminal.out(readAsset(subcommand.opts().control ? 'openapi.sandbox.json' : 'openapi.json').toString()),
  )
}
