import type { Control, ControlOptions } from './types.ts'
import { fillPath, parseBaseUrl, queryString } from './urls.ts'

/** An error answer of the server, or no answer. */
export class ControlError extends Error {
  override readonly name = 'ControlError'
  /** The call, such as `GET /clock`. */
  readonly call: string
  /** HTTP status; 0 if there was no answer. */
  readonly status: number
  /** The code of the error, such as `bad_request`; `no_answer` if there was none. */
  readonly error: string
  /** The parsed answer; undefined if there was none. */
  readonly body: unknown

  constructor(
    call: string,
    message: string,
    details: { status: number; error: string; body?: unknown; cause?: unknown },
  ) {
    super(`${call}: ${message}`, details.cause === undefined ? undefined : { cause: details.cause })
    this.call = call
    this.status = details.status
    this.error = details.error
    this.body = details.body
  }
}

/** The sandbox was closed before the call. */
export class SandboxClosed extends Error {
  constructor() {
    super('the sandbox is closed')
  }
}

/** The options of any call; the types restrict them for each. */
interface CallInput {
  path?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  signal?: AbortSignal | undefined
  snapshot?: string
}

/** A client of the server at `url`, which is the base address of the server or of one of its worlds. */
export function control(url: string | URL, { adminToken, fetch: fetchFn = fetch }: ControlOptions = {}): Control {
  const base = String(url).replace(/\/+$/, '')

  async function send(call: string, input: CallInput): Promise<Response> {
    const [method, path] = call.split(' ') as [string, string]
    const { body, signal, snapshot } = input
    const address = `${base}/_sandbox${fillPath(path, input.path)}${queryString(input.query)}`
    const headers = {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(adminToken !== undefined && { authorization: `Bearer ${adminToken}` }),
      ...(snapshot !== undefined && { 'x-sandbox-snapshot': encodeURIComponent(snapshot) }),
    }
    const text = body === undefined ? undefined : JSON.stringify(body)
    const answer = await fetchFn(address, {
      method,
      headers,
      ...(text !== undefined && { body: text }),
      ...(signal && { signal }),
    }).catch((cause) => {
      throw signal?.aborted ? cause : noResponse(call, base, cause)
    })
    if (!answer.ok) throw errorResponse(call, answer.status, await parseBody(call, base, answer))
    return answer
  }

  return {
    url: base,
    async call(call: string, input: CallInput = {}) {
      return (await parseBody(call, base, await send(call, input))) as never
    },
    async *events({ signal, ...filter } = {}) {
      const answer = await send('GET /events', { query: filter, signal })
      yield* parseEvents(answer.body!)
    },
    world(id) {
      const { server } = parseBaseUrl(base)
      return control(id === 1 ? server : `${server}/w/${id}`, { adminToken, fetch: fetchFn })
    },
  }
}

function noResponse(call: string, base: string, cause: Error): ControlError {
  if (cause.cause instanceof SandboxClosed)
    return new ControlError(call, cause.cause.message, { status: 0, error: 'no_answer', cause })
  const reason = (cause.cause as { code?: string } | undefined)?.code ?? cause.message
  return new ControlError(call, `no server answers at ${base} (${reason})`, { status: 0, error: 'no_answer', cause })
}

async function parseBody(call: string, base: string, answer: Response): Promise<unknown> {
  const { status } = answer
  let text: string
  try {
    text = await answer.text()
  } catch (cause) {
    throw noResponse(call, base, cause as Error)
  }
  if (text === '') return undefined
  // A recording is JSON lines.
  if (answer.headers.get('content-type')?.startsWith('application/x-ndjson')) return text
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ControlError(call, `the server at ${base} is not mercadito (status ${status}, no JSON)`, {
      status,
      error: 'no_json',
      body: text,
      cause,
    })
  }
}

function errorResponse(call: string, status: number, body: unknown): ControlError {
  const {
    message = `the server answered ${status}`,
    error = 'error',
    cause = [],
  } = (body ?? {}) as {
    message?: string
    error?: string
    cause?: unknown[]
  }
  // A failed test shows the calls that match most of the expectation.
  const details = cause.map((entry) => `\n  ${JSON.stringify(entry)}`).join('')
  return new ControlError(call, message + details, { status, error, body })
}

/** Parses server-sent events with `event` and one line of `data`. Their type depends on the kinds that were requested. */
async function* parseEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<never, void, undefined> {
  const decoder = new TextDecoder()
  // Safari does not iterate streams.
  const reader = body.getReader()
  let text = ''
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      text += decoder.decode(chunk.value, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop()!
      for (const block of blocks) {
        const [, type] = /^event: (.*)$/m.exec(block) ?? []
        const [, data] = /^data: (.*)$/m.exec(block) ?? []
        if (type !== undefined && data !== undefined) yield { type, ...JSON.parse(data) } as never
      }
    }
  } finally {
    // The caller may have left its loop; a stream that has failed rejects.
    await reader.cancel().catch(() => {})
  }
}
