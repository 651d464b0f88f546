import { createReadStream, fstatSync, openSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { printable } from '../domains/shared/commands.ts'
import { CliError } from '../lib/cli/errors.ts'
import { withProgress } from '../lib/cli/progress.ts'

/** Streams a file, or standard input for `-`, to `send`, and shows the progress. Throws a CliError. */
export async function withInput<A>(label: string, file: string, send: (stream: Readable) => Promise<A>): Promise<A> {
  const { stream, size } = file === '-' ? { stream: process.stdin, size: 0 } : openFile(file)
  try {
    return await withProgress(
      `${label} ${printable(file)}`,
      ({ update }) => {
        let sent = 0
        stream.on('data', (chunk: Buffer | string) => {
          sent += chunk.length
          update(sent)
        })
        // It flows when it is piped.
        stream.pause()
        return send(stream)
      },
      { total: size },
    )
  } finally {
    stream.destroy()
  }
}

function openFile(file: string): { stream: Readable; size: number } {
  try {
    const descriptor = openSync(file, 'r')
    const stats = fstatSync(descriptor)
    if (stats.isDirectory()) throw new Error('it is a directory')
    return { stream: createReadStream(file, { fd: descriptor }), size: stats.size }
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? (error as Error).message
    throw new CliError(`cannot read ${printable(file)} (${why}); name an existing file, or - for standard input`)
  }
}
