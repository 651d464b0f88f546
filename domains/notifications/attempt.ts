import http from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import about from '../../package.json' with { type: 'json' }
import { headersOf, MOST_BODY, textOf } from './answers.ts'
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
  /**
   * Real time from the first byte sent (or, where none was, from the start) to the end of the answer or to the failure.
   */
  ms: number
  /** Short, for people; null: the answer came whole, or 64 KiB of its body. */
  error: string | null
}

/** An IP address, without brackets. */
export interface Pinned {
  address: string
  family: 4 | 6
}

/** What is sent where. */
export interface Posting {
  url: URL
  /**
   * What is connected to, whatever the URL's host resolves to by now: the first, or where nothing listens or no way
   * leads there, the next.
   */
  addresses: Pinned[]
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

const MOST_HEADERS = 16 * 1024
const REDIRECTS = [301, 302, 303, 307, 308]

export const secure = (url: URL): boolean => url.protocol === 'https:'

/** Why nothing more is sent. */
export const STOPPED = 'the server is stopping'

/** An attempt that never went out, and what it took all the same. */
export const unsent = (error: string, ms = 0): Attempt => ({
  http_code: null,
  headers: {},
  body: '',
  truncated: false,
  ms: Math.round(ms),
  error,
})

/** What the keeper of the agent does. */
export interface Keeper {
  agent: http.Agent
  /** Lets go of the agent's idle connections, so that the next request gets a new one. */
  freshen(): void
  /** A connection to this address was made. */
  reached(address: string): void
  /** Once, later than `post` returns: the agent takes the connection back right after this, or it is closed. */
  over(): void
}

/** POSTs once. */
export function post({ agent, freshen, reached, over }: Keeper, { url, addresses, body, patience }: Posting): Running {
  const { promise: attempt, resolve } = Promise.withResolvers<Attempt>()
  const begun = performance.now()
  let sent: number | undefined
  let head: http.IncomingMessage | undefined
  const pieces: Buffer[] = []
  let length = 0
  let settled = false
  let request: http.ClientRequest | undefined
  const further = [...addresses]
  /** The first address where nothing listens: of several failures the one to tell. */
  let refusal: NodeJS.ErrnoException | undefined

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

  function ask({ address, family }: Pinned): void {
    if (isIP(address) !== family) throw Object.assign(new Error(), { code: 'ERR_NO_ADDRESS' })
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
    let connected = false
    asked.on('socket', (socket) => {
      before = socket.bytesRead
      const goes = () => {
        sent ??= performance.now()
      }
      connected = asked.reusedSocket
      if (connected) return goes()
      socket.once('connect', () => {
        connected = true
        reached(address)
      })
      socket.once(secure(url) ? 'secureConnect' : 'connect', goes)
    })
    asked.on('response', (answer) => read(asked, answer))
    asked.on('upgrade', (answer, socket) => {
      head = answer
      socket.destroy()
      settle('answer switches to another protocol')
    })
    asked.on('error', (error: NodeJS.ErrnoException) => {
      const code = error.code ?? ''
      if (settled) return
      if (!connected && UNREACHED.includes(code)) {
        if (code === 'ECONNREFUSED') refusal ??= error
        const next = further.shift()
        return next ? attemptTo(next) : settle(wordsOf(refusal ?? error, false))
      }
      const stale = asked.reusedSocket && BROKEN.includes(code) && asked.socket?.bytesRead === before
      if (!stale) return settle(wordsOf(error, head !== undefined))
      // Once only: the next one is not kept from before.
      freshen()
      attemptTo({ address, family })
    })
    asked.on('close', () => {
      if (request === asked) over()
    })
    asked.end(bytes)
  }
  /** What Node refuses to send is a failed attempt too. */
  function attemptTo(pinned: Pinned): void {
    try {
      ask(pinned)
    } catch (error) {
      request = undefined
      settle(wordsOf(error as Error, false))
      queueMicrotask(over)
    }
  }

  attemptTo(further.shift() ?? { address: '', family: 4 })
  return { attempt, stop }
}

/** How connecting fails where nothing was sent, and another address may do. */
const UNREACHED = ['ECONNREFUSED', 'EADDRNOTAVAIL', 'ENETUNREACH', 'EHOSTUNREACH']

/** How a kept connection ends that the receiver had closed meanwhile. */
const BROKEN = ['ECONNRESET', 'EPIPE', 'ECONNABORTED']

/** What TLS asks for, and the certificate must bear: never an address, never with the dot of a full name. */
function serverName({ hostname }: URL): string {
  const name = hostname.replace(/^\[|\]$|\.$/g, '')
  return isIP(name) ? '' : name
}
