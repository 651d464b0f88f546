import type { Writable } from 'node:stream'

/** Of lines that the reader has not taken yet; further ones are dropped. */
const MAX_BUFFERED_BYTES = 1024 * 1024
const FLUSH_MS = 250

/** Lines of the log. Node writes pipes in the background: a reader that stops must not stop the server. */
export interface LogStream {
  write(line: string): void
  /** Lines that were dropped so far. */
  dropped(): number
  /** Resolves when all lines are written, or after a moment without a reader. */
  flush(): Promise<void>
}

/** `onDropped` is called when lines can be written again after some were dropped. */
export function openLogStream(output: Writable, onDropped: (lines: number) => void): LogStream {
  let dropped = 0
  let reported = 0
  const report = () => {
    const lines = dropped - reported
    reported = dropped
    onDropped(lines)
  }
  // The reader has closed the pipe: no report could reach it.
  output.on('error', () => {})
  return {
    write(line) {
      if (output.writable && output.writableLength + line.length <= MAX_BUFFERED_BYTES) return void output.write(line)
      if (dropped === reported) output.once('drain', report)
      dropped++
    },
    dropped: () => dropped,
    flush: () =>
      new Promise((resolve) => {
        setTimeout(resolve, FLUSH_MS)
        if (output.writable) output.write('', () => resolve())
        else resolve()
      }),
  }
}
