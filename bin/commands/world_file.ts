import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { WorldInfo } from '../../control/worlds/world_info.ts'
import { type Client, defineCommand, printable } from '../../domains/shared/commands.ts'
import { withProgress } from '../../lib/cli/progress.ts'
import { ALREADY_PRINTED } from '../command.ts'
import { withInput } from '../input.ts'
import { checkOutput, FORCE, replaceFile } from '../output.ts'
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
    name: 'world load',
    description: 'Replace the world by a world file',
    args: [['<file>', 'JSON, as `world export` writes it; - for standard input']],
    examples: ['world load world.json', 'world load world.json --url http://127.0.0.1:4400/w/2'],
    run: ({ client, args: [file] }) => loadWorldFile(client, file),
    format: formatWorldInfo,
  }),
  defineCommand<ExportResult | typeof ALREADY_PRINTED>({
    name: 'world export',
    description: 'Write the world as a file for `world load`',
    args: [['[file]', 'file to write; default: standard output']],
    examples: ['world export world.json', 'world export > world.json'],
    flags: [FORCE],
    async run({ client, args: [file], flags: { force }, terminal }) {
      checkOutput(file, force)
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
