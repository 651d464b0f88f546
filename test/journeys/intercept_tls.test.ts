import 'reflect-metadata'
import { KeyObject, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { type ConnectionOptions, connect, createServer, type TLSSocket } from 'node:tls'
import {
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type JsonGeneralNames,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'
import t, { type Test } from 'tap'
import type { ServerInfo } from '../../bin/banner.ts'
import { type Flags, listen } from '../../bin/serve.ts'
import { ALGORITHM, type Authority, createContexts } from '../../intercept/authority.ts'
import { openStoredAuthority } from '../../intercept/listener.ts'
import { launch } from '../support/bundle.ts'
import { inProcess } from '../support/commands.ts'

const folder = mkdtempSync(join(tmpdir(), 'mercadito-intercept-'))
t.teardown(() => rmSync(folder, { recursive: true }))
const ADMIN = 'the-token'

const startHere = async (t: Test, name: string, flags: Partial<Flags> = {}) => {
  const { info, close } = await listen({
    host: '127.0.0.1',
    port: 0,
    scenario: 'empty',
    seed: 1,
    adminToken: ADMIN,
    interceptTls: '127.0.0.1:0',
    interceptAuthority: join(folder, name),
    isGiven: () => false,
    ...flags,
  })
  t.teardown(close)
  return { info, close }
}

async function openSecure({ intercept }: ServerInfo, servername: string, options: ConnectionOptions = {}) {
  const { port } = new URL(`https://${intercept!.address}`)
  const ca = readFileSync(intercept!.certificate, 'utf8')
  const socket = connect({ port: Number(port), host: '127.0.0.1', servername, ca, ...options })
  await once(socket, 'secureConnect')
  return socket
}

async function call(socket: TLSSocket, path: string, headers: Record<string, string> = {}) {
  const sent = request({ path, host: socket.servername as string, headers, createConnection: () => socket }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, text: await readText(answer) }
}

const HOSTS = ['api.mercadolibre.com', 'auth.mercadolibre.com.ar', 'auth.mercadolivre.com.br', 'api.mercadopago.com']

t.test('clients that resolve the names to the server get its answers', async (t) => {
  for (const tls of [undefined, 'self-signed'] as const) {
    const { info } = await startHere(t, 'first', { ...(tls && { tls }) })
    const [{ token, id }] = info.sellers as [ServerInfo['sellers'][0]]
    for (const host of HOSTS) {
      const socket = await openSecure(info, host)
      const { status, text } = await call(socket, '/users/me', { authorization: `Bearer ${token}` })
      t.strictSame([status, JSON.parse(text).id], [200, id], `${host}, ${tls}`)
    }
    const anonymous = await call(await openSecure(info, HOSTS[0]!), '/_sandbox/worlds')
    t.equal(anonymous.status, 401, 'control calls need the admin token')
    const admin = await call(await openSecure(info, HOSTS[0]!), '/_sandbox/clock', { authorization: `Bearer ${ADMIN}` })
    t.equal(admin.status, 200)
  }
})

t.test('no other name gets a certificate, and HTTP/2 no connection', async (t) => {
  const { info } = await startHere(t, 'names')
  for (const name of ['example.com', 'www.mercadolibre.com', 'api.mercadolibre.com.example.com', ''])
    await t.rejects(openSecure(info, name), name)
  await t.rejects(openSecure(info, HOSTS[0]!, { ALPNProtocols: ['h2'] }), { message: /no application protocol/ })
  t.equal((await openSecure(info, HOSTS[0]!, { ALPNProtocols: ['h2', 'http/1.1'] })).alpnProtocol, 'http/1.1')
})

t.test('the authority is created once, and its key is for its owner only', async (t) => {
  const { info, close } = await startHere(t, 'kept')
  const path = join(folder, 'kept')
  t.strictSame(readdirSync(path).sort(), ['ca-key.pem', 'ca.pem'])
  t.equal(statSync(join(path, 'ca-key.pem')).mode & 0o777, 0o600)
  t.equal(info.intercept!.certificate, join(path, 'ca.pem'))
  const pem = readFileSync(join(path, 'ca.pem'), 'utf8')
  await close()
  const again = await startHere(t, 'kept')
  t.equal(readFileSync(join(path, 'ca.pem'), 'utf8'), pem)
  const leaf = (await openSecure(again.info, HOSTS[0]!)).getPeerX509Certificate()!
  t.ok(leaf.verify(new X509Certificate(pem).publicKey))
})

t.test('the authority can issue no other names, should its key get lost', async (t) => {
  const authority = await openStoredAuthority(join(folder, 'lost'))
  const contextOf = await createContexts(authority)
  const server = createServer({ SNICallback: (name, done) => void contextOf(name).then((c) => done(null, c)) })
  t.teardown(() => server.close())
  server.on('tlsClientError', () => {}).on('secureConnection', (socket) => socket.on('error', () => {}).end())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as { port: number }
  const info = { intercept: { address: `127.0.0.1:${port}`, certificate: authority.file } } as ServerInfo
  await openSecure(info, HOSTS[0]!)
  await t.rejects(openSecure(info, 'example.com'), { message: 'permitted subtree violation' })
})

/** A certificate for these names and purposes, which somebody who has the files of an authority makes. */
async function issue(authority: Authority, names: JsonGeneralNames, purpose: ExtendedKeyUsage) {
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.create({
    subject: 'CN=x',
    issuer: authority.certificate.subjectName,
    publicKey: keys.publicKey,
    signingKey: authority.key,
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    extensions: [new SubjectAlternativeNameExtension(names), new ExtendedKeyUsageExtension([purpose])],
  })
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }) as string
  return { cert: certificate.toString('pem'), key }
}

