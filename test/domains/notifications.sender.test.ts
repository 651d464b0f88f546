import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import tls from 'node:tls'
import t, { type Test } from 'tap'
import type { Attempt, DeliveryRequest, PinnedAddress } from '../../domains/notifications/outbound/attempt.ts'
import { openSender, type Sender } from '../../domains/notifications/outbound/sender.ts'
import about from '../../package.json' with { type: 'json' }

/** Longer than any test. */
const LONG_TIMEOUT_MS = 60_000
const BODY = '{"topic":"questions","resource":"/questions/1","text":"¿Hay envío?"}'
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'
const SUCCESS: Attempt = { http_code: 200, headers: {}, body: '', truncated: false, ms: 0, error: null }

interface Receiver {
  url: URL
  /** One for each connection, in order. */
  sockets: Socket[]
  /** The received requests, heads and bodies. */
  requests: string[]
}

/** A raw TCP server; `answer` is called for each complete request. */
async function receiver(
  t: Test,
  answer: (socket: Socket, connection: number) => void,
  create: (onConnection: (socket: Socket) => void) => ReturnType<typeof createServer> = createServer,
): Promise<Receiver> {
  const sockets: Socket[] = []
  const requests: string[] = []
  const server = create((socket) => {
    const connection = sockets.push(socket)
    let text = ''
    socket.setEncoding('latin1')
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      text += chunk
      const [, head, length] = /^([\s\S]*?content-length: (\d+)[\s\S]*?\r\n\r\n)/i.exec(text) ?? []
      if (!head || text.length < head.length + Number(length)) return
      requests.push(Buffer.from(text, 'latin1').toString())
      text = ''
      answer(socket, connection)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return { url: new URL(`http://127.0.0.1:${port}/hook`), sockets, requests }
}

const respondWith = (text: string) => (socket: Socket) => void socket.write(text)

/** Resolves also after a reset. */
const closed = (socket: Socket) =>
  new Promise<void>((resolve) => (socket.closed ? resolve() : socket.once('close', () => resolve())))

function sender(t: Test, options?: Parameters<typeof openSender>[0]): Sender {
  const opened = openSender(options)
  t.teardown(() => opened.close())
  return opened
}

const LOCAL: PinnedAddress = { address: '127.0.0.1', family: 4 }

const to = (url: URL, more: Partial<DeliveryRequest> = {}): DeliveryRequest => ({
  url,
  addresses: [LOCAL],
  body: BODY,
  timeoutMs: LONG_TIMEOUT_MS,
  ...more,
})

/** Compares everything but the duration, which only must be valid. */
function matchAttempt(t: Test, attempt: Attempt, expected: Partial<Attempt>, name?: string): void {
  t.strictSame({ ...attempt, ms: 0 }, { ...SUCCESS, ...expected }, name ?? 'attempt')
  t.ok(Number.isInteger(attempt.ms) && attempt.ms >= 0, `${name ?? ''} ${attempt.ms} ms`)
}

t.test('posts a notification as JSON', async (t) => {
  const { url, requests } = await receiver(
    t,
    respondWith('HTTP/1.1 200 OK\r\nX-A: 1\r\ncontent-length: 4\r\nx-a: 2\r\n\r\nsí!'),
  )
  url.search = '?a=1'
  const { send } = sender(t)
  matchAttempt(t, await send(to(url)), { headers: { 'x-a': '1, 2', 'content-length': '4' }, body: 'sí!' })
  t.strictSame(requests, [
    'POST /hook?a=1 HTTP/1.1\r\n' +
      `host: ${url.host}\r\naccept: */*\r\nuser-agent: mercadito/${about.version}\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(BODY)}\r\nConnection: keep-alive\r\n\r\n${BODY}`,
  ])
})

t.test('reports the responses of receivers', async (t) => {
  const html = { headers: { 'content-length': '3' }, body: 'no!' }
  const rows: [name: string, answer: string, attempt: Partial<Attempt>][] = [
    ['500', 'HTTP/1.1 500 Oops\r\ncontent-length: 3\r\n\r\nno!', { http_code: 500, ...html }],
    ['204', 'HTTP/1.1 204 Nothing\r\n\r\n', { http_code: 204 }],
    [
      '301',
      'HTTP/1.1 301 Moved\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 3\r\n\r\nno!',
      {
        http_code: 301,
        headers: { location: 'http://127.0.0.1:1/', 'content-length': '3' },
        body: 'no!',
        error: 'redirects are not followed',
      },
    ],
    [
      'informational responses first',
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nno!',
      html,
    ],
    [
      'switching protocols',
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n\0\0',
      {
        http_code: 101,
        headers: { upgrade: 'websocket', connection: 'upgrade' },
        error: 'answer switches to another protocol',
      },
    ],
    ['garbage', 'SSH-2.0-OpenSSH_9.6\r\n', { http_code: null, error: 'answer is no HTTP' }],
    ['binary garbage', '\0\u00ff\u00fe\r\n\r\n', { http_code: null, error: 'answer is no HTTP' }],
    [
      'garbage instead of a chunk',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
      {
        headers: { 'transfer-encoding': 'chunked' },
        error: 'body of the answer is no HTTP',
      },
    ],
    [
      'a header named __proto__',
      'HTTP/1.1 200 OK\r\n__proto__: x\r\ncontent-length: 0\r\n\r\n',
      { headers: JSON.parse('{"__proto__":"x","content-length":"0"}') },
    ],
    [
      'a body that is not UTF-8',
      'HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\na\u00ffb',
      { headers: { 'content-length': '3' }, body: 'a\ufffdb' },
    ],
  ]
  for (const [name, answer, attempt] of rows) {
    const { url } = await receiver(t, (socket) => socket.write(answer, 'latin1'))
    matchAttempt(t, await sender(t).send(to(url)), attempt, name)
  }
})

t.test('reports receivers that close the connection, without trying again', async (t) => {
  const half = 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'
  const rest = { headers: { 'content-length': '10' }, body: 'half' }
  const rows: [name: string, answer: (socket: Socket) => void, attempt: Partial<Attempt>][] = [
    ['closes', (socket) => socket.end(), { http_code: null, error: 'closed without an answer' }],
    ['resets', (socket) => socket.resetAndDestroy(), { http_code: null, error: 'connection reset' }],
    [
      'closes in the head',
      (socket) => socket.end('HTTP/1.1 200'),
      { http_code: null, error: 'closed without an answer' },
    ],
    ['closes in the body', (socket) => socket.end(half), { ...rest, error: 'answer broke off' }],
  ]
  for (const [name, answer, attempt] of rows) {
    const { url, sockets } = await receiver(t, answer)
    matchAttempt(t, await sender(t).send(to(url)), attempt, name)
    t.equal(sockets.length, 1, `${name}: one connection`)
  }
})

t.test('ends an attempt at its time limit and closes the connection', async (t) => {
  const rows: [name: string, answer: string, attempt: Partial<Attempt>][] = [
    ['nothing', '', { http_code: null, error: 'no answer within 400 ms' }],
    ['half a head', 'HTTP/1.1 200 OK\r\n', { http_code: null, error: 'no answer within 400 ms' }],
    [
      'a head but no body',
      'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n',
      { headers: { 'content-length': '10' }, error: 'no whole answer within 400 ms' },
    ],
    ['a body without an end', 'HTTP/1.1 200 OK\r\n\r\nok', { body: 'ok', error: 'no whole answer within 400 ms' }],
  ]
  await Promise.all(
    rows.map(async ([name, answer, attempt]) => {
      const { url, sockets } = await receiver(t, (socket) => void (answer && socket.write(answer)))
      matchAttempt(t, await sender(t).send(to(url, { timeoutMs: 400 })), attempt, name)
      await closed(sockets[0]!)
      t.equal(sockets.length, 1, `${name}: the connection is closed`)
    }),
  )
})

t.test('accepts a slow response within the time limit', async (t) => {
  const { url } = await receiver(t, (socket) => void setTimeout(() => socket.write(OK), 25))
  const attempt = await sender(t).send(to(url))
  matchAttempt(t, attempt, { headers: { 'content-length': '0' } })
  t.ok(attempt.ms >= 24, `${attempt.ms} ms`)
})

t.test('accepts a response that arrived while the event loop was blocked', async (t) => {
  const { url } = await receiver(t, (socket) => {
    socket.write(OK, () => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 260)
    })
  })
  matchAttempt(t, await sender(t).send(to(url, { timeoutMs: 250 })), { headers: { 'content-length': '0' } })
})

