import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import t, { type Test } from 'tap'
import { makeBackup } from '../../db/backup.ts'
import { openDataFolder } from '../../db/folders.ts'
import { start } from '../support/app.ts'
import { inProcess } from '../support/commands.ts'
import { until } from '../support/until.ts'
import { type SharingApp, startApp } from './apps.ts'
import { startPostgres, startStandby } from './postgres.ts'

const postgres = await startPostgres()
t.teardown(() => postgres.stop())
const folder = mkdtempSync(join(tmpdir(), 'mercadito-backup-'))
t.teardown(() => rmSync(folder, { recursive: true }))
const pathOf = (name: string) => join(folder, name)
const { sql, urlOf } = postgres

function createDatabase(name: string): string {
  sql(`CREATE DATABASE ${name}`)
  return urlOf(name)
}

async function openApp(t: Test, url: string): Promise<SharingApp> {
  const app = await startApp(url, { scenario: 'empty' })
  t.teardown(() => app.close())
  return app
}

/** What programs can see of a world: all its data, its start and its snapshots. */
async function contentOf({ control }: Pick<SharingApp, 'control'>, base: string) {
  const exported = async () => (await control('GET /world', undefined, base)).body
  const now = await exported()
  const snapshots = (await control('GET /snapshots', undefined, base)).body.results
  const states = []
  for (const { name } of snapshots) {
    await control(`POST /snapshots/${name}/restore`, undefined, base)
    states.push(await exported())
  }
  await control('POST /reset', undefined, base)
  return { now, snapshots, states, start: await exported() }
}

/** Rows of the tables that a restore fills. */
const rowsOf = (database: string) =>
  sql(
    `SELECT concat_ws(' ', (SELECT count(*) FROM mercadito.world), (SELECT count(*) FROM mercadito.state),
       (SELECT count(*) FROM mercadito.chunk))`,
    database,
  )

t.test('from the database to a folder and to another database', async (t) => {
  const url = createDatabase('market')
  const app = await openApp(t, url)
  const ask = (n: number, base = '') =>
    app.control('POST /questions', { item_id: 'MLA1', text: `¿Pregunta ${n}?` }, base)
  const addItem = (base: string, seller: number) =>
    app.control('POST /items', { seller_id: seller, id: 'MLA1', title: 'Mesa', price: 100 }, base)
  await addItem('', app.sellers[0]!.id)
  await ask(1)
  await app.control('POST /snapshots', { name: 'early', label: 'Before' })
  await ask(2)
  const { body: second } = await app.control('POST /worlds', { scenario: 'empty' })
  await addItem('/w/2', second.sellers[0].id)
  await app.control('POST /worlds', { scenario: 'empty' })
  t.equal((await app.call({ method: 'DELETE', url: '/_sandbox/worlds/3' })).status, 204)
  t.equal((await ask(3, '/w/2')).status, 201)

  const created = await inProcess('backup', pathOf('monday'), '--database', url, '--json')
  t.strictSame(created.errors, '')
  t.match(JSON.parse(created.output), { folder: pathOf('monday'), files: 5 })
  t.strictSame(readdirSync(pathOf('monday')).sort(), [
    'backup.json',
    'last-world',
    'world-1.snapshot.early.json',
    'world-1.snapshot.early.sqlite',
    'world-1.sqlite',
    'world-2.sqlite',
  ])
  t.match(await inProcess('backup', 'verify', pathOf('monday')), { code: 0, output: /is complete: 5 files, / })

  t.equal((await app.control('POST /backup', { folder: pathOf('by-server') })).status, 201)
  t.strictSame(readdirSync(pathOf('by-server')), readdirSync(pathOf('monday')))

  const copyUrl = createDatabase('copy')
  const restored = await inProcess('backup', 'restore', pathOf('monday'), '--database', copyUrl)
  t.match(restored, {
    code: 0,
    errors: '',
    output: /^filled 127\.0\.0\.1:\d+\/copy: 2 worlds, \d+\.\d MB; start servers with --database\n$/,
  })
  t.equal(sql('SELECT count(*) FROM mercadito.node', 'copy'), '0')
  const copy = await openApp(t, copyUrl)
  openDataFolder(pathOf('monday')).release()
  const kept = await start(t, { mode: 'kept', folder: openDataFolder(pathOf('monday')), scenario: 'empty' })
  for (const server of [copy, kept]) {
    t.strictSame(
      server.sellers.map(({ token }) => token),
      app.sellers.map(({ token }) => token),
    )
    const { body } = await server.control('POST /worlds', { scenario: 'empty' })
    t.equal(body.world.id, 4, 'numbers are not used again')
  }
  for (const base of ['', '/w/2']) {
    const expected = await contentOf(app, base)
    t.strictSame(await contentOf(copy, base), expected)
    t.strictSame(await contentOf(kept, base), expected)
  }
  for (const { faults } of [app, copy, kept]) t.strictSame(faults, [])
})

