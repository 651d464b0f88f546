import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { listen } from '../../bin/serve.ts'
import { followClock, realNow } from '../../db/clock.ts'
import { badRequest, NOON, start, valuesOf } from '../support/app.ts'
import { inProcess } from '../support/commands.ts'
import { keptServers } from '../support/kept.ts'
import { until } from '../support/until.ts'

/** Has real time be that of this machine again, although a millisecond may pass meanwhile. */
function stopFollowing(): void {
  do followClock(Date.now(), 0)
  while (realNow() < Date.now())
}

t.test('the server deletes a world that has expired, also one that expired while it did not run', async (t) => {
  const { open, path: data } = keptServers(t)
  const app = await open()
  const settings = { scenario: 'empty', expires_in: 3600, created_by: 'exec by ana@build-7' }
  const { id, control } = await app.createWorld(settings)
  const fork = await app.createWorld({ from: id, expires_in: 7200 })
  await app.createWorld({ scenario: 'empty' })
  await control('POST /snapshots', { name: 'a' })
  await fork.control('POST /reset', {})
  const [listed, forked] = (await app.control('GET /worlds')).body.results.slice(1)
  t.equal(listed.created_by, 'exec by ana@build-7')
  t.equal(Date.parse(listed.expires_at) - Date.parse(listed.created_at), 3_600_000)
  t.ok(Date.parse(listed.used_at) >= Date.parse(listed.created_at))
  t.equal(Date.parse(forked.expires_at) - Date.parse(forked.created_at), 7_200_000, 'a reset does not change it')
  await app.control(`PATCH /worlds/${id}`, { expires_in: 1 })
  await until('the end of the world', () => !app.worlds.has(id))
  t.strictSame(valuesOf((await app.control('GET /worlds')).body.results, 'id'), [1, 3, 4])
  t.equal((await app.call(`/w/${id}/currencies`)).status, 404)
  t.strictSame(
    readdirSync(data).filter((name) => name.startsWith(`world-${id}.`)),
    [],
  )
  await app.server.close()

  t.ok(existsSync(join(data, 'world-3.json')))
  t.teardown(stopFollowing)
  followClock(Date.parse(forked.expires_at), 0)
  const next = await open()
  t.strictSame(next.worlds.ids(), [1, 4])
  t.match((await next.control('GET /worlds')).body.results[1], { expires_at: null, used_at: null })
  t.strictSame(
    readdirSync(data).filter((name) => name.startsWith('world-3')),
    [],
  )
  await next.server.close()
})

t.test('leaves no record of a world that could not be created', async (t) => {
  const { worlds, control } = await start(t, { scenario: 'empty' })
  const created = worlds.create(
    async () => {
      throw new Error('no space')
    },
    { origin: { createdBy: 'ana', name: null, lifetimeMs: 1000 } },
  )
  await t.rejects(created, { message: 'no space' })
  t.strictSame(
    readdirSync(worlds.folder).filter((name) => name.endsWith('.json')),
    [],
  )
  t.equal((await control('GET /worlds')).body.paging.total, 1)
})

t.test('worlds expire one after the other, also if the clock is set back meanwhile', async (t) => {
  const { control, worlds } = await start(t, { scenario: 'empty' })
  for (const expires_in of [1, 4]) await control('POST /worlds', { scenario: 'empty', expires_in })
  await control('POST /worlds', { scenario: 'empty' })
  t.teardown(stopFollowing)
  followClock(Date.now() - 1500, 0)
  await until('the end of the first', () => !worlds.has(2))
  t.strictSame(worlds.ids(), [1, 3, 4])
  await until('the end of the second', () => !worlds.has(3))
  t.strictSame(worlds.ids(), [1, 4])
})

const MAX_CORRECTION_MS = 5

