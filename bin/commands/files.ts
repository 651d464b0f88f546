import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { readAsset } from '../../db/assets.ts'
import type { Ready } from '../../domains/sandbox/ready.ts'
import type { Client } from '../client.ts'
import { command, examples, SAID } from '../command.ts'
import { Failure, type Terminal } from '../failure.ts'
import { progress, visible } from '../output.ts'
import { megabytes, opened } from '../reading.ts'
import { JSON_OUT, optionOf } from '../settings.ts'
import { showReady } from './world.ts'

interface Exported {
  file: string
  bytes: number
}

/** Puts a world file in the place of the client's world; answers its address and its people with their tokens. */
export async function loaded(client: Client, file: string): Promise<Ready> {
  const { stream, done } = opened(file)
  try {
    return await client.call('PUT /world', { stream, type: 'application/json' })
  } finally {
    done()
  }
}

export const fileCommands = [
  command<Ready>({
    words: 'load',
    about: 'Put what a world file says in the world’s place',
    args: [['<file>', 'JSON, as export writes it; - for standard input']],
    examples: ['load world.json', 'load world.json --url http://127.0.0.1:4400/w/2'],
    run: ({ client, args: [file] }) => loaded(client, file),
    show: showReady,
  }),
  command<Exported | typeof SAID>({
    words: 'export',
    about: 'Write the world as a file that load reads',
    args: [['[file]', 'where to; standard output without']],
    examples: ['export world.json', 'export > world.json'],
    async run({ client, args: [file], terminal }) {
      const world = await client.stream('GET /world')
      if (file === undefined) {
        for await (const chunk of world.setEncoding('utf8')) terminal.out(chunk)
        return SAID
      }
      const { show, done } = progress()
      let bytes = 0
      world.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        show(megabytes(bytes))
      })
      // A file that is there is not lost to one that breaks off.
      const draft = `${file}.part`
      try {
        await pipeline(world, createWriteStream(draft))
        await rename(draft, file)
      } catch (error) {
        await rm(draft, { force: true })
        throw new Failure(
          `${visible(file)} was not written (${(error as Error).message.split(',')[0]}); name another file`,
        )
      } finally {
        done()
      }
      return { file, bytes }
    },
    show: (answer) => (answer === SAID ? '' : `${visible(answer.file)} has ${answer.bytes} bytes`),
  }),
]

/** Prints what this program serves as `/openapi.json`; no server is needed. */
export function addOpenapi(program: Command, terminal: Terminal): void {
  const placed = program
    .command('openapi')
    .description('Print the OpenAPI document')
    .option('--control', 'that of the control plane instead of the emulated API')
    .addOption(optionOf({ ...JSON_OUT, about: 'as it is always' }))
    .allowExcessArguments(false)
  examples(placed, ['openapi > openapi.json', 'openapi --control'])
  placed.action(() => terminal.out(readAsset(placed.opts().control ? 'openapi.sandbox.json' : 'openapi.json').toString()))
}