t.test('a backup made under load has everything answered before it', async (t) => {
  const url = createDatabase('load')
  const app = await openApp(t, url)
  await app.control('POST /items', { seller_id: app.sellers[0]!.id, id: 'MLA1', title: 'Mesa', price: 100 })
  let [asked, answered] = [0, 0]
  let isRunning = true
  const writers = Array.from({ length: 8 }, async () => {
    while (isRunning) {
      const { status } = await app.control('POST /questions', { item_id: 'MLA1', text: `¿Pregunta ${++asked}?` })
      t.equal(status, 201)
      answered++
    }
  })
  await until('50 answers', () => answered >= 50)
  const before = answered
  const { code } = await inProcess('backup', pathOf('load'), '--database', url)
  const after = asked
  isRunning = false
  await Promise.all(writers)
  t.equal(code, 0)
  const db = new Sqlite(join(pathOf('load'), 'world-1.sqlite'))
  t.equal(db.pragma('integrity_check', { simple: true }), 'ok')
  const backedUp = db.prepare('SELECT count(*) FROM question').pluck().get() as number
  db.close()
  t.ok(backedUp >= before && backedUp <= after, `${before} <= ${backedUp} <= ${after}`)
})

t.test('a folder whose server was killed, with a snapshot of an older version', async (t) => {
  const files = pathOf('files')
  const server = await start(t, { mode: 'kept', folder: openDataFolder(files), scenario: 'empty' })
  await server.control('POST /snapshots', { name: 'early' })
  await server.control('POST /worlds', { scenario: 'empty' })
  await server.control('POST /clock', { now: '2030-01-01T00:00:00Z', mode: 'frozen' }, '/w/2')
  await makeBackup(pathOf('killed'), async (to) => {
    for (const name of readdirSync(files))
      if (/^world-.*\.sqlite(-wal)?$/.test(name)) copyFileSync(join(files, name), join(to, name))
    writeFileSync(join(to, 'last-world'), '7')
  })
  t.ok(existsSync(join(pathOf('killed'), 'world-2.sqlite-wal')))
  const url = createDatabase('killed')
  t.equal((await inProcess('backup', 'restore', pathOf('killed'), '--database', url)).errors, '')
  const app = await openApp(t, url)
  t.strictSame(
    (await app.control('GET /world', undefined, '/w/2')).body,
    (await server.control('GET /world', undefined, '/w/2')).body,
  )
  t.match((await app.control('GET /snapshots')).body.results, [{ name: 'early', label: null, created_at: null }])
  t.equal((await app.control('POST /snapshots/early/restore')).status, 204)
  t.equal((await app.control('POST /worlds', { scenario: 'empty' })).body.world.id, 8)
})

t.test('a restore that fails leaves nothing', async (t) => {
  const url = createDatabase('failing')
  const restore = (from = 'by-server') => inProcess('backup', 'restore', pathOf(from), '--database', url)
  const damagedBackup = (name: string, damage: (file: string) => void) =>
    makeBackup(pathOf(name), async (to) => {
      for (const file of ['world-1.sqlite', 'world-2.sqlite'])
        copyFileSync(join(pathOf('by-server'), file), join(to, file))
      damage(join(to, 'world-2.sqlite'))
    })
  await damagedBackup('newer', (file) => {
    const db = new Sqlite(file)
    db.pragma('user_version = 9999')
    db.close()
  })
  await damagedBackup('damaged', (file) => writeFileSync(file, 'x'.repeat(4096)))
  await damagedBackup('inconsistent', (file) => {
    const bytes = readFileSync(file)
    bytes.fill(255, 4096 * 5, 4096 * 6)
    writeFileSync(file, bytes)
  })
  await damagedBackup('changed', () => {})
  writeFileSync(join(pathOf('changed'), 'world-2.sqlite'), 'x')
  const rows: [from: string, error: RegExp][] = [
    ['newer', /newer\/world-2\.sqlite was written by a newer version of mercadito; use that version$/],
    ['damaged', /damaged\/world-2\.sqlite is damaged \(SQLITE_NOTADB\); use another backup$/],
    ['inconsistent', /inconsistent\/world-2\.sqlite is damaged; use another backup$/],
    ['changed', /world-2\.sqlite in .*changed has changed since the backup; use another backup$/],
    ['nowhere', /nowhere is not a complete backup \(no readable backup\.json\); use another one$/],
  ]
  for (const [from, error] of rows) {
    const { code, output, errors } = await restore(from)
    t.strictSame([code, output], [1, ''])
    t.match(errors, /^mercadito: [^\n]+\n$/)
    t.match(errors.trim(), error)
    t.equal(rowsOf('failing'), '0 0 0', from)
  }

  // The last statement fails.
  sql('ALTER SEQUENCE mercadito.world_number MAXVALUE 2', 'failing')
  t.match(await restore(), {
    code: 1,
    errors: /^mercadito: 127\.0\.0\.1:\d+\/failing: setval: .*; see the log of PostgreSQL, and try again\n$/,
  })
  t.equal(rowsOf('failing'), '0 0 0')
  sql('ALTER SEQUENCE mercadito.world_number NO MAXVALUE', 'failing')

  t.equal((await restore()).code, 0)
  const rowsBefore = rowsOf('failing')
  t.match(await restore(), {
    code: 1,
    errors:
      /^mercadito: 127\.0\.0\.1:\d+\/failing: the database already has 2 worlds; name an empty database, such as a new one\n$/,
  })
  t.equal(rowsOf('failing'), rowsBefore)
})

