import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { listen } from '../../bin/serve.ts'
import { call, launchWith, runWith } from '../support/bundle.ts'
import { inProcess } from '../support/commands.ts'
import { compileFailingDisk, FailingDisk, missingForFailingDisk } from '../support/failing_disk.ts'

const folder = mkdtempSync(join(tmpdir(), 'mercadito-disk-full-'))
t.teardown(() => rmSync(folder, { recursive: true }))

const missing = missingForFailingDisk()
if (missing !== undefined) t.pass(`skipped: this needs ${missing}`)
else {
  t.test('a full disk loses nothing, and the server recovers without a restart', fillAndFree)
  t.test('a server whose writes fail is not ready until one succeeds', failAndHeal)
}

async function fillAndFree(t: Test): Promise<void> {
  const data = join(folder, 'market')
  const env = compileFailingDisk(folder, data)
  const disk = new FailingDisk(folder)
  t.teardown(() => disk.close())
  const server = await launchWith(t, { ...env, NODE_OPTIONS: '' }, '--data', data)
  const [buyer] = server.buyers as [(typeof server.buyers)[0]]
  const ask = (text: string) => call(server, 'POST', '/questions', { item_id: 'MLA1400000001', text }, buyer.token)
  const latest = async () => (await call(server, 'GET', '/_sandbox/questions?limit=1')).body.results[0].text
  t.equal((await ask('antes')).status, 201)

  disk.fail('write', 'ENOSPC')
  for (const [method, path, body] of [
    ['POST', '/_sandbox/worlds', { scenario: 'empty' }],
    ['POST', '/_sandbox/worlds', { from: 1 }],
    ['POST', '/_sandbox/snapshots', { name: 'full' }],
    ['POST', '/_sandbox/reset', {}],
    ['POST', '/_sandbox/backup', { folder: join(data, 'backup') }],
  ] as const) {
    const answer = await call(server, method, path, body)
    t.strictSame([answer.status, answer.body.error], [507, 'insufficient_storage'], `${method} ${path}`)
  }
  t.equal((await ask('durante')).status, 507)
  t.equal(await latest(), 'antes', 'reads are answered')
  t.equal((await call(server, 'GET', '/readyz')).body.error, 'disk_full')
  t.match(await inProcess('status', 'check', '--port', '0', '--url', server.url), {
    code: 1,
    output: /^bad {2}server {7}http.* is not ready: The disk is full: writes get 507 until there is space\./m,
  })
  const stopped = await runWith(env, 'start', '--port', '0', '--data', join(data, 'new'))
  t.equal(stopped.code, 5, 'a start may be tried again')
  t.match(stopped.errors, /^mercadito: cannot write to .*; check that .* the disk is not full, or choose another/)

  disk.heal()
  t.equal((await call(server, 'GET', '/readyz')).status, 200)
  t.equal((await ask('después')).status, 201)
  t.equal(await latest(), 'después')
  t.equal((await call(server, 'POST', '/_sandbox/worlds', { from: 1 })).status, 201)
  t.equal((await call(server, 'POST', '/_sandbox/snapshots', { name: 'full' })).status, 201)
  await server.stop()
  const { info, close } = await listen({
    ...{ port: 0, host: '127.0.0.1', scenario: 'demo', seed: 1, data, isGiven: () => false },
  })
  t.equal((await call(info, 'GET', '/_sandbox/worlds')).body.paging.total, 2)
  await close()
}

async function failAndHeal(t: Test): Promise<void> {
  const data = join(folder, 'failing')
  const env = compileFailingDisk(folder, data)
  const disk = new FailingDisk(folder)
  t.teardown(() => disk.close())
  const server = await launchWith(t, { ...env, NODE_OPTIONS: '' }, '--data', data)
  const [buyer] = server.buyers as [(typeof server.buyers)[0]]
  const ask = (text: string) => call(server, 'POST', '/questions', { item_id: 'MLA1400000001', text }, buyer.token)
  const readiness = () => call(server, 'GET', '/readyz')
  t.equal((await ask('antes')).status, 201)

  disk.fail('write', 'EIO')
  t.equal((await readiness()).status, 200, 'nothing was written')
  t.equal((await ask('durante')).status, 500)
  const message = 'The disk failed: writes get 500 until it can be written again.'
  const notReady = { status: 503, body: { message, error: 'disk_failed', status: 503, cause: [] } }
  t.strictSame(await readiness(), notReady)
  t.strictSame(await readiness(), notReady, 'the probe fails again')
  t.equal((await call(server, 'GET', '/livez')).status, 200)

  disk.heal()
  t.strictSame(await readiness(), { status: 200, body: { status: 'ready' } })
  t.equal((await ask('después')).status, 201)
  await server.stop()
}
