import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { hostname, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { listen } from '../../bin/serve.ts'
import { openDataFolder } from '../../db/folders.ts'
import { start } from '../support/app.ts'
import { inProcess } from '../support/commands.ts'

const folder = mkdtempSync(join(tmpdir(), 'mercadito-expiry-'))
t.teardown(() => rmSync(folder, { recursive: true }))
const data = join(folder, 'market')

const startKept = () => start(t, { folder: openDataFolder(data), mode: 'kept', scenario: 'empty' })
const idsOf = (body: { results: { id: number }[] }) => body.results.map(({ id }) => id)

t.test('the server deletes a world that has expired, also one that expired while it did not run', async (t) => {
  const app = await startKept()
  const { body: created } = await app.control('POST /worlds', {
    scenario: 'empty',
    expires_in: 3,
    created_by: 'exec by ana@build-7',
  })
  const id = created.world.id
  const { body: fork } = await app.control('POST /worlds', { from: id, expires_in: 5 })
  await app.control('POST /worlds', { scenario: 'empty' })
  await app.control('POST /snapshots', { name: 'a' }, `/w/${id}`)
  await app.control('POST /reset', {}, `/w/${fork.world.id}`)
  const [listed, forked] = (await app.control('GET /worlds')).body.results.slice(1)
  t.equal(listed.created_by, 'exec by ana@build-7')
  t.equal(Date.parse(listed.expires_at) - Date.parse(listed.created_at), 3000)
  t.ok(Date.parse(listed.used_at) >= Date.parse(listed.created_at))
  t.equal(Date.parse(forked.expires_at) - Date.parse(forked.created_at), 5000, 'a reset does not change it')
  while (app.worlds.has(id)) await setTimeout(50)
  t.strictSame(idsOf((await app.control('GET /worlds')).body), [1, 3, 4])
  t.equal((await app.call(`/w/${id}/currencies`)).status, 404)
  t.strictSame(
    readdirSync(data).filter((name) => name.startsWith(`world-${id}.`)),
    [],
  )
  await app.server.close()

  t.ok(existsSync(join(data, 'world-3.json')))
  await setTimeout(Math.max(0, Date.parse(forked.expires_at) - Date.now()))
  const next = await startKept()
  t.strictSame(next.worlds.ids(), [1, 4])
  t.match((await next.control('GET /worlds')).body.results[1], { expires_at: null, used_at: null })
  t.strictSame(
    readdirSync(data).filter((name) => name.startsWith('world-3')),
    [],
  )
  await next.server.close()
})

t.test('rejects other lifetimes and names', async (t) => {
  const { control } = await start(t, { scenario: 'empty' })
  const lifetime = 'expires_in: must be an integer from 1 to 31536000'
  const name = 'created_by: must be a text of 1 to 100 characters'
  for (const [body, message] of [
    [{ expires_in: 0 }, lifetime],
    [{ expires_in: 31_536_001 }, lifetime],
    [{ expires_in: 1.5 }, lifetime],
    [{ expires_in: '1h' }, lifetime],
    [{ created_by: '' }, name],
    [{ created_by: 'a\nb' }, name],
    [{ created_by: 'x'.repeat(101) }, name],
  ] as const)
    t.strictSame((await control('POST /worlds', { scenario: 'empty', ...body })).body, {
      message,
      error: 'bad_request',
      status: 400,
      cause: [],
    })
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
  await inProcess('world', 'create', '--scenario', 'empty', '--expires-in', '90m', '--url', info.url)
  const [head, first, second] = (await list()).split('\n')
  t.equal(head!.replace(/ {2,}/g, '|'), 'id|url|age|size|last use|expires in|created by')
  t.match(first!.replace(/ {2,}/g, '|'), /^1\|http:\/\/127\.0\.0\.1:\d+\|-\|0\.\d MB\|\d+ s\|never\|-$/)
  t.match(
    second!.replace(/ {2,}/g, '|'),
    new RegExp(`^4\\|http://127\\.0\\.0\\.1:\\d+/w/4\\|\\d+ s\\|0\\.\\d MB\\|-\\|1 h\\|${me.replaceAll('.', '\\.')}$`),
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