t.test('a server that starts during a restore has all worlds, or prevents the restore', async (t) => {
  for (const name of ['race1', 'race2', 'race3']) {
    const url = createDatabase(name)
    const restoring = inProcess('backup', 'restore', pathOf('by-server'), '--database', url)
    const app = await openApp(t, url)
    const { code, errors } = await restoring
    if (code !== 0) t.match(errors, /race\d: the database already has a world; /)
    t.equal((await app.control('GET /worlds')).body.paging.total, code === 0 ? 2 : 1)
  }
})

t.test('says what to do, and leaves no folder', async (t) => {
  const standby = await startStandby(postgres)
  t.teardown(() => standby.stop())
  sql('CREATE ROLE guest LOGIN')
  createDatabase('unused')
  createDatabase('older')
  createDatabase('newer')
  createDatabase('broken')
  for (const name of ['older', 'newer', 'broken'])
    t.equal((await inProcess('backup', 'restore', pathOf('by-server'), '--database', urlOf(name))).code, 0)
  sql(`UPDATE mercadito.version SET version = 1, program = '0.0.9'`, 'older')
  sql(`UPDATE mercadito.version SET version = 99, compatible = 98, program = '9.8.7'`, 'newer')
  sql('DELETE FROM mercadito.chunk WHERE n = 0', 'broken')
  const newer = 'the database was used by a newer version of mercadito; start version 9.8.7 or a later one'
  const create = `backup create ${pathOf('new')} --database`
  const restore = `backup restore ${pathOf('by-server')} --database`
  const refused =
    '127.0.0.1:1/x: connect ECONNREFUSED 127.0.0.1:1; start PostgreSQL there, or correct host and port in --database'
  const rows: [line: string, code: number, error: string][] = [
    [`${create} postgres://u:secret@127.0.0.1:1/x`, 1, refused],
    [`${restore} postgres://u:secret@127.0.0.1:1/x`, 1, refused],
    [
      `${create} mysql://db/x`,
      2,
      '--database or MERCADITO_DATABASE: must be an address such as postgres://user@db/mercadito',
    ],
    [`${create} ${urlOf('market')} --data x`, 2, '--data cannot be used with --database; leave out one of them'],
    [`${create} ${urlOf('unused')}`, 1, 'NAME/unused: no server has used the database yet'],
    [`${create} ${urlOf('newer')}`, 1, `NAME/newer: ${newer}`],
    [`${restore} ${urlOf('newer')}`, 1, `NAME/newer: ${newer}`],
    [
      `${create} ${urlOf('older')}`,
      1,
      'NAME/older: the tables were made by mercadito 0.0.9; use that version, or start a server of this one, which migrates them',
    ],
    [
      `${create} ${urlOf('market', 'guest')}`,
      1,
      'NAME/market: permission denied for schema mercadito; `mercadito status check --database` says which rights the user needs',
    ],
    [
      `${restore} ${urlOf('unused', 'guest')}`,
      1,
      'NAME/unused: permission denied for database unused; `mercadito status check --database` says which rights the user needs',
    ],
    [
      `${restore} ${standby.urlOf('unused')}`,
      1,
      `127.0.0.1:${standby.port}/unused: cannot execute CREATE SCHEMA in a read-only transaction; the database is read-only: name the primary in --database, or set default_transaction_read_only to off`,
    ],
    [
      `${create} ${urlOf('broken')}`,
      1,
      'NAME/broken: world 1: a chunk of a stored state is missing; restore a backup of it',
    ],
    [
      `backup create ${pathOf('monday')} --database ${urlOf('market')}`,
      1,
      `${pathOf('monday')} already exists; name a new folder`,
    ],
    [
      `backup restore ${pathOf('monday')}`,
      2,
      'set the folder to create with --data, or the database to fill with --database',
    ],
  ]
  for (const [line, code, error] of rows)
    t.strictSame(
      await inProcess(...line.split(' ')),
      { code, output: '', errors: `mercadito: ${error.replace('NAME', `127.0.0.1:${postgres.port}`)}\n` },
      line,
    )
  t.notOk(existsSync(pathOf('new')))
  t.match(await inProcess('backup', pathOf('from-standby'), '--database', standby.urlOf('market'), '--json'), {
    code: 0,
  })
  t.strictSame(readdirSync(pathOf('from-standby')), readdirSync(pathOf('by-server')))
})
