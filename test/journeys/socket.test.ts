import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { start } from '../support/app.ts'

const { server } = await start(t, { scenario: 'empty' })
await server.listen({ port: 0 })
const { port } = server.server.address() as { port: number }

/** Sends raw bytes and reads until the server closes the connection. */
async function send(bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.write(bytes)
  await once(socket, 'close')
  return text
}

const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))

t.test('answers malformed requests with the standard error', async (t) => {
  const rows: [name: string, bytes: string, status: number, error: string, message: string][] = [
    ['not HTTP', 'hello\r\n\r\n', 400, 'bad_request', 'This is not an HTTP request.'],
    [
      'an address of 20,000 characters',
      `GET /currencies?x=${'a'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
      431,
      'request_header_fields_too_large',
      'The address and headers must have at most 16384 bytes.',
    ],
    [
      'a body of two lengths',
      'POST /answers HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
      400,
      'bad_request',
      'This is not an HTTP request.',
    ],
  ]
  for (const [name, bytes, status, error, message] of rows) {
    const answer = await send(bytes)
    t.match(answer, new RegExp(`^HTTP/1.1 ${status} `), name)
    t.strictSame(bodyOf(answer), { message, error, status, cause: [] }, name)
  }
})

t.test('reads a chunked body', async (t) => {
  const answer = await send(
    'POST /users/test_user HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n' +
      '9\r\n{"site_id\r\n8\r\n":"MLA"}\r\n0\r\n\r\n',
  )
  t.match(answer, /^HTTP\/1\.1 201 /)
})
