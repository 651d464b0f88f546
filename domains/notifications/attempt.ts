import http from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import about from '../../package.json' with { type: 'json' }
import { wordsOf } from './failures.ts'

/** What one attempt to deliver came to. A receiver took it when it answered 200 and `error` is null. */
export interface Attempt {
  /** The code of the answer's head, also when what follows it failed; null: no answer. */
  http_code: number | null
  /** Names in lower case, those sent twice joined with commas; at most 16 KiB. */
  headers: Record<string, string>
  /** At most 64 KiB of it, read as UTF-8. */
  body: string
  /** The body was longer, and no more of it was read. */
  truncated: boolean
  /** Real time from the first byte sent (or, where none was, from the start) to the end of the answer or to the failure. */
  ms: number
  /** Short, for people; null: the answer came whole, or 64 KiB of its body. */
  error: string | null
}

/** What is sent where. */
export interface Posting {
  url: URL
  /** The IP address that is connected to, whatever the URL's host resolves to by now. */
  address: string
  family: 4 | 6
  /** JSON. */
  body: string
  /** Real ms for all of it: connecting, sending, and the whole answer. */
  patience: number
}

/** An attempt on its way. */
export interface Running {
  attempt: Promise<Attempt>
  /** Ends it now, for this reason. */
  stop(error: string): void
}

const MOST_BODY = 64 * 1024
const MOST_HEADERS = 16 * 1024
const REDIRECTS = [301, 302, 303, 307, 308]

export const secure = (url: URL): boolean => url.protocol === 'https:'

/** An attempt that never went out. */
export const unsent = (error: string): Attempt => ({
  http_code: null,
  headers: {},
  body: '',
  truncated: false,
  ms: 0,
  error,
})

/** What the keeper of the agent does. */
export interface Keeper {
  agent: http.Agent
  /** Lets go of the agent's idle connections, so that the next request gets a new one. */
  freshen(): void
  /** Once, later than `post` returns: the agent takes the connection back right after this, or it is closed. */
  over(): void
}

/** POSTs once. */
export function post({ agent, freshen, over }: Keeper, { url, address, family, body, patience }: Posting): Running {
  const { promise: attempt, resolve } = Promise.withResolvers<Attempt>()
  const begun = performance.now()
  let sent: number | undefined
  let head: http.IncomingMessage | undefined
  const pieces: Buffer[] = []
  let length = 0
  let settled = false
  let request: http.ClientRequest | undefined

  function settle(error: string | null): void {
    if (settled) return
    settled = true
    clearTimeout(timer)
    const truncated = length > MOST_BODY
    resolve({
      http_code: head?.statusCode ?? null,
      headers: head ? headersOf(head) : {},
      body: textOf(pieces, truncated),
      truncated,
      ms: Math.round(performance.now() - (sent ?? begun)),
      error: error ?? (REDIRECTS.includes(head?.statusCode ?? 0) ? 'redirects are not followed' : null),
    })
  }
  function stop(error: string | null): void {
    settle(error)
    request?.destroy()
  }
  const timer = setTimeout(() => {
    // An answer that lies in the socket already, while this process was busy, is read first.
    setImmediate(() => settled || stop(`no ${head ? 'whole ' : ''}answer within ${patience} ms`))
  }, patience)

  function read(asked: http.ClientRequest, answer: http.IncomingMessage): void {
    head = answer
    answer.on('data', (piece: Buffer) => {
      if (settled) return
      pieces.push(piece)
      length += piece.length
      if (length > MOST_BODY) stop(null)
    })
    // Who answers without having read all that was sent may never read it.
    answer.on('end', () => (asked.writableFinished ? settle(null) : stop(null)))
    answer.on('error', (error) => settle(wordsOf(error, true)))
  }

  function ask(): void {
    const bytes = Buffer.from(body)
    const asked = (secure(url) ? https : http).request({
      agent,
      protocol: url.protocol,
      method: 'POST',
      // The address itself, not a lookup that answers it: a host that is an address already would not be looked up.
      host: address,
      family,
      port: url.port,
      path: url.pathname + url.search,
      ...(secure(url) && { servername: serverName(url) }),
      headers: {
        host: url.host,
        accept: '*/*',
        'user-agent': `mercadito/${about.version}`,
        'content-type': 'application/json',
        'content-length': bytes.length,
      },
      maxHeaderSize: MOST_HEADERS,
    })
    request = asked
    let before = 0
    asked.on('socket', (socket) => {
      before = socket.bytesRead
      const goes = () => {
        sent ??= performance.now()
      }
      if (asked.reusedSocket) goes()
      else socket.once(secure(url) ? 'secureConnect' : 'connect', goes)
    })
    asked.on('response', (answer) => read(asked, answer))
    asked.on('upgrade', (answer, socket) => {
      head = answer
      socket.destroy()
      settle('answer switches to another protocol')
    })
    asked.on('error', (error: NodeJS.ErrnoException) => {
      const stale = asked.reusedSocket && BROKEN.includes(error.code ?? '') && asked.socket?.bytesRead === before
      if (settled || !stale) return settle(wordsOf(error, head !== undefined))
      // Once only: the next one is not kept from before.
      freshen()
      attemptTo(ask)
    })
    asked.on('close', () => {
      if (request === asked) over()
    })
    asked.end(bytes)
  }
  /** What Node refuses to send is a failed attempt too. */
  function attemptTo(go: () => void): void {
    try {
      go()
    } catch (error) {
      request = undefined
      settle(wordsOf(error as Error, false))
      queueMicrotask(over)
    }
  }

  attemptTo(() => {
    if (isIP(address) !== family) throw Object.assign(new Error(), { code: 'ERR_NO_ADDRESS' })
    ask()
  })
  return { attempt, stop }
}

/** How a kept connection ends that the receiver had closed meanwhile. */
const BROKEN = ['ECONNRESET', 'EPIPE', 'ECONNABORTED']

/** What TLS asks for, and the certificate must bear: never an address, never with the dot of a full name. */
function serverName({ hostname }: URL): string {
  const name = hostname.replace(/^\[|\]$|\.$/g, '')
  return isIP(name) ? '' : name
}

function headersOf({ rawHeaders }: http.IncomingMessage): Record<string, string> {
  const headers = new Map<string, string>()
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n]!.toLowerCase()
    const before = headers.get(name)
    headers.set(name, before === undefined ? rawHeaders[n + 1]! : `${before}, ${rawHeaders[n + 1]}`)
  }
  return Object.fromEntries(headers)
}

/** A character that the limit cut is left out; bytes that are no UTF-8 become U+FFFD. */
const textOf = (pieces: Buffer[], truncated: boolean): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(pieces).subarray(0, MOST_BODY), {
    stream: truncated,
  })
