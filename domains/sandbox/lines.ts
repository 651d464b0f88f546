import type { Readable } from 'node:stream'

const NEWLINE = 10

/**
 * The lines of a stream, as many at a time as have come; the stream is read only as fast as they are taken. A line that
 * is longer than `longest` bytes comes as null and is the last one. Rejects when the stream breaks off.
 */
export async function* lines(stream: Readable, longest: number): AsyncGenerator<(string | null)[]> {
  let rest: Buffer = Buffer.alloc(0)
  // Who stops early still wants to answer: that the stream was given up would close its connection.
  for await (const piece of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, piece]) : piece
    const found: (string | null)[] = []
    let from = 0
    for (let to = bytes.indexOf(NEWLINE); to >= 0; to = bytes.indexOf(NEWLINE, from)) {
      found.push(to - from > longest ? null : bytes.toString('utf8', from, to))
      from = to + 1
    }
    rest = bytes.subarray(from)
    if (rest.length > longest) found.push(null)
    yield found
    if (found.at(-1) === null) return
  }
  if (rest.length > 0) yield [rest.toString('utf8')]
}
