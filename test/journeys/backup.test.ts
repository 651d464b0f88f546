import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import t from 'tap'
import { openDataFolder } from '../../db/folders.ts'
import { start } from '../support/app.ts'
import { commanded, inProcess } from '../support/commands.ts'

const folder = mkdtempSync(join(tmpdir(), 'mercadito-backup-'))
t.teardown(() => rmSync(folder, { recursive: true }))
const at = (name: string) => join(folder, name)

const app = await commanded(t, { mode: 'kept', folder: openDataFolder(at('market')), scenario: 'empty' })
const { run, told, control, buyers, call } = app
const [buyer] = buyers as [(typeof buyers)[0]]
let asked = 0
const ask = () => {
  asked++
  return buyer.post('/questions', { item_id: 'MLA1', text: `¿Pregunta ${asked}?` })
}

t.test('a backup that is made under load has all that was answered before', async (t) => {
  const { body: item } = await control('POST /items', {
    seller_id: app.sellers[0]!.id,
    id: 'MLA1',
    title: 'Mesa',
    price: 100,
  })
  t.equal(item.id, 'MLA1')
  await control('POST /snapshots', { name: 'early' })
  await control('POST /worlds', { scenario: 'empty' })
  await control('POST /worlds', { scenario: 'empty' })
  await call({ method: 'DELETE', url: '/_sandbox/worlds/3' })
  let answered = 0
  let going = true
  const writers = Array.from({ length: 8 }, async () => {
    while (going) {
      t.equal((await ask()).status, 201)
      answered++
    }
  })
  while (answered < 50) await new Promise(setImmediate)
  const before = answered
  const made = await told(`backup ${at('monday')}`)
  going = false
  await Promise.all(writers)
  t.strictSame(Object.keys(made), ['folder', 'files', 'bytes'])
  t.strictSame(readdirSync(at('monday')).sort(), [
    'backup.json',
    'last-world',
    'world-1.snapshot.early.sqlite',
    'world-1.sqlite',
    'world-2.sqlite',
  ])
  t.match(await inProcess('backup', 'verify', at('monday')), { code: 0, output: /is complete: 4 files, / })
  for (const name of ['world-1.sqlite', 'world-2.sqlite']) {
    const db = new Sqlite(join(at('monday'), name))
    t.equal(db.pragma('integrity_check', { simple: true }), 'ok')
    if (name === 'world-1.sqlite') {
      const kept = db.prepare('SELECT count(*) FROM question').pluck().get() as number
      t.ok(kept >= before && kept <= asked, `${before} <= ${kept} <= ${asked}`)
    }
    db.close()
  }
})

t.test('a server begins with what was restored as the other one stood', async (t) => {
  const whole = await told(`backup ${at('tuesday')}`)
  const restored = await inProcess('backup', 'restore', at('tuesday'), '--data', at('again'), '--json')
  t.strictSame(JSON.parse(restored.output), { ...whole, folder: at('again') })
  const other = await start(t, { mode: 'kept', folder: openDataFolder(at('again')), scenario: 'empty' })
  t.strictSame(
    other.sellers.map(({ token }) => token),
    app.sellers.map(({ token }) => token),
  )
  const all = async ({ control }: typeof other) => (await control('GET /world')).body
  t.strictSame(await all(other), await all(app))
  t.strictSame((await other.control('GET /snapshots')).body.results, [{ name: 'early' }])
  t.equal((await other.control('POST /snapshots/early/restore')).status, 204)
  t.equal((await other.control('GET /clock', undefined, '/w/2')).status, 200)
  const { body } = await other.control('POST /worlds', { scenario: 'empty' })
  t.equal(body.world.id, 4, 'numbers are never given twice')
  t.strictSame(other.faults, [])
})

t.test('a folder that no server has is copied as it is', async (t) => {
  const idle = at('idle')
  t.equal((await inProcess('backup', 'restore', at('tuesday'), '--data', idle)).code, 0)
  const { code, output } = await inProcess('backup', 'create', at('wednesday'), '--data', idle, '--json')
  t.equal(code, 0)
  t.strictSame(JSON.parse(output).files, 4)
  t.match(await inProcess('backup', at('thursday'), '--data', at('market')), {
    code: 6,
    errors: /market is in use by another mercadito; leave out --data, so that the server makes the backup\n$/,
  })
})

t.test('what is there is not written over, and what is not whole is known', async (t) => {
  const spoilt = async (name: string, spoil: (folder: string) => void) => {
    t.equal((await run(`backup ${at(name)}`)).code, 0)
    spoil(at(name))
    return at(name)
  }
  const half = await spoilt('half', (folder) =>
    renameSync(join(folder, 'backup.json'), join(folder, 'backup.json.new')),
  )
  const changed = await spoilt('changed', (folder) => appendFileSync(join(folder, 'world-2.sqlite'), 'x'))
  const lacking = await spoilt('lacking', (folder) => rmSync(join(folder, 'world-2.sqlite')))
  const foreign = await spoilt('foreign', (folder) =>
    writeFileSync(join(folder, 'backup.json'), '{"format":1,"files":[{"name":"../x","bytes":0,"sha256":""}]}'),
  )
  const newer = await spoilt('newer', (folder) => writeFileSync(join(folder, 'backup.json'), '{"format":2}'))
  mkdirSync(at('full'))
  writeFileSync(join(at('full'), 'mine'), 'x')
  const rows: [line: string, code: number, message: RegExp][] = [
    [`backup ${at('monday')}`, 1, /folder: .*monday already exists; name a new folder/],
    [`backup ${at('no/where')}`, 1, /folder: cannot be written \(ENOENT\)/],
    [`backup restore ${half} --data ${at('new')}`, 1, /half is not a complete backup \(no readable backup\.json\)/],
    [`backup restore ${changed} --data ${at('new')}`, 1, /world-2\.sqlite in .*changed has changed since the backup/],
    [`backup restore ${lacking} --data ${at('new')}`, 1, /has no world-2\.sqlite/],
    [`backup restore ${foreign} --data ${at('new')}`, 1, /contains x, which is not a file of mercadito/],
    [`backup restore ${newer} --data ${at('new')}`, 1, /was made by a newer version/],
    [`backup restore ${at('monday')} --data ${at('full')}`, 1, /full is not empty; name a new folder/],
    [`backup restore ${at('monday')}`, 2, /set the folder to create with --data/],
    [`backup ${at('new')} --data ${at('nowhere')}`, 1, /nowhere is not a data folder/],
  ]
  for (const [line, code, message] of rows) {
    const ended = await run(line)
    t.equal(ended.code, code, line)
    t.match(ended.errors, message, line)
    t.match(ended.errors, /^mercadito: [^\n]+\n$/, line)
  }
  t.notOk(existsSync(at('new')), 'nothing is left behind')
  t.match((await control('POST /backup', { folder: 'monday' })).body, { message: 'folder: must be an absolute path' })
})

t.test('nothing went wrong unseen', async (t) => {
  t.strictSame(app.faults, [])
})