t.test('reads at limit 64 KiB of a body', async (t) => {
  const limit = 64 * 1024
  const head = (length: number) => `HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n\r\n`
  const endless = (socket: Socket) => {
    const more = () => {
      while (!socket.destroyed && socket.write('a'.repeat(16_384)));
    }
    socket.on('drain', more)
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    more()
  }
  const rows: [name: string, answer: (socket: Socket) => void, attempt: Partial<Attempt>][] = [
    [
      'exactly 64 KiB',
      respondWith(head(limit) + 'a'.repeat(limit)),
      { headers: { 'content-length': '65536' }, body: 'a'.repeat(limit) },
    ],
    [
      'one byte more, inside a character',
      respondWith(`${head(limit + 1)}${'a'.repeat(limit - 1)}ñ`),
      { headers: { 'content-length': '65537' }, body: 'a'.repeat(limit - 1), truncated: true },
    ],
    [
      '10 MB',
      respondWith(head(10_000_000) + 'a'.repeat(10_000_000)),
      { headers: { 'content-length': '10000000' }, body: 'a'.repeat(limit), truncated: true },
    ],
    ['without an end', endless, { body: 'a'.repeat(limit), truncated: true }],
  ]
  for (const [name, answer, attempt] of rows) {
    const { url, sockets } = await receiver(t, answer)
    matchAttempt(t, await sender(t).send(to(url)), attempt, name)
    if (attempt.truncated) await closed(sockets[0]!)
  }
})

