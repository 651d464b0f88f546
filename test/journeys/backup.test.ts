import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import t from 'tap'
import { openDataFolder } from '../../db/folders.ts'
import { start } from '../support/app.ts'
import { inProcess, startCommandServer } from '../support/commands.ts'
import { until } from '../support/until.ts'

const folder = mkdtempSync(join(tmpdir(), 'mercadito-backup-'))
t.teardown(() => rmSync(folder, { recursive: true }))
const pathOf = (name: string) => join(folder, name)

const app = await startCommandServer(t, { mode: 'kept', folder: openDataFolder(pathOf('market')), scenario: 'empty' })
const { run, runJson, control, buyers, call } = app
const [buyer] = buyers as [(typeof buyers)[0]]
let askedCount = 0
const ask = () => {
  askedCount++
  return buyer.post('/questions', { item_id: 'MLA1', text: `¿Pregunta ${askedCount}?` })
}

t.test('a backup made under load contains everything answered before it', async (t) => {
  const { body: item } = await control('POST /items', {
    seller_id: app.sellers[0]!.id,
    id: 'MLA1',
    title: 'Mesa',
    price: 100,
  })
  t.equal(item.id, 'MLA1')
  await control('POST /snapshots', { name: 'early', label: 'Before tuesday' })
  await control('POST /worlds', { scenario: 'empty' })
  await control('POST /worlds', { scenario: 'empty' })
  await call({ method: 'DELETE', url: '/_sandbox/worlds/3' })
  let answered = 0
  let isRunning = true
  const writers = Array.from({ length: 8 }, async () => {
    while (isRunning) {
      t.equal((await ask()).status, 201)
      answered++
    }
  })
  await until('50 answers', () => answered >= 50)
  const before = answered
  const created = await runJson(`backup ${pathOf('monday')}`)
  isRunning = false
  await Promise.all(writers)
  t.strictSame(Object.keys(created), ['folder', 'files', 'bytes'])
  t.strictSame(readdirSync(pathOf('monday')).sort(), [
    'backup.json',
    'last-world',
    'world-1.snapshot.early.json',
    'world-1.snapshot.early.sqlite',
    'world-1.sqlite',
    'world-2.sqlite',
  ])
  t.match(await inProcess('backup', 'verify', pathOf('monday')), { code: 0, output: /is complete: 5 files, / })
  for (const name of ['world-1.sqlite', 'world-2.sqlite']) {
    const db = new Sqlite(join(pathOf('monday'), name))
    t.equal(db.pragma('integrity_check', { simple: true }), 'ok')
    if (name === 'world-1.sqlite') {
      const backedUp = db.prepare('SELECT count(*) FROM question').pluck().get() as number
      t.ok(backedUp >= before && backedUp <= askedCount, `${before} <= ${backedUp} <= ${askedCount}`)
    }
    db.close()
  }
})

t.test('a server continues a restored backup', async (t) => {
  const created = await runJson(`backup ${pathOf('tuesday')}`)
  const restored = await inProcess('backup', 'restore', pathOf('tuesday'), '--data', pathOf('again'), '--json')
  t.strictSame(JSON.parse(restored.output), { ...created, folder: pathOf('again') })
  const other = await start(t, { mode: 'kept', folder: openDataFolder(pathOf('again')), scenario: 'empty' })
  t.strictSame(
    other.sellers.map(({ token }) => token),
    app.sellers.map(({ token }) => token),
  )
  const exportWorld = async ({ control }: typeof other) => (await control('GET /world')).body
  t.strictSame(await exportWorld(other), await exportWorld(app))
  t.strictSame((await other.control('GET /snapshots')).body, (await control('GET /snapshots')).body)
  t.match((await other.control('GET /snapshots')).body.results, [{ name: 'early', label: 'Before tuesday' }])
  t.equal((await other.control('POST /snapshots/early/restore')).status, 204)
  t.equal((await other.control('GET /clock', undefined, '/w/2')).status, 200)
  const { body } = await other.control('POST /worlds', { scenario: 'empty' })
  t.equal(body.world.id, 4, 'numbers are not reused')
})

t.test('a restore leaves folders alone that it did not make', async (t) => {
  mkdirSync(pathOf('friday.part'))
  writeFileSync(join(pathOf('friday.part'), 'mine'), 'x')
  const restore = (backup: string, data: string) => inProcess('backup', 'restore', pathOf(backup), '--data', data)
  t.equal((await restore('tuesday', pathOf('friday'))).code, 0)
  t.strictSame(readdirSync(pathOf('friday.part')), ['mine'])
  t.equal((await restore('tuesday', join(pathOf('deep'), 'er', 'market'))).code, 0)
  t.strictSame(readdirSync(join(pathOf('deep'), 'er')), ['market'], 'no temp folder remains')
})

t.test('no command replaces a file without --force', async (t) => {
  const file = pathOf('report')
  for (const line of ['world export', 'requests save', 'requests audit --output', 'requests --har']) {
    writeFileSync(file, 'mine')
    t.strictSame(await run(`${line} ${file}`), {
      ...{ code: 2, output: '' },
      errors: `mercadito: ${file} exists; add --force to replace it\n`,
    })
    t.equal(readFileSync(file, 'utf8'), 'mine')
    t.equal((await run(`${line} ${file} --force`)).code, 0, line)
    t.not(readFileSync(file, 'utf8'), 'mine', line)
  }
})

