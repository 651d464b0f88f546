import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import about from '../../package.json' with { type: 'json' }
import { start } from '../support/app.ts'
import { launch } from '../support/bundle.ts'
import { keptServers } from '../support/kept.ts'

const LIMITS = {
  requests_in_flight: 2000,
  body_bytes: 1_048_576,
  open_worlds: 32,
  journal_requests: 1000,
  journal_world_bytes: 4_194_304,
  journal_bytes: 67_108_864,
  events: 100_000,
  faults: 1000,
}

t.test('describes the server', async (t) => {
  const before = Date.now()
  const settings = [{ name: 'port', value: 4401, source: 'flag' as const }]
  const app = await start(t, { scenario: 'empty', startup: { node: '24.0.0', settings } })
  const { status, body } = await app.control('GET /server')
  t.equal(status, 200)
  const { sqlite, started_at, uptime_s } = body
  t.match(sqlite, /^3\.\d+\.\d+$/)
  t.ok(before <= Date.parse(started_at) && Date.parse(started_at) + uptime_s * 1000 <= Date.now())
  t.strictSame(body, {
    ...{ version: about.version, node: '24.0.0', sqlite, started_at, uptime_s },
    ...{ mode: 'temporary', data: null, flags: settings, limits: LIMITS },
  })
  t.equal((await app.control('GET /server', undefined, '/w/9')).status, 404)
})

t.test('names the data folder and other limits', async (t) => {
  const { open, path } = keptServers(t)
  const app = await open({ limits: { maxInFlight: 7 } })
  t.match((await app.control('GET /server')).body, {
    mode: 'kept',
    data: path,
    flags: [],
    limits: { ...LIMITS, requests_in_flight: 7 },
  })
  await app.server.close()
})

t.test('a started program answers its settings with their sources, without secrets', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'mercadito-server-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'token')
  writeFileSync(file, 's3cret-token\n')
  process.env.MERCADITO_SCENARIO = 'empty'
  t.teardown(() => delete process.env.MERCADITO_SCENARIO)
  const now = ['--now', '2026-03-02T12:00:00Z']
  const server = await launch(t, '--admin-token-file', file, ...now, '--notify-allow', 'a.example,b.example')
  const headers = { authorization: 'Bearer s3cret-token' }
  const text = await (await fetch(`${server.url}/_sandbox/server`, { headers })).text()
  t.notMatch(text, 's3cret')
  const { flags, node } = JSON.parse(text)
  t.equal(node, process.versions.node)
  const flagOf = (name: string) => flags.find((flag: { name: string }) => flag.name === name)
  for (const [name, value, source] of [
    ['port', 0, 'flag'],
    ['host', '127.0.0.1', 'default'],
    ['data', null, 'default'],
    ['scenario', 'empty', 'environment'],
    ['now', '2026-03-02T12:00:00.000Z', 'flag'],
    ['notify-allow', 'a.example,b.example', 'flag'],
    ['ready-json', true, 'flag'],
    ['admin-token', '(set)', 'file'],
    ['admin-token-file', file, 'flag'],
  ])
    t.strictSame(flagOf(name as string), { name, value, source })
  await server.stop()
})
