import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { openDataFolder } from '../../db/folders.ts'
import { BrokenFile } from '../../db/migrate.ts'
import { noLog } from '../../db/sqlite/commit_log.ts'
import { start } from '../support/app.ts'

/** The number of the world that other requests begin to open while it is changed. */
let opened: number | undefined
/** Names of the errors that those requests get. */
const errors: string[] = []
const app = await start(t, {
  scenario: 'empty',
  beforePlugins: (server) =>
    void server.addHook('preHandler', ({ method }, _reply, done) => {
      if (method === 'DELETE') void openOften()
      done()
    }),
  storage: {
    hasCheckpointer: false,
    openLog(file) {
      if (file.endsWith(`world-${opened}.1.sqlite`)) void openOften()
      return noLog(file)
    },
  },
})
const { control, worlds } = app

/** Begins to open the world again whenever that has failed, without a moment in between. */
async function openOften(): Promise<void> {
  const id = opened!
  opened = undefined
  for (let n = 0; n < 50; n++)
    try {
      const world = await worlds.acquire(id)
      if (world) worlds.release(world)
    } catch (error) {
      errors.push((error as Error).constructor.name)
    }
}

const filesOf = (id: number) =>
  readdirSync(worlds.folder).filter((name) => name.startsWith(`world-${id}.`) && name.endsWith('.sqlite'))

/** Creates a world with a start file and a snapshot, and damages the file of its state. */
async function createDamaged(): Promise<number> {
  const { id } = (await control('POST /worlds', { from: 1 })).body.world
  const fileOf = (state: string) => join(worlds.folder, `world-${id}${state}.sqlite`)
  copyFileSync(fileOf('.start'), fileOf('.snapshot.a'))
  writeFileSync(fileOf(''), 'x'.repeat(5000))
  t.equal((await control('GET /clock', undefined, `/w/${id}`)).status, 500)
  t.ok(app.faults.pop() instanceof BrokenFile)
  return id
}

t.test('a damaged world is deleted while requests open it', async (t) => {
  const id = await createDamaged()
  opened = id
  t.equal((await control(`DELETE /worlds/${id}`)).status, 204)
  t.strictSame(new Set(errors.splice(0)), new Set(['BrokenFile']))
  t.strictSame([(await control('GET /clock', undefined, `/w/${id}`)).status, filesOf(id)], [404, []])
})

const populate = () => Promise.reject(new Error('a fork has a start file'))
const changes = { reset: (id: number) => worlds.reset(id, populate), restore: (id: number) => worlds.restore(id, 'a') }
for (const [name, change] of Object.entries(changes))
  t.test(`${name} replaces a damaged world while requests open it`, async (t) => {
    const id = await createDamaged()
    opened = id
    await change(id)
    t.strictSame(new Set(errors.splice(0)), new Set(['BrokenFile']))
    t.equal((await control('GET /clock', undefined, `/w/${id}`)).status, 200)
    t.strictSame(filesOf(id), [`world-${id}.1.sqlite`, `world-${id}.snapshot.a.sqlite`, `world-${id}.start.sqlite`])
  })

t.test('a log that is not one is named at the start, and changes nothing', async (t) => {
  const path = mkdtempSync(join(tmpdir(), 'mercadito-damaged-'))
  t.teardown(() => rmSync(path, { recursive: true }))
  const log = join(path, 'world-1.sqlite-wal')
  const startAgain = async () => {
    const notices: string[] = []
    const onNotice = (text: string) => notices.push(text)
    const kept = { mode: 'kept', folder: openDataFolder(path), scenario: 'empty', onNotice } as const
    const app = await start(t, kept)
    const users = (await app.control('GET /users')).body.paging.total
    return { app, notices, users }
  }
  const { app, users } = await startAgain()
  t.equal((await app.control('POST /users', { site_id: 'MLA' })).status, 201)
  const valid = readFileSync(log)
  t.ok(valid.length > 0)
  await app.server.close()

  const damaged = Buffer.from(valid)
  damaged[20]! ^= 1
  for (const [content, isNamed] of [
    [Buffer.alloc(5000, 'garbage '), true],
    [damaged, true],
    [valid, false],
    [valid.subarray(0, 32), false],
  ] as const) {
    writeFileSync(log, content)
    const { app, ...found } = await startAgain()
    const notice = `${log} is not a log of SQLite and is ignored: writes that only it had are missing`
    t.strictSame(found, { users: users + 1, notices: isNamed ? [notice] : [] })
    await app.server.close()
  }
})