t.test('a file that is written leaves others alone', async (t) => {
  const file = pathOf('world.json')
  writeFileSync(`${file}.part`, 'mine')
  t.equal((await run(`world export ${file}`)).code, 0)
  t.equal((await run(`requests save ${file}.bundle`)).code, 0)
  t.equal(readFileSync(`${file}.part`, 'utf8'), 'mine')
  writeFileSync(`${file}.bundle.part`, 'mine')
  t.equal((await run(`requests save ${file}.bundle --force`)).code, 0)
  t.equal(readFileSync(`${file}.bundle.part`, 'utf8'), 'mine')
  t.strictSame(
    readdirSync(folder).filter((name) => name.includes('.part-')),
    [],
  )
})

t.test('what root restores belongs to the user of the service', async (t) => {
  const me = { uid: process.getuid?.(), gid: process.getgid?.() }
  const service = me.uid === 0 ? { uid: 12_345, gid: 12_346 } : me
  const ownersIn = (path: string) => [path, ...readdirSync(path).map((name) => join(path, name))].map(ownerOf)
  const ownerOf = (path: string) => ({ uid: statSync(path).uid, gid: statSync(path).gid })
  const restore = async (data: string) =>
    t.equal((await inProcess('backup', 'restore', pathOf('tuesday'), '--data', data)).code, 0)
  mkdirSync(pathOf('state'))
  if (me.uid === 0) chownSync(pathOf('state'), service.uid!, service.gid!)
  await restore(pathOf('state'))
  for (const owner of ownersIn(pathOf('state'))) t.strictSame(owner, service, 'of the empty folder')
  if (me.uid === 0) chownSync(pathOf('tuesday'), service.uid!, service.gid!)
  await restore(pathOf('created'))
  for (const owner of ownersIn(pathOf('created'))) t.strictSame(owner, service, 'of the backup')
  if (me.uid === 0) chownSync(pathOf('tuesday'), 0, 0)
})

t.test('backs up a folder without a running server', async (t) => {
  const idle = pathOf('idle')
  t.equal((await inProcess('backup', 'restore', pathOf('tuesday'), '--data', idle)).code, 0)
  const { code, output } = await inProcess('backup', 'create', pathOf('wednesday'), '--data', idle, '--json')
  t.equal(code, 0)
  t.strictSame(JSON.parse(output).files, 5)
  t.match(await inProcess('backup', pathOf('thursday'), '--data', pathOf('market')), {
    code: 6,
    errors: /market is in use by another mercadito; leave out --data, so that the server makes the backup\n$/,
  })
})

t.test('never overwrites a folder, and detects incomplete backups', async (t) => {
  const damagedBackup = async (name: string, damage: (folder: string) => void) => {
    t.equal((await run(`backup ${pathOf(name)}`)).code, 0)
    damage(pathOf(name))
    return pathOf(name)
  }
  const incomplete = await damagedBackup('half', (folder) =>
    renameSync(join(folder, 'backup.json'), join(folder, 'backup.json.new')),
  )
  const changed = await damagedBackup('changed', (folder) => appendFileSync(join(folder, 'world-2.sqlite'), 'x'))
  const missing = await damagedBackup('lacking', (folder) => rmSync(join(folder, 'world-2.sqlite')))
  const foreign = await damagedBackup('foreign', (folder) =>
    writeFileSync(join(folder, 'backup.json'), '{"format":1,"files":[{"name":"../x","bytes":0,"sha256":""}]}'),
  )
  const outside = await damagedBackup('outside', (folder) =>
    writeFileSync(
      join(folder, 'backup.json'),
      '{"format":1,"files":[{"name":"world-1./../../x.sqlite","bytes":0,"sha256":""}]}',
    ),
  )
  const newer = await damagedBackup('newer', (folder) => writeFileSync(join(folder, 'backup.json'), '{"format":2}'))
  mkdirSync(pathOf('full'))
  writeFileSync(join(pathOf('full'), 'mine'), 'x')
  const rows: [line: string, code: number, message: RegExp][] = [
    [`backup ${pathOf('monday')}`, 2, /monday already exists; name a new folder/],
    [`backup ${pathOf('no/where')}`, 2, /no\/where: cannot be written \(ENOENT\)/],
    [
      `backup restore ${incomplete} --data ${pathOf('new')}`,
      1,
      /half is not a complete backup \(no readable backup\.json\)/,
    ],
    [
      `backup restore ${changed} --data ${pathOf('new')}`,
      1,
      /world-2\.sqlite in .*changed has changed since the backup/,
    ],
    [`backup restore ${missing} --data ${pathOf('new')}`, 1, /has no world-2\.sqlite/],
    [`backup restore ${foreign} --data ${pathOf('new')}`, 1, /contains x, which is not a file of mercadito/],
    [`backup restore ${outside} --data ${pathOf('new')}`, 1, /contains x\.sqlite, which is not a file of mercadito/],
    [`backup restore ${newer} --data ${pathOf('new')}`, 1, /was made by a newer version/],
    [`backup restore ${pathOf('monday')} --data ${pathOf('full')}`, 1, /full is not empty; name a new folder/],
    [`backup restore ${pathOf('monday')}`, 2, /set the folder to create with --data/],
    [`backup ${pathOf('new')} --data ${pathOf('nowhere')}`, 1, /nowhere is not a data folder/],
  ]
  for (const [line, code, message] of rows) {
    const result = await run(line)
    t.equal(result.code, code, line)
    t.match(result.errors, message, line)
    t.match(result.errors, /^mercadito: [^\n]+\n$/, line)
  }
  t.notOk(existsSync(pathOf('new')), 'no folder was created')
  t.match((await control('POST /backup', { folder: 'monday' })).body, { message: 'folder: must be an absolute path' })
})