t.test('rejects more than 16 KiB of headers', async (t) => {
  const line = (length: number) => `x-a: ${'a'.repeat(length)}\r\n`
  const endless = (socket: Socket) => {
    const more = () => {
      while (!socket.destroyed && socket.write(line(1000)));
    }
    socket.on('drain', more)
    socket.write('HTTP/1.1 200 OK\r\n')
    more()
  }
  const rows: [name: string, answer: (socket: Socket) => void, attempt: Partial<Attempt>][] = [
    [
      'many',
      respondWith(`HTTP/1.1 200 OK\r\n${line(16_000)}content-length: 0\r\n\r\n`),
      { headers: { 'x-a': 'a'.repeat(16_000), 'content-length': '0' } },
    ],
    [
      'too many',
      respondWith(`HTTP/1.1 200 OK\r\n${line(17_000)}content-length: 0\r\n\r\n`),
      { http_code: null, error: 'answer has more than 16 KiB of headers' },
    ],
    ['without an end', endless, { http_code: null, error: 'answer has more than 16 KiB of headers' }],
  ]
  for (const [name, answer, attempt] of rows) {
    const { url } = await receiver(t, answer)
    matchAttempt(t, await sender(t).send(to(url)), attempt, name)
  }
})

t.test('reports refused connections and requests that cannot be sent', async (t) => {
  const { send } = sender(t)
  const closing = createServer().listen(0, '127.0.0.1')
  await once(closing, 'listening')
  const { port } = closing.address() as { port: number }
  closing.close()
  await once(closing, 'close')
  const url = new URL(`http://127.0.0.1:${port}/`)
  matchAttempt(t, await send(to(url)), { http_code: null, error: 'connection refused' })
  const none: PinnedAddress[][] = [[], [{ ...LOCAL, address: 'localhost' }], [{ ...LOCAL, family: 6 }]]
  for (const addresses of none)
    matchAttempt(t, await send(to(url, { addresses })), { http_code: null, error: 'there is no address to connect to' })
  matchAttempt(t, await send(to(new URL('ftp://127.0.0.1/'))), {
    http_code: null,
    error: 'cannot send: ERR_INVALID_PROTOCOL',
  })
})

t.test('connects to the pinned address, whatever host the URL names', async (t) => {
  const { url, requests } = await receiver(t, respondWith(OK))
  for (const host of ['receiver.invalid', '10.255.255.1', '[::1]']) {
    const other = new URL(`http://${host}:${url.port}/hook`)
    matchAttempt(t, await sender(t).send(to(other)), { headers: { 'content-length': '0' } }, host)
    t.match(requests.at(-1), `host: ${host}:${url.port}\r\n`)
  }
})

