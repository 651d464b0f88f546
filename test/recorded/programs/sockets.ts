import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { type Exchange, readable, textOf } from '../exchange.ts'
import { withoutDate, withoutDurations, withoutPorts } from '../normal.ts'
import { serverOf } from '../server.ts'

/** Ms between two pieces of a request. */
const PAUSE = 20

const get = (path: string, ...headers: string[]) =>
  `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${headers.map((one) => `${one}\r\n`).join('')}\r\n`
const post = (path: string, body: string, ...headers: string[]) =>
  `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${headers.map((one) => `${one}\r\n`).join('')}\r\n${body}`
const chunked = (path: string, ...pieces: string[]) => [
  `POST ${path} HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n`,
  ...pieces,
]

/** Requests as bytes; an array is sent piece by piece. */
const requests = (token: string, item: string): [name: string, bytes: string | string[]][] => {
  const bearer = `authorization: Bearer ${token}`
  const asked = JSON.stringify({ site_id: 'MLA' })
  return [
    ['nothing', ''],
    ['no HTTP', 'hello\r\n\r\n'],
    ['half a request line', 'GET /currencies'],
    ['half a head', 'GET /currencies HTTP/1.1\r\nhost: local'],
    ['no Host', 'GET /currencies HTTP/1.1\r\n\r\n'],
    ['two Hosts', get('/currencies', 'host: x')],
    ['HTTP/1.0', 'GET /currencies HTTP/1.0\r\n\r\n'],
    ['HTTP/1.0 that keeps alive', 'GET /currencies/ARS HTTP/1.0\r\nconnection: keep-alive\r\n\r\n'],
    ['HTTP/0.9', 'GET /currencies\r\n\r\n'],
    ['HTTP/2.0', 'GET /currencies HTTP/2.0\r\nhost: x\r\n\r\n'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['HTTP/1.2', 'GET /currencies HTTP/1.2\r\nhost: x\r\n\r\n'],
    ['a method in small letters', 'get /currencies HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['an unknown method', 'FETCH /currencies HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['CONNECT', 'CONNECT localhost:80 HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['TRACE', 'TRACE /currencies HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['an absolute address', 'GET http://example.com/currencies/ARS HTTP/1.1\r\nhost: x\r\n\r\n'],
    [
      'an absolute address of the control plane',
      'GET http://example.com/_sandbox/clock HTTP/1.1\r\nhost: localhost\r\n\r\n',
    ],
    ['no address', 'GET  HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['an asterisk', 'OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['an address without a slash', 'GET currencies HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['an address with a blank', 'GET /curren cies HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['an address with bytes above 127', 'GET /items/\u00e9 HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['an address with a broken escape', get('/items/%zz')],
    ['a fragment', get('/currencies/ARS#x')],
    ['a long address', get(`/currencies?x=${'a'.repeat(15_000)}`)],
    ['an address that is too long', get(`/currencies?x=${'a'.repeat(20_000)}`)],
    ['a header that is too long', get('/currencies', `x-a: ${'a'.repeat(20_000)}`)],
    ['many headers', get('/currencies/ARS', ...Array.from({ length: 1500 }, (_, n) => `x-${n}: 1`))],
    ['a header without a colon', get('/currencies', 'nothing')],
    ['a header with a blank in its name', get('/currencies', 'x a: 1')],
    ['a folded header', get('/currencies/ARS', 'x-a: 1\r\n 2')],
    ['a null byte in a header', get('/currencies', 'x-a: \u0000')],
    ['two lengths', 'POST /answers HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n'],
    ['two different lengths', 'POST /answers HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    ['a length that is none', 'POST /answers HTTP/1.1\r\nhost: x\r\ncontent-length: x\r\n\r\n'],
    ['a body that ends early', 'POST /users/test_user HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"site'],
    ['a body in pieces', chunked('/users/test_user', '9\r\n{"site_id\r\n', '8\r\n":"MLA"}\r\n', '0\r\n\r\n')],
    ['a chunk of no size', chunked('/users/test_user', 'x\r\n{}\r\n0\r\n\r\n')],
    ['chunks with a trailer', chunked('/users/test_user', '2;a=b\r\n{}\r\n0\r\nx-a: 1\r\n\r\n')],
    ['chunks that end early', chunked('/users/test_user', '9\r\n{"si')],
    ['an unknown transfer coding', 'POST /answers HTTP/1.1\r\nhost: x\r\ntransfer-encoding: gzip\r\n\r\n'],
    ['a compressed body', post('/users/test_user', asked, 'content-encoding: gzip')],
    ['Expect: 100-continue', post('/users/test_user', asked, 'expect: 100-continue')],
    ['another expectation', post('/users/test_user', asked, 'expect: tea')],
    ['a GET with a body', `${get('/currencies/ARS', 'content-length: 2')}{}`],
    ['a DELETE without a length', 'DELETE /questions/1 HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['an upgrade', get('/currencies/ARS', 'connection: upgrade', 'upgrade: websocket')],
    [
      'an upgrade to HTTP/2',
      get('/currencies/ARS', 'connection: upgrade, http2-settings', 'upgrade: h2c', 'http2-settings: AA'),
    ],
    ['two at once', get('/currencies/ARS') + get('/currencies/BRL')],
    [
      'three at once, the second of which closes',
      get('/currencies/ARS') + get('/users/me', 'connection: close') + get('/currencies'),
    ],
    ['a good one and a broken one', `${get('/currencies/ARS')}hello\r\n\r\n`],
    ['a write and a read', post('/users/test_user', asked) + get('/users/me', bearer)],
    ['one after the other', [get('/currencies/ARS'), get('/currencies/BRL'), get('/nothing', 'connection: close')]],
    [
      'a request letter by letter',
      [...'GET /currencies/ARS HTTP/1.1\r\nhost: x\r\n\r\n'].reduce<string[]>((all, one, n) => {
        if (n % 12 === 0) all.push('')
        all[all.length - 1] += one
        return all
      }, []),
    ],
    ['empty lines before', `\r\n\r\n${get('/currencies/ARS')}`],
    ['only line feeds', 'GET /currencies/ARS HTTP/1.1\nhost: x\n\n'],
    ['HEAD', 'HEAD /currencies HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['HEAD of what is not there', 'HEAD /nothing HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['users/me', get('/users/me', bearer)],
    ['users/me without a token', get('/users/me')],
    ['an item', get(`/items/${item}`)],
    ['an item as a script', get(`/items/${item}?callback=show`)],
    ['a search', get('/questions/search?limit=2', bearer)],
    ['a search, asked again', get('/questions/search?limit=2', bearer)],
    ['a projection', get('/users/me?attributes=id,nickname', bearer)],
    ['a window', get(`/items/${item}/contacts/phone_views/time_window?last=2&unit=day`)],
    ['405', 'PUT /currencies HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n'],
    ['a login page', get('/authorization?response_type=code&client_id=7')],
    [
      'a switch without a body',
      `POST /sites/MLA/shipping/selfservice/items/MLA1400000009 HTTP/1.1\r\nhost: x\r\n${bearer}\r\ncontent-length: 0\r\n\r\n`,
    ],
    ['a fault', get('/currencies', 'x-sandbox-fault: 503')],
    ['a connection that is cut', get('/currencies', 'x-sandbox-fault: drop')],
    [
      'a cut one among others',
      get('/currencies/ARS') + get('/currencies', 'x-sandbox-fault: drop') + get('/currencies/BRL'),
    ],
    ['a world that is not there', get('/w/99/currencies')],
    ['a control call', get('/_sandbox/clock')],
    ['a control call of another host', 'GET /_sandbox/clock HTTP/1.1\r\nhost: example.com\r\n\r\n'],
    ['a control call without Host', 'GET /_sandbox/clock HTTP/1.0\r\n\r\n'],
    ['a control call from a page', get('/_sandbox/clock', 'origin: https://example.com')],
    ['a control write', post('/_sandbox/contacts', JSON.stringify({ kind: 'phone_view', item_id: item }))],
    ['health', get('/livez') + get('/readyz')],
  ]
}

/** Sends pieces and half-closes the connection; returns all bytes until the server closes it. */
async function send(port: number, pieces: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const parts: Buffer[] = []
  socket.on('data', (part) => parts.push(part))
  socket.on('error', () => {})
  const closed = once(socket, 'close')
  await once(socket, 'connect')
  for (const [n, piece] of pieces.entries()) {
    if (n > 0) await setTimeout(PAUSE)
    if (!socket.destroyed) socket.write(Buffer.from(piece, 'latin1'))
  }
  if (!socket.destroyed) socket.end()
  await closed
  return textOf(Buffer.concat(parts)).replaceAll('\r\n', '\n')
}

/** Answers to raw requests, byte by byte. */
export async function rawSockets(): Promise<Exchange[]> {
  const { app, close } = await serverOf()
  try {
    await app.server.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.server.address() as { port: number }
    // The first request of a part waits for it, and the parser may find an error of its body meanwhile.
    await app.openApi()
    const all: Exchange[] = []
    for (const [name, bytes] of requests(app.sellers[0]!.token, 'MLA1400000001')) {
      const pieces = [bytes].flat()
      const answer = withoutDurations(withoutPorts(withoutDate(await send(port, pieces))))
      all.push({ call: name, body: readable(answer) })
    }
    return all
  } finally {
    await close()
  }
}
