import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { openPostgres } from '../../cluster/storage/postgres.ts'
import { inProcess } from '../support/commands.ts'
import { startPostgres, startStandby } from './postgres.ts'

const postgres = await startPostgres()
t.teardown(() => postgres.stop())
const { sql, url } = postgres
const nodes = (...flags: string[]) => inProcess('status', 'cluster', ...flags)

/** No node renews its lease while a test runs. */
const LEASE_MS = 600_000

const openNode = (nodeUrl: string | null, format: number) =>
  openPostgres({
    ...{ databaseUrl: url, url: nodeUrl, format, leaseMs: LEASE_MS },
    onLost: () => {},
    onError: (error) => t.error(error),
  })

t.test('a database that no server has used', async (t) => {
  const name = `127.0.0.1:${postgres.port}/postgres`
  t.strictSame(await nodes('--database', url), {
    code: 1,
    output: '',
    errors: `mercadito: ${name}: no server has used the database yet\n`,
  })
})

t.test('lists the servers and their worlds', async (t) => {
  const [a, b] = [await openNode('http://a', 7), await openNode(null, 8)]
  t.teardown(() => Promise.all([a.close(), b.close()]))
  const folder = mkdtempSync(join(tmpdir(), 'mercadito-nodes-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'world')
  writeFileSync(file, Buffer.alloc(100_000))
  const claim = await a.create(1, file, null)
  for (const bytes of [10, 20]) await a.append(claim, Buffer.alloc(bytes))
  await a.save(1, { name: 'start', details: null }, file, claim)
  await a.create(2, file, null)
  await b.release(await b.create(3, file, null))
  await b.create(4, file, null)
  sql(`UPDATE mercadito.node SET seen = seen - interval '1 hour' WHERE url IS NULL`)

  const { code, output } = await nodes('--database', url, '--worlds', '--json')
  t.equal(code, 0)
  const cluster = JSON.parse(output)
  const ages = cluster.nodes.map(({ age_ms }: { age_ms: number }) => Math.floor(age_ms / 60_000))
  t.strictSame(ages, [0, 60])
  const world = { log_entries: 0, log_bytes: 0, bytes: 100_000 }
  t.strictSame(cluster, {
    nodes: [
      { id: a.node, url: 'http://a', alive: true, lease_ms: LEASE_MS, worlds: 2, format: 7 },
      { id: b.node, url: null, alive: false, lease_ms: LEASE_MS, worlds: 1, format: 8 },
    ].map((node, n) => ({ ...node, age_ms: cluster.nodes[n].age_ms })),
    worlds: [
      { id: 1, node: a.node, url: 'http://a', log_entries: 2, log_bytes: 30, bytes: 200_000, format: 7 },
      { ...world, id: 2, node: a.node, url: 'http://a', format: 7 },
      { ...world, id: 3, node: null, url: null, format: 8 },
      { ...world, id: 4, node: b.node, url: null, format: 8 },
    ],
  })
  const text = await nodes('--database', url, '--worlds')
  t.match(
    text.output.split('\n').map((line) => line.split(/ {2,}/)),
    [
      ['url', 'state', 'last seen', 'lease', 'worlds', 'format', 'id'],
      ['http://a', 'alive', /^\d s$/, '10 min', '2', '7', a.node],
      ['-', 'dead', '1 h', '10 min', '1', '8', b.node],
      [''],
      ['world', 'server', 'log entries', 'log', 'size', 'format'],
      ['1', 'http://a', '2', '0.0 MB', '0.2 MB', '7'],
      ['2', 'http://a', '0', '0.0 MB', '0.1 MB', '7'],
      ['3', '-', '0', '0.0 MB', '0.1 MB', '8'],
      ['4', b.node, '0', '0.0 MB', '0.1 MB', '8'],
      [''],
    ],
  )
  t.strictSame(JSON.parse((await nodes('--database', url, '--json')).output).worlds, undefined)
})

t.test('reads a standby', async (t) => {
  const standby = await startStandby(postgres)
  t.teardown(() => standby.stop())
  const { code, output } = await nodes('--database', standby.url, '--worlds', '--json')
  t.equal(code, 0)
  t.equal(JSON.parse(output).worlds.length, 4)
})

t.test('says what to do', async (t) => {
  const name = `127.0.0.1:${postgres.port}/postgres`
  const rows: [flags: string[], code: number, error: string][] = [
    [[], 2, 'set the database with --database'],
    [
      ['--database', 'postgres://u:secret@127.0.0.1:1/x'],
      1,
      '127.0.0.1:1/x: connect ECONNREFUSED 127.0.0.1:1; start PostgreSQL there, or correct host and port in --database',
    ],
    [
      ['--database', postgres.urlOf('postgres', 'guest:secret')],
      1,
      `${name}: permission denied for schema mercadito; \`mercadito status check --database\` says which rights the user needs`,
    ],
  ]
  sql('CREATE ROLE guest LOGIN')
  for (const [flags, code, error] of rows)
    t.strictSame(await nodes(...flags), { code, output: '', errors: `mercadito: ${error}\n` })
  sql('UPDATE mercadito.version SET version = 1, program = $$0.0.9$$')
  t.equal(
    (await nodes('--database', url)).errors,
    `mercadito: ${name}: the tables were made by mercadito 0.0.9; use that version, or start a server of this one, which migrates them\n`,
  )
  sql('UPDATE mercadito.version SET version = 99, compatible = 98, program = $$9.8.7$$')
  t.equal(
    (await nodes('--database', url)).errors,
    `mercadito: ${name}: the database was used by a newer version of mercadito; start version 9.8.7 or a later one\n`,
  )
})