/** Nothing listens here: receivers listen on 127.0.0.1 only. */
const NOT_LISTENING = ['127.0.0.2', '127.0.0.3'].map((address): PinnedAddress => ({ address, family: 4 }))
/** The system rejects it at once. */
const UNREACHABLE: PinnedAddress = { address: '255.255.255.255', family: 4 }

t.test('tries the next address when one refuses or is unreachable', async (t) => {
  const { url, requests } = await receiver(t, respondWith(OK))
  const ok = { headers: { 'content-length': '0' } }
  const rows: [name: string, addresses: PinnedAddress[], attempt: Partial<Attempt>][] = [
    ['the second', [NOT_LISTENING[0]!, LOCAL], ok],
    ['the third', [...NOT_LISTENING, LOCAL], ok],
    ['not the one after', [UNREACHABLE, LOCAL, NOT_LISTENING[0]!], ok],
    ['none', NOT_LISTENING, { http_code: null, error: 'connection refused' }],
    ['one refuses', [NOT_LISTENING[0]!, UNREACHABLE], { http_code: null, error: 'connection refused' }],
    ['none reachable', [UNREACHABLE, UNREACHABLE], { http_code: null, error: 'no route to the receiver' }],
  ]
  for (const [name, addresses, attempt] of rows)
    matchAttempt(t, await sender(t).send(to(url, { addresses })), attempt, name)
  t.equal(requests.length, 3)
})

t.test('sends once: no other address is tried after a connection', async (t) => {
  const { url, requests } = await receiver(t, (socket) => socket.resetAndDestroy())
  const addresses = [NOT_LISTENING[0]!, LOCAL, NOT_LISTENING[1]!]
  matchAttempt(t, await sender(t).send(to(url, { addresses })), { http_code: null, error: 'connection reset' })
  const quiet = await receiver(t, () => {})
  matchAttempt(t, await sender(t).send(to(quiet.url, { addresses, timeoutMs: 500 })), {
    http_code: null,
    error: 'no answer within 500 ms',
  })
  t.strictSame([requests.length, quiet.requests.length], [1, 1])
})

t.test('reuses an idle connection to any of the addresses, else tries them in order', async (t) => {
  const { url, sockets, requests } = await receiver(t, respondWith(OK))
  const { send } = sender(t)
  const addresses = [NOT_LISTENING[0]!, LOCAL]
  const ok = { headers: { 'content-length': '0' } }
  matchAttempt(t, await send(to(url, { addresses })), ok)
  let refused = 0
  const first = await new Promise<ReturnType<typeof createServer>>((resolve) => {
    const server = createServer((socket) => {
      refused++
      socket.resetAndDestroy()
    })
    server.listen(Number(url.port), NOT_LISTENING[0]!.address, () => resolve(server))
  })
  t.teardown(() => first.close())
  matchAttempt(t, await send(to(url, { addresses })), ok, 'kept')
  t.strictSame([requests.length, sockets.length, refused], [2, 1, 0])
  matchAttempt(t, await send(to(url, { addresses: [...addresses, NOT_LISTENING[1]!] })), {
    http_code: null,
    error: 'connection reset',
  })
  t.equal(refused, 1, 'other addresses are another target, tried from the first')
})

t.test('reuses connections, at limit 16 for one target', async (t) => {
  const { url, sockets, requests } = await receiver(t, respondWith(OK))
  const { send } = sender(t)
  for (let n = 0; n < 15; n++) matchAttempt(t, await send(to(url)), { headers: { 'content-length': '0' } })
  t.strictSame([requests.length, sockets.length], [15, 1])
  await Promise.all(Array.from({ length: 50 }, () => send(to(url))))
  t.strictSame([requests.length, sockets.length], [65, 16])
})

