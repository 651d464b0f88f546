import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { CallLine, Line } from '../control/recording/format.ts'
import { printable } from '../domains/shared/commands.ts'
import { usageError } from '../lib/cli/errors.ts'
import { InvalidLine, parseLine } from './check_line.ts'

/** Bytes of a recording, decompressed. */
const MAX_BYTES = 2 ** 30
const MAX_LINE_BYTES = 64 * 1024 * 1024
const GZIP = Buffer.from([0x1f, 0x8b])
const NEWLINE = 0x0a

/** A line with its number in the file. */
interface NumberedLine {
  number: number
  line: Line
}

/** Bounds that tests lower. */
export interface Bounds {
  maxBytes?: number
}

/**
 * The lines of a recording. An unfinished last line is left out: a killed server leaves one. Throws a
 * CliError that names the file, the line and what is wrong.
 */
export async function* readLines(file: string, { maxBytes = MAX_BYTES }: Bounds = {}): AsyncGenerator<NumberedLine> {
  const failed = (why: string) => usageError(`${printable(file)}: ${why}`)
  let number = 0
  try {
    for await (const bytes of splitLines(await openRecording(file), maxBytes)) {
      number++
      const line = parseLine(bytes.toString())
      if (number === 1 && line.kind !== 'header') throw new InvalidLine('kind: must be "header"')
      if (number > 1 && line.kind === 'header') throw new InvalidLine('kind: the file has a second header')
      yield { number, line }
    }
  } catch (error) {
    throw error instanceof InvalidLine
      ? failed(
          number <= 1
            ? `is not a recording of this version (line 1: ${error.message})`
            : `line ${number}: ${error.message}`,
        )
      : toReadError(error as NodeJS.ErrnoException, failed)
  }
  if (number === 0) throw failed('is not a recording: it has no header')
}

/** Whether a file is compressed. Throws a CliError if it cannot be read. */
export const isCompressed = (file: string): Promise<boolean> =>
  isGzip(file).catch((error) => {
    throw toReadError(error, (why) => usageError(`${printable(file)}: ${why}`))
  })

async function openRecording(file: string): Promise<Readable> {
  const hasGzip = await isGzip(file)
  const stream = createReadStream(file)
  if (!hasGzip) return stream
  const unzipped = createGunzip()
  stream.on('error', (error) => unzipped.destroy(error)).pipe(unzipped)
  return unzipped.once('close', () => stream.destroy())
}

async function isGzip(file: string): Promise<boolean> {
  const handle = await open(file, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0)
    return bytesRead === 2 && buffer.equals(GZIP)
  } finally {
    await handle.close()
  }
}

class TooLarge extends Error {}

/** The bytes between newlines; bytes after the last one are left out. */
async function* splitLines(stream: Readable, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0
  let unfinished: Buffer[] = []
  let unfinishedBytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new TooLarge(`it has more than ${maxBytes} bytes when it is decompressed`)
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      yield Buffer.concat([...unfinished, chunk.subarray(from, end)])
      unfinished = []
      unfinishedBytes = 0
      from = end + 1
    }
    unfinished.push(chunk.subarray(from))
    unfinishedBytes += chunk.length - from
    if (unfinishedBytes > MAX_LINE_BYTES) throw new TooLarge(`a line has more than ${MAX_LINE_BYTES} bytes`)
  }
}

function toReadError(error: NodeJS.ErrnoException, failed: (why: string) => Error): Error {
  const { code = '', message } = error
  if (error instanceof TooLarge) return failed(message)
  if (code === 'Z_BUF_ERROR') return failed('it is truncated: the compressed data ends too early')
  if (code.startsWith('Z_')) return failed(`it is damaged: ${message}`)
  if (code === 'ENOENT') return failed('there is no such file')
  return code === '' ? error : failed(`cannot be read (${code})`)
}

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
