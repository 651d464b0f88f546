import { once } from 'node:events'
import { createServer } from 'node:net'
import t, { type Test } from 'tap'
import { type Flags, listen } from '../../bin/serve.ts'
import { inProcess } from '../support/commands.ts'

const ADMIN = 'the-token'

async function startHere(t: Test, flags: Partial<Flags>) {
  const server = await listen({
    host: '127.0.0.1',
    port: 0,
    scenario: 'empty',
    seed: 1,
    adminToken: ADMIN,
    isGiven: () => false,
    ...flags,
  })
  t.teardown(server.close)
  return server.info
}

/** The address of the default world in an answer to a call with these headers, or the status of an error. */
async function addressSeen(port: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`http://127.0.0.1:${port}/_sandbox/worlds`, {
    headers: { authorization: `Bearer ${ADMIN}`, ...headers },
  })
  const body = (await answer.json()) as { results: { url: string }[]; message: string }
  return answer.ok ? body.results[0]!.url : `${answer.status} ${body.message}`
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return String(port)
}

const FORWARDED = { 'x-forwarded-host': 'market.example.com', 'x-forwarded-proto': 'https' }

t.test('--public-url is the address of the server and its worlds', async (t) => {
  const { listening, port } = await start('https://market.example.com/sandbox')
  t.equal(listening, 'https://market.example.com/sandbox')
  t.equal(await addressSeen(port), 'https://market.example.com/sandbox')
  t.equal(await addressSeen(port, FORWARDED), 'https://market.example.com/sandbox')
  t.equal(await addressSeen(port, { origin: 'https://market.example.com' }), 'https://market.example.com/sandbox')
  t.equal(
    await addressSeen(port, { origin: 'https://other.example.com' }),
    '403 Origin: pages of other sites may not control this server',
  )
  const world = await fetch(`http://127.0.0.1:${port}/_sandbox/worlds`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ADMIN}` },
    body: '{"scenario":"empty"}',
  })
  t.match(await world.json(), { url: 'https://market.example.com/sandbox/w/2' })

  async function start(publicUrl: string) {
    const port = await freePort()
    const { url: listening } = await startHere(t, { publicUrl, port: Number(port) })
    return { listening, port }
  }
})

t.test('--trust-proxy believes the headers of listed addresses only', async (t) => {
  const { port: trusting } = new URL((await startHere(t, { trustProxy: ['10.0.0.0/8', '127.0.0.1'] })).url)
  t.equal(await addressSeen(trusting), `http://127.0.0.1:${trusting}`)
  t.equal(await addressSeen(trusting, FORWARDED), 'https://market.example.com')
  const { port: other } = new URL((await startHere(t, { trustProxy: ['10.0.0.0/8'] })).url)
  t.equal(await addressSeen(other, FORWARDED), `http://127.0.0.1:${other}`)
  const { port: none } = new URL((await startHere(t, {})).url)
  t.equal(await addressSeen(none, FORWARDED), `http://127.0.0.1:${none}`)
})

t.test('a server behind a proxy counts as reachable from other machines', async (t) => {
  for (const [flags, name] of [
    [{ publicUrl: 'https://market.example.com' }, '--public-url'],
    [{ trustProxy: ['127.0.0.1'] }, '--trust-proxy'],
  ] as const)
    await t.rejects(startHere(t, { ...(flags as Partial<Flags>), adminToken: undefined as unknown as string }), {
      message: `${name} exposes the server to other machines: set a token for control calls with --admin-token, --admin-token-file or MERCADITO_ADMIN_TOKEN`,
    })
  const secret = await startHere(t, { trustProxy: ['127.0.0.1'] })
  const guessable = await startHere(t, {})
  t.not(secret.sellers[0]!.token, guessable.sellers[0]!.token)
})

t.test('rejects other addresses', async (t) => {
  for (const value of ['example.com', '10.0.0.0/33', '10.0.0.0/', '::1/129', '', '127.0.0.1,'])
    t.match(await inProcess('start', `--trust-proxy=${value}`), {
      code: 2,
      errors: /: must be an address or a block, such as 127\.0\.0\.1 or 10\.0\.0\.0\/8; see/,
    })
  for (const value of ['market.example.com', 'ftp://market.example.com', 'https://market.example.com?x'])
    t.strictSame(await inProcess('start', `--public-url=${value}`), {
      code: 2,
      output: '',
      errors:
        'mercadito: --public-url or MERCADITO_PUBLIC_URL: must be an address such as https://market.example.com\n',
    })
})
