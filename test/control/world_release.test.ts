import { once } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import fp from 'fastify-plugin'
import t from 'tap'
import { start } from '../support/app.ts'
import { until } from '../support/until.ts'

const app = await start(t)
const { server, worlds, control } = app

t.test('releases the world after every call, however the call ends', async () => {
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as { port: number }
  const { body } = await control('POST /worlds', { scenario: 'demo' })
  const base = `/w/${body.world.id}`
  const world = (await worlds.acquire(body.world.id))!
  const bearer = `authorization: Bearer ${body.buyers[0].token}`
  const question = JSON.stringify({ item_id: 'MLA1400000001', text: '¿Hay?' })
  const requests = [
    `GET ${base}/users/me HTTP/1.1\r\nhost: localhost\r\n${bearer}\r\n\r\n`,
    `GET ${base}/users/me HTTP/1.1\r\nhost: localhost\r\n\r\n`,
    `GET ${base}/nothing HTTP/1.1\r\nhost: localhost\r\n\r\n`,
    `GET ${base}/%zz HTTP/1.1\r\nhost: localhost\r\n\r\n`,
    `OPTIONS ${base}/questions HTTP/1.1\r\nhost: localhost\r\n\r\n`,
    `HEAD ${base}/currencies HTTP/1.1\r\nhost: localhost\r\n\r\n`,
    `GET ${base}/currencies?callback=show HTTP/1.1\r\nhost: localhost\r\n\r\n`,
    `DELETE ${base}/_sandbox/snapshots/none HTTP/1.1\r\nhost: localhost\r\n\r\n`,
    `GET ${base}/_sandbox/world HTTP/1.1\r\nhost: localhost\r\n\r\n`,
    `GET ${base}/_sandbox/recording HTTP/1.1\r\nhost: localhost\r\n\r\n`,
    `GET ${base}/_sandbox/clock HTTP/1.1\r\nhost: elsewhere\r\n\r\n`,
    `POST ${base}/_sandbox/clock/advance HTTP/1.1\r\nhost: localhost\r\ncontent-length: 11\r\n\r\n{"by":"1s"}`,
    `POST ${base}/questions HTTP/1.1\r\nhost: localhost\r\n${bearer}\r\ncontent-length: ${Buffer.byteLength(question)}\r\n\r\n${question}`,
    // An incomplete body.
    `POST ${base}/questions HTTP/1.1\r\nhost: localhost\r\n${bearer}\r\ncontent-length: 1000\r\n\r\n${question}`,
    `POST ${base}/_sandbox/snapshots HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{"name":`,
  ]
  for (const ms of [0, 1, 20])
    for (const text of requests) {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      socket.write(text)
      await setTimeout(ms)
      socket.destroy()
    }
  await until('a world that only this test has acquired', () => world.refCount === 1)
  worlds.release(world)
})

t.test('releases all that a streamed answer reads from, also if the client has gone before it begins', async (t) => {
  const { server, world, worlds } = await start(t, {
    mode: 'temporary',
    beforePlugins: (server) =>
      void server.addHook('onSend', ({ raw, headers }, _reply, payload, done) => {
        if (headers['x-leaves'] === undefined || raw.destroyed) done(null, payload)
        else raw.once('close', () => done(null, payload))
      }),
  })
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as { port: number }
  const before = world.refCount
  const tempFiles = () => readdirSync(worlds.folder).filter((name) => name.startsWith('passing-'))
  const isOpen = () =>
    process.platform === 'linux' &&
    readdirSync('/proc/self/fd').some((fd) => {
      const file = readlinkOrNothing(`/proc/self/fd/${fd}`)
      return file.startsWith(worlds.folder) && file.includes('passing-')
    })
  for (const path of ['/_sandbox/recording', '/_sandbox/world']) {
    for (const leaves of ['x-leaves: 1\r\n', '']) {
      const socket = connect(port, '127.0.0.1')
      socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n${leaves}\r\n`)
      if (leaves === '') await once(socket, 'data')
      else await until('the copy of the world', () => tempFiles().length > 0)
      socket.destroy()
      await until(`the release of ${path}`, () => world.refCount === before && tempFiles().length === 0)
      t.notOk(isOpen(), path)
    }
    t.equal((await server.inject(path)).statusCode, 200)
    await until(`the release of ${path}`, () => world.refCount === before && tempFiles().length === 0)
  }
})

/** Descriptors end while they are listed. */
function readlinkOrNothing(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

t.test('releases the world if the connection ends while a call waits, before its body is read', async (t) => {
  const waiting = fp(
    async (server) => {
      server.addHook('onRequest', ({ raw }, _reply, done) => {
        if (raw.headers['content-length'] === undefined) done()
        else raw.once('close', () => done())
      })
    },
    { name: 'waiting', dependencies: ['worlds'] },
  )
  const { server, world, buyers } = await start(t, { arrangePlugins: (plugins) => [...plugins, [waiting, {}]] })
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as { port: number }
  // The first scan for steps and notifications has it, too.
  await until('a world that only this test has acquired', () => world.refCount === 1)
  const before = world.refCount
  const part = '{"item_id":'
  for (const path of ['/questions', '/nothing'])
    for (const length of [100, part.length]) {
      const socket = connect(port, '127.0.0.1')
      const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${buyers[0]!.token}`
      socket.write(`${head}\r\ncontent-length: ${length}\r\n\r\n${part}`)
      await until('the use of the world', () => world.refCount > before)
      socket.destroy()
      await until(`the release of the world, ${path}, ${length} bytes`, () => world.refCount === before)
    }
})