t.test('replaces a stale connection once', async (t) => {
  const closes = (socket: Socket) => void socket.end()
  const resets = (socket: Socket) => void socket.resetAndDestroy()
  const rows: [
    string,
    later: (socket: Socket) => void,
    fresh: (socket: Socket) => void,
    Partial<Attempt>,
    connections: number,
  ][] = [
    ['closed', closes, respondWith(OK), { headers: { 'content-length': '0' } }, 2],
    ['reset', resets, respondWith(OK), { headers: { 'content-length': '0' } }, 2],
    ['closed twice', closes, closes, { http_code: null, error: 'closed without an answer' }, 2],
    ['reset twice', resets, resets, { http_code: null, error: 'connection reset' }, 2],
    [
      'half a head',
      (socket) => socket.end('HTTP'),
      respondWith(OK),
      { http_code: null, error: 'closed without an answer' },
      1,
    ],
  ]
  for (const [name, later, fresh, attempt, connections] of rows) {
    let first = true
    const { url, sockets } = await receiver(t, (socket, connection) => {
      if (first) socket.write(OK)
      else if (connection === 1) later(socket)
      else fresh(socket)
      first = false
    })
    const { send } = sender(t)
    matchAttempt(t, await send(to(url)), { headers: { 'content-length': '0' } }, name)
    matchAttempt(t, await send(to(url)), attempt, name)
    t.equal(sockets.length, connections, name)
  }
})

t.test('replaces a stale connection by a new one, not by another idle one', async (t) => {
  const both = Promise.withResolvers<void>()
  const { url, sockets, requests } = await receiver(t, async (socket, connection) => {
    if (requests.length > 2 && connection < 3) return socket.end()
    if (connection === 2) both.resolve()
    await both.promise
    socket.write(OK)
  })
  const { send } = sender(t)
  await Promise.all([send(to(url)), send(to(url))])
  matchAttempt(t, await send(to(url)), { headers: { 'content-length': '0' } })
  t.strictSame([requests.length, sockets.length], [4, 3])
})

t.test('does not replace an idle connection that gives no response', async (t) => {
  let first = true
  const { url, sockets } = await receiver(t, (socket) => {
    if (first) socket.write(OK)
    first = false
  })
  const { send } = sender(t)
  await send(to(url))
  matchAttempt(t, await send(to(url, { timeoutMs: 30 })), { http_code: null, error: 'no answer within 30 ms' })
  t.equal(sockets.length, 1)
})

t.test('a slow receiver does not delay others', async (t) => {
  const full = Promise.withResolvers<void>()
  const slow = await receiver(t, (_, connection) => void (connection === 16 && full.resolve()))
  const quick = await receiver(t, respondWith(OK))
  const { send, close } = sender(t)
  let ended = 0
  const stuck = Array.from({ length: 64 }, () => send(to(slow.url)).finally(() => ended++))
  await full.promise
  for (let n = 0; n < 3; n++) matchAttempt(t, await send(to(quick.url)), { headers: { 'content-length': '0' } })
  t.strictSame([ended, slow.sockets.length], [0, 16], 'the maximum for one target')
  await close()
  t.equal(slow.sockets.length, 16, 'queued attempts were not started')
  for (const attempt of await Promise.all(stuck))
    matchAttempt(t, attempt, { http_code: null, error: 'the server is stopping' })
  matchAttempt(t, await send(to(quick.url)), { http_code: null, error: 'the server is stopping' }, 'after closing')
  await close()
})

t.test('many slow receivers leave a connection for a new one', async (t) => {
  const { send } = sender(t, { maxSockets: 4 })
  const slow = [await receiver(t, () => {}), await receiver(t, () => {})]
  for (const { url } of slow) for (let n = 0; n < 10; n++) void send(to(url))
  const quick = await receiver(t, respondWith(OK))
  matchAttempt(t, await send(to(quick.url)), { headers: { 'content-length': '0' } })
  t.strictSame(
    slow.map(({ sockets }) => sockets.length),
    [2, 1],
  )
})

t.test('waiting for a connection does not count towards the time limit', async (t) => {
  const { url, sockets, requests } = await receiver(t, (socket) => {
    if (requests.at(-1)!.endsWith('"quick"')) socket.write(OK)
  })
  const { send } = sender(t, { maxPerTarget: 1 })
  const [slow, waited] = await Promise.all([
    send(to(url, { body: '"slow"', timeoutMs: 60 })),
    send(to(url, { body: '"quick"' })),
  ])
  matchAttempt(t, slow, { http_code: null, error: 'no answer within 60 ms' })
  matchAttempt(t, waited, { headers: { 'content-length': '0' } })
  t.equal(sockets.length, 2)
})

