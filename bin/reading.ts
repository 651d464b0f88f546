import { createReadStream, fstatSync, openSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { Failure } from './failure.ts'
import { progress, visible } from './output.ts'

/**
 * A file, or standard input for `-`, that is read as it is sent; how much of it shows on a terminal. Call `done` in the
 * end. Throws a Failure when it cannot be read.
 */
export function opened(file: string): { stream: Readable; done(): void } {
  const { stream, size } = file === '-' ? { stream: process.stdin, size: 0 } : read(file)
  const { show, done } = progress()
  let sent = 0
  stream.on('data', (chunk: Buffer | string) => {
    sent += chunk.length
    show(`${megabytes(sent)}${size > 0 ? ` of ${megabytes(size)}` : ''} sent`)
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

function read(file: string): { stream: Readable; size: number } {
  try {
    const descriptor = openSync(file, 'r')
    const about = fstatSync(descriptor)
    if (about.isDirectory()) throw new Error('it is a folder')
    return { stream: createReadStream(file, { fd: descriptor }), size: about.size }
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? (error as Error).message
    throw new Failure(`${visible(file)} cannot be read (${why}); name a file that is there, or - for standard input`)
  }
}

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
