import type { CallLine, Line } from '../control/recording/format.ts'
import type { NumberedLine } from './read.ts'

/** Calls that wait for one with a lower number. A call without an answer may have no line. */
const MAX_WAITING = 1000

/**
 * Lines in the order in which they took effect: a recording has calls in the order of their answers, with the numbers
 * of their starts. Other lines stay where they are among the calls.
 */
export async function* inOrder(lines: AsyncIterable<NumberedLine>): AsyncGenerator<Line> {
  const waiting = new Map<number, CallLine>()
  let next = 1
  function* takeReady(maxWaiting: number): Generator<Line> {
    for (;;) {
      if (!waiting.has(next)) {
        if (waiting.size <= maxWaiting) return
        next = Math.min(...waiting.keys())
      }
      yield waiting.get(next)!
      waiting.delete(next++)
    }
  }
  for await (const { line } of lines) {
    if (line.kind === 'call' || line.kind === 'control') {
      if (line.n < next) yield line
      else waiting.set(line.n, line)
      yield* takeReady(MAX_WAITING)
      continue
    }
    // A state replaces what the calls before it have changed.
    if (line.kind === 'state') yield* takeReady(0)
    yield line
  }
  yield* takeReady(0)
}