t.test('names worlds and changes their expiry; both survive a restart', async (t) => {
  const { open } = keptServers(t, { now: null })
  const app = await open()
  const { control } = app
  const listed = async ({ control }: typeof app, id: number) =>
    (await control('GET /worlds')).body.results.find((world: { id: number }) => world.id === id)
  await control('POST /worlds', { scenario: 'empty', now: '2026-03-02T12:00:00Z', name: 'Feria', expires_in: 60 })
  t.match(await listed(app, 2), {
    name: 'Feria',
    clock: { mode: 'frozen', now: '2026-03-02T12:00:00.000Z' },
  })
  const change = async (id: number, body: { name?: string | null; expires_in?: number | null }) => {
    const before = Date.now()
    const { status, body: changed } = await control(`PATCH /worlds/${id}`, body)
    t.equal(status, 200)
    const { bytes, used_at, clock, ...rest } = await listed(app, id)
    t.match(changed, rest, 'as the list shows it')
    if (body.expires_in) {
      const from = Date.parse(changed.expires_at) - body.expires_in * 1000
      // The clock of a machine may be corrected meanwhile.
      t.ok(before - MAX_CORRECTION_MS <= from && from <= Date.now() + MAX_CORRECTION_MS, 'from now on')
    }
    return changed
  }
  const longer = await change(2, { expires_in: 3600 })
  t.equal(longer.name, 'Feria')
  t.match(await change(2, { name: 'Otra 🙂' }), { name: 'Otra 🙂', expires_at: longer.expires_at })
  t.match(await change(2, { name: null, expires_in: null }), { name: null, expires_at: null })
  t.match(await change(2, { name: 'Feria', expires_in: 31_536_000 }), { name: 'Feria' })
  t.match(await change(1, { name: 'Principal' }), { name: 'Principal', expires_at: null })
  t.match(await change(1, { expires_in: null }), { name: 'Principal', expires_at: null })
  await control('POST /reset', undefined, '/w/2')

  for (const [id, body, message] of [
    [1, { expires_in: 60 }, 'expires_in: the default world cannot expire'],
    [2, {}, 'body: must be a JSON object with name, expires_in or both'],
    [2, { name: '' }, 'name: must be a text of 1 to 100 characters, or null'],
    [2, { name: 'a\u0000' }, 'name: must be a text of 1 to 100 characters, or null'],
    [2, { name: 'x'.repeat(101) }, 'name: must be a text of 1 to 100 characters, or null'],
    [2, { expires_in: 0 }, 'expires_in: must be an integer from 1 to 31536000, or null'],
    [2, { created_by: 'x' }, 'created_by: is an unknown member'],
  ] as const)
    t.strictSame((await control(`PATCH /worlds/${id}`, body)).body, badRequest(message))
  t.equal((await control('PATCH /worlds/9', { name: 'x' })).body.message, 'World 9 not found')
  t.equal((await control('PATCH /worlds/x', { name: 'x' })).body.message, 'World x not found')
  const expected = await listed(app, 2)
  await app.server.close()

  const next = await open()
  t.match(await listed(next, 1), { name: 'Principal', expires_at: null, created_at: null, clock: { mode: 'real' } })
  t.match(await listed(next, 2), { ...expected, used_at: null, bytes: Number })
  t.strictSame(valuesOf(next.worlds.listOpen(), 'id'), [1], 'the list opens no world')
})

t.test('the list shows the clocks of worlds that were closed again, and null for a damaged one', async (t) => {
  const app = await start(t, { scenario: 'empty' })
  const ids: number[] = []
  for (let n = 0; n < 70; n++) ids.push((await app.createWorld({ scenario: 'empty', now: NOON })).id)
  for (const id of ids) await app.control('POST /clock/advance', { by: id * 1000 }, `/w/${id}`)
  await until('worlds that are closed again', () => app.worlds.listOpen().length < ids.length)
  const { results } = (await app.control('GET /worlds?limit=1000')).body
  for (const { id, clock } of results.slice(1))
    t.strictSame(clock, { mode: 'frozen', now: new Date(Date.UTC(2026, 2, 2, 12) + id * 1000).toISOString() })
  const { id } = (await app.control('POST /worlds', { scenario: 'empty' })).body.world
  writeFileSync(join(app.worlds.folder, `world-${id}.sqlite`), 'x'.repeat(5000))
  t.equal((await app.control(`GET /worlds?offset=${results.length}`)).body.results[0].clock, null)
})

t.test('worlds of commands: exec has an expiry of one hour, and `world list` shows it', async (t) => {
  const { info, close } = await listen({
    host: '127.0.0.1',
    port: 0,
    scenario: 'empty',
    seed: 1,
    isGiven: () => false,
  })
  t.teardown(close)
  const list = async () => (await inProcess('world', 'list', '--url', info.url)).output
  const me = `${userInfo().username}@${hostname()}`
  const listing = ['--', process.execPath, '-e', LIST_WORLDS]
  const { output, code } = await inProcess('exec', '--json', '--url', info.url, '--scenario', 'empty', ...listing)
  t.equal(code, 0, output)
  t.strictSame((await list()).split('\n').length, 3, 'deleted at the end')
  const short = ['exec', '--json', '--expires-in', '1s', '--url', info.url, '--scenario', 'empty']
  t.equal((await inProcess(...short, '--', process.execPath, '-e', 'setTimeout(() => {}, 1500)')).code, 0)
  await inProcess('world', 'create', '--scenario', 'empty', '--expires-in', '90m', '--name', 'x', '--url', info.url)
  t.equal((await inProcess('world', 'rename', '4', 'Feria', '--url', info.url)).output, 'world 4 is named Feria\n')
  const [head, first, second] = (await list()).split('\n')
  t.equal(head!.replace(/ {2,}/g, '|'), 'id|url|age|size|last use|expires in|created by|name|world time')
  t.match(
    first!.replace(/ {2,}/g, '|'),
    /^1\|http:\/\/127\.0\.0\.1:\d+\|-\|0\.\d MB\|\d+ s\|never\|-\|-\|20\S+\|\(world time, the time of the server\)$/,
  )
  t.match(
    second!.replace(/ {2,}/g, '|'),
    new RegExp(
      `^4\\|http://127\\.0\\.0\\.1:\\d+/w/4\\|\\d+ s\\|0\\.\\d MB\\|-\\|1 h\\|${me.replaceAll('.', '\\.')}\\|Feria\\|20\\S+`,
    ),
  )
})

/** Fails unless the world of exec expires within an hour. */
const LIST_WORLDS = `
const { origin, pathname } = new URL(process.env.MERCADITO_URL)
const { results } = await (await fetch(origin + '/_sandbox/worlds')).json()
const { created_by, created_at, expires_at } = results.find(({ url }) => url.endsWith(pathname))
if (!created_by.startsWith('exec by ')) process.exit(1)
if (Date.parse(expires_at) - Date.parse(created_at) !== 3600_000) process.exit(2)
`
