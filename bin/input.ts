import { createReadStream, fstatSync, openSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { CliError } from './errors.ts'
import { printable, progress } from './output.ts'

/**
 * A file, or standard input for `-`, that is read as it is sent; how much of it shows on a terminal. Call `done` in the
 * end. Throws a Failure when it cannot be read.
 */
export function openInput(file: string): { stream: Readable; done(): void } {
  const { stream, size } = file === '-' ? { stream: process.stdin, size: 0 } : openFile(file)
  const { show, done } = progress()
  let sent = 0
  stream.on('data', (chunk: Buffer | string) => {
    sent += chunk.length
    show(`${formatMegabytes(sent)}${size > 0 ? ` of ${formatMegabytes(size)}` : ''} sent`)
  })
  // Until somebody takes it.
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
    if (stats.isDirectory()) throw new Error('it is a folder')
    return { stream: createReadStream(file, { fd: descriptor }), size: stats.size }
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? (error as Error).message
    throw new CliError(`${printable(file)} cannot be read (${why}); name a file that is there, or - for standard input`)
  }
}

export const formatMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