t.test('the authority can issue certificates of servers only, and none for e-mail and URIs', async (t) => {
  const authority = await openStoredAuthority(join(folder, 'only servers'))
  const dns = { type: 'dns', value: HOSTS[0]! } as const
  const connectTo = async (names: JsonGeneralNames) => {
    const server = createServer(await issue(authority, names, ExtendedKeyUsage.serverAuth))
    t.teardown(() => server.close())
    server.on('tlsClientError', () => {}).on('secureConnection', (socket) => socket.on('error', () => {}).end())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as { port: number }
    const info = { intercept: { address: `127.0.0.1:${port}`, certificate: authority.file } } as ServerInfo
    return openSecure(info, HOSTS[0]!)
  }
  await connectTo([dns])
  for (const value of ['ana@example.com', 'ana@mercadolibre.com'])
    await t.rejects(connectTo([dns, { type: 'email', value }]), { message: 'permitted subtree violation' }, value)
  for (const value of ['https://example.com/x', 'https://api.mercadolibre.com/x'])
    await t.rejects(connectTo([dns, { type: 'url', value }]), { message: 'permitted subtree violation' }, value)
  for (const name of [
    { type: 'email', value: 'ana@mail.invalid' },
    { type: 'url', value: 'spiffe://a.invalid/x' },
  ] as const)
    await t.rejects(connectTo([dns, name]), { message: 'excluded subtree violation' }, name.value)

  const ca = readFileSync(authority.file, 'utf8')
  const own = await createContexts(authority)
  const server = createServer({
    SNICallback: (name, done) => void own(name).then((c) => done(null, c)),
    ca,
    requestCert: true,
    rejectUnauthorized: false,
  })
  t.teardown(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as { port: number }
  const client = await issue(authority, [dns], ExtendedKeyUsage.clientAuth)
  const accepted = once(server, 'secureConnection') as Promise<[TLSSocket]>
  const socket = connect({ port, host: '127.0.0.1', servername: HOSTS[0]!, ca, ...client })
  t.teardown(() => void socket.destroy())
  const [seen] = await accepted
  t.match(String(seen.authorizationError), /INVALID_PURPOSE|INVALID_CA|purpose|CA/, 'a certificate of a client')
  seen.destroy()
})

t.test('rejects an authority that cannot be used, and an address that cannot be listened on', async (t) => {
  const damage = (name: string, change: (path: string) => void) => {
    const path = join(folder, name)
    mkdirSync(path)
    change(path)
    return path
  }
  const good = join(folder, 'good')
  await openStoredAuthority(good)
  const [cert, key] = ['ca.pem', 'ca-key.pem'].map((name) => readFileSync(join(good, name)))
  const other = join(folder, 'other')
  await openStoredAuthority(other)
  const rows: [path: string, reason: RegExp][] = [
    [damage('no key', (path) => writeFileSync(join(path, 'ca.pem'), cert!)), /\(ENOENT\)/],
    [damage('no certificate', (path) => writeFileSync(join(path, 'ca-key.pem'), key!)), /\(ENOENT\)/],
    [
      damage('no PEM', (path) => {
        writeFileSync(join(path, 'ca.pem'), 'x')
        writeFileSync(join(path, 'ca-key.pem'), key!)
      }),
      /\(.+\)/,
    ],
    [
      damage('of two authorities', (path) => {
        writeFileSync(join(path, 'ca.pem'), cert!)
        writeFileSync(join(path, 'ca-key.pem'), readFileSync(join(other, 'ca-key.pem')))
      }),
      /\(they do not belong together\)/,
    ],
    [join(good, 'ca.pem'), /\((EEXIST|ENOTDIR)\)/],
  ]
  const start = ['start', '--port', '0', '--scenario', 'empty', '--admin-token', ADMIN]
  for (const [path, reason] of rows) {
    const { code, errors } = await inProcess(...start, '--intercept-tls', '127.0.0.1:0', '--intercept-authority', path)
    t.equal(code, 9, path)
    t.match(errors, `mercadito: --intercept-authority: ${path} has no usable ca.pem and ca-key.pem (`)
    t.match(errors, reason)
    t.match(errors, /; remove both to create new ones\n$/)
  }
  const { info } = await startHere(t, 'taken')
  const { address } = info.intercept!
  t.strictSame(await inProcess(...start, '--intercept-tls', address, '--intercept-authority', join(folder, 'taken')), {
    code: 4,
    output: '',
    errors: `mercadito: --intercept-tls: cannot listen on ${address} (EADDRINUSE)\n`,
  })
})

t.test('needs an admin token, a folder and an address', async (t) => {
  const start = ['start', '--port', '0', '--scenario', 'empty']
  const rows: [flags: string[], message: string][] = [
    [
      ['--intercept-tls', '127.0.0.1:0', '--intercept-authority', folder],
      '--intercept-tls exposes the server to other machines: set a token for control calls with --admin-token, --admin-token-file or MERCADITO_ADMIN_TOKEN',
    ],
    [
      ['--intercept-tls', '127.0.0.1:0', '--admin-token', ADMIN],
      '--intercept-tls needs --intercept-authority, and vice versa',
    ],
    [['--intercept-authority', folder], '--intercept-tls needs --intercept-authority, and vice versa'],
  ]
  for (const [flags, message] of rows)
    t.strictSame(await inProcess(...start, ...flags), { code: 2, output: '', errors: `mercadito: ${message}\n` })
  for (const address of ['443', 'localhost', '127.0.0.1:', '127.0.0.1:65536', '::1:443'])
    t.match(await inProcess(...start, '--intercept-tls', address), {
      code: 2,
      errors: /: must be an address and a port, such as 0\.0\.0\.0:443/,
    })
})

t.test('the started program says where the certificate is, and ends with open connections', async (t) => {
  const authority = join(folder, 'bundle')
  const server = await launch(
    t,
    ...['--scenario', 'empty', '--admin-token', ADMIN],
    ...['--intercept-tls', '127.0.0.1:0', '--intercept-authority', authority],
  )
  const info = JSON.parse(server.output()) as ServerInfo
  t.match(info.intercept, { address: /^127\.0\.0\.1:\d+$/, certificate: join(authority, 'ca.pem') })
  const idle = await openSecure(info, HOSTS[0]!)
  t.equal((await call(await openSecure(info, HOSTS[0]!), '/currencies/ARS')).status, 200)
  const halfSent = await openSecure(info, HOSTS[0]!)
  halfSent.write('GET /currencies HTTP/1.1\r\nhost: local')
  const closed = [idle, halfSent].map((socket) => once(socket.on('error', () => {}).resume(), 'close'))
  await server.stop()
  t.equal(server.child.exitCode, 0)
  await Promise.all(closed)
})