t.test('closes the oldest idle connection when the limit is reached', async (t) => {
  const { send } = sender(t, { maxSockets: 2 })
  const [a, b, c] = [
    await receiver(t, respondWith(OK)),
    await receiver(t, respondWith(OK)),
    await receiver(t, respondWith(OK)),
  ]
  for (const { url } of [a, b, c]) await send(to(url))
  await closed(a.sockets[0]!)
  for (const { url } of [b, c]) await send(to(url))
  t.strictSame(
    [a, b, c].map(({ sockets }) => sockets.length),
    [1, 1, 1],
    'the oldest was closed, the others were reused',
  )
})

t.test('close ends idle connections', async (t) => {
  const { url, sockets } = await receiver(t, respondWith(OK))
  const { send, close } = openSender()
  await send(to(url))
  await close()
  await closed(sockets[0]!)
  t.equal(sockets.length, 1)
})

t.test('close ends attempts in flight', async (t) => {
  const { url } = await receiver(t, () => {})
  const { send, close } = openSender()
  const begun = send(to(url))
  await close()
  matchAttempt(t, await begun, { http_code: null, error: 'the server is stopping' })
})

t.test('verifies certificates', async (t) => {
  const names: (string | false)[] = []
  const { url } = await receiver(t, respondWith(OK), (onConnection) =>
    tls.createServer({ key: KEY, cert: CERTIFICATE }, (socket) => {
      names.push(socket.servername ?? false)
      onConnection(socket)
    }),
  )
  const at = (host: string) => new URL(`https://${host}:${url.port}/hook`)
  matchAttempt(t, await sender(t).send(to(at('receiver.test'))), {
    http_code: null,
    error: 'certificate is not trusted',
  })
  const trusted = tls.getCACertificates('default')
  t.teardown(() => tls.setDefaultCACertificates(trusted))
  tls.setDefaultCACertificates([CERTIFICATE])
  names.length = 0
  const { send } = sender(t)
  for (const host of ['receiver.test', 'receiver.test', 'receiver.test.'])
    matchAttempt(t, await send(to(at(host))), { headers: { 'content-length': '0' } }, host)
  t.strictSame(names, ['receiver.test', 'receiver.test'], 'SNI has no trailing dot; the connection was reused')
  for (const host of ['other.test', '127.0.0.1'])
    matchAttempt(t, await send(to(at(host))), { http_code: null, error: 'certificate is for another host' }, host)
  const silent = await receiver(t, () => {})
  matchAttempt(t, await send(to(new URL(`https://receiver.test:${silent.url.port}/`), { timeoutMs: 30 })), {
    http_code: null,
    error: 'no answer within 30 ms',
  })
  const plain = await receiver(
    t,
    () => {},
    (onConnection) =>
      createServer((socket) => {
        onConnection(socket)
        socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')
      }),
  )
  matchAttempt(t, await send(to(new URL(`https://receiver.test:${plain.url.port}/`))), {
    http_code: null,
    error: 'TLS failed',
  })
})

/** Self-signed for receiver.test, only for tests. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgU4FHthVrrXECd/qI
eqLkVrR3x1P8owUAm26qDc75vYuhRANCAAS8FVlWP0GgBbV6855ndzOtbFS54Mlv
Y77U4yoJmzf106QHsOb2M+FGNRIqxUVBMeF+eBfjmRkAsEooRIRHWh5P
-----END PRIVATE KEY-----`
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBTjCB9KADAgECAgEBMAoGCCqGSM49BAMCMBgxFjAUBgNVBAMMDXJlY2VpdmVy
LnRlc3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBgxFjAUBgNV
BAMMDXJlY2VpdmVyLnRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAS8FVlW
P0GgBbV6855ndzOtbFS54MlvY77U4yoJmzf106QHsOb2M+FGNRIqxUVBMeF+eBfj
mRkAsEooRIRHWh5Poy0wKzAYBgNVHREEETAPgg1yZWNlaXZlci50ZXN0MA8GA1Ud
EwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSQAwRgIhAOhQOujw7I6smxaq1TmtEq9y
T2YMh9xPfwLyqn1XGVQbAiEA7Zk8H7+xQjUalqtKrDyiwWNJ49gOPx5x+QLROXjq
p8E=
-----END CERTIFICATE-----`
