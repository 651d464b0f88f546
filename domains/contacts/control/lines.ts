import type { Readable } from 'node:stream'

const NEWLINE = 10

/**
 * Yields the lines of a stream in batches, with backpressure. A line that is too long is yielded as null, and is the
 * last one. Rejects if the stream breaks off.
 */
export async function* readLines(stream: Readable, maxBytes: number): AsyncGenerator<(string | null)[]> {
  let rest: Buffer = Buffer.alloc(0)
  // A consumer that stops early must still answer; destroying the stream would close the connection.
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const complete: (string | null)[] = []
    let from = 0
    for (let to = bytes.indexOf(NEWLINE); to >= 0; to = bytes.indexOf(NEWLINE, from)) {
      complete.push(to - from > maxBytes ? null : bytes.toString('utf8', from, to))
      from = to + 1
    }
    rest = bytes.subarray(from)
    if (rest.length > maxBytes) complete.push(null)
    yield complete
    if (complete.at(-1) === null) return
  }
  if (rest.length > 0) yield [rest.toString('utf8')]
}
