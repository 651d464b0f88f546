import type { IncomingMessage, ServerResponse } from 'node:http'

/** Bytes of a body in a recording; longer ones are left out. No answer of the emulated API is longer. */
const MAX_BODY_BYTES = 8 * 1024 * 1024

/** The bytes that pass, up to MAX_BODY_BYTES. */
export class Tap {
  #chunks: Buffer[] = []
  #bytes = 0

  /** Leaves the body out of the recording. */
  leaveOut(): void {
    this.#bytes = Number.POSITIVE_INFINITY
    this.#chunks = []
  }

  get isTooLong(): boolean {
    return this.#bytes > MAX_BODY_BYTES
  }

  add(chunk: unknown, encoding?: unknown): void {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return
    const bytes =
      typeof chunk === 'string'
        ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
        : Buffer.from(chunk)
    this.#bytes += bytes.length
    if (this.isTooLong) this.#chunks = []
    else this.#chunks.push(bytes)
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks)
  }
}

/** Copies the body of a request as it arrives, for any parser. */
export function tapRequest(raw: IncomingMessage): Tap {
  const tap = new Tap()
  const push = raw.push.bind(raw)
  raw.push = (chunk: unknown, encoding?: BufferEncoding) => {
    tap.add(chunk, encoding)
    return push(chunk, encoding)
  }
  return tap
}

/**
 * Copies the body of an answer as it is sent. `onEnd` is called once: before the end is sent, with true, or when the
 * connection has ended without it.
 */
export function tapResponse(raw: ServerResponse, onEnd: (isComplete: boolean) => void): Tap {
  const tap = new Tap()
  let hasEnded = false
  const settle = (isComplete: boolean) => {
    if (hasEnded) return
    hasEnded = true
    onEnd(isComplete)
  }
  const write = raw.write.bind(raw) as (...given: unknown[]) => boolean
  const end = raw.end.bind(raw) as (...given: unknown[]) => ServerResponse
  raw.write = ((...given: unknown[]) => {
    tap.add(given[0], given[1])
    return write(...given)
  }) as typeof raw.write
  raw.end = ((...given: unknown[]) => {
    // Node may call `write` of the response for the last chunk: it is counted here, and never again.
    raw.write = write as typeof raw.write
    tap.add(given[0], given[1])
    settle(!raw.destroyed)
    return end(...given)
  }) as typeof raw.end
  raw.once('close', () => settle(false))
  return tap
}
