import { createReadStream, fstatSync, openSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { printable } from '../domains/shared/commands.ts'
import { CliError } from './errors.ts'
import { progress } from './output.ts'

/** Streams a file, or standard input for `-`, and shows the progress. Call `done` at the end. Throws a CliError. */
export function openInput(file: string): { stream: Readable; done(): void } {
  const { stream, size } = file === '-' ? { stream: process.stdin, size: 0 } : openFile(file)
  const { show, done } = progress()
  let sent = 0
  stream.on('data', (chunk: Buffer | string) => {
    sent += chunk.length
    show(`${formatMegabytes(sent)}${size > 0 ? ` of ${formatMegabytes(size)}` : ''} sent`)
  })
  // An error before the stream is piped.
  stream.pause()
  return {
    stream,
    done() {
      done()
      stream.destroy()
    },
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

export const formatMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
