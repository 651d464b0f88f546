import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openPostgres } from '../../cluster/storage/postgres.ts'
import { TABLES_VERSION } from '../../cluster/storage/schema.ts'
import about from '../../package.json' with { type: 'json' }
import { inProcess } from '../support/commands.ts'
import { until } from '../support/until.ts'
import { startPostgres, startStandby } from './postgres.ts'

const postgres = await startPostgres()
t.teardown(() => postgres.stop())
const { sql, urlOf, port } = postgres
const [VERSION] = sql('SHOW server_version').split(' ')

/** The findings about a database, by check: `ok`, `WARNING` or `bad`, with the result. */
async function doctor(url: string) {
  const { code, output, errors } = await inProcess('status', 'check', '--port', '0', '--database', url, '--json')
  const findings: { check: string; ok: boolean; warning?: true; result: string }[] = JSON.parse(output)
  const ofDatabase = findings.slice(findings.findIndex(({ check }) => check === 'server') + 1)
  const mark = ({ ok, warning }: (typeof findings)[0]) => (warning ? 'WARNING' : ok ? 'ok' : 'bad')
  return {
    code,
    text: output + errors,
    found: Object.fromEntries(ofDatabase.map((one) => [one.check, `${mark(one)} ${one.result}`])),
  }
}

const openNode = (databaseUrl: string, url: string | null = null) =>
  openPostgres({
    ...{ databaseUrl, url, format: 1, leaseMs: 60_000 },
    onLost: () => {},
    onError: (error) => t.error(error),
  })

function createDatabase(name: string): string {
  sql(`CREATE DATABASE ${name}`)
  return urlOf(name)
}

t.test('a new database, then with servers', async (t) => {
  const url = createDatabase('fresh')
  const { code, found } = await doctor(url)
  t.equal(code, 0, 'a warning is no failure')
  t.match(found, {
    database: new RegExp(
      `^ok 127\\.0\\.0\\.1:${port}/fresh as mercadito, PostgreSQL ${VERSION}, \\d+\\.\\d MB, answers in \\d+\\.\\d ms$`,
    ),
    connections: /^ok \d+ in use, \d+ free; a server uses up to 8$/,
    clock: /^ok differs from that of the database by 0\.\d s$/,
  })
  const { database: _, connections: __, clock: ___, ...rest } = found
  t.strictSame(rest, {
    writes: 'ok the database is a primary',
    rights: 'ok mercadito may create and change the tables',
    tables: 'ok none yet; the first server creates them',
    durability:
      'WARNING no synchronous standby (synchronous_standby_names is empty): if the machine of the database is lost, so are acknowledged writes; add one, unless its disk is replicated',
  })
  const text = await inProcess('status', 'check', '--port', '0', '--database', url)
  t.match(text.output, /^!! {3}durability {3}WARNING: no synchronous standby /m)

  const one = await openNode(url, 'http://one')
  t.match((await doctor(url)).found, {
    rights: 'ok mercadito may use the tables',
    tables: `ok version ${TABLES_VERSION.version}, of mercadito ${about.version}`,
    servers: 'ok 1 alive: http://one',
  })
  const two = await openNode(url)
  t.equal(
    (await doctor(url)).found.servers,
    'WARNING 2 alive: http://one, one without --advertise; start each with --advertise, so that the others reach it',
  )
  await Promise.all([one.close(), two.close()])
  t.equal((await doctor(url)).found.servers, 'ok 0 alive')
})

t.test('a database that cannot be reached', async (t) => {
  const rules = join(postgres.folder, 'data/pg_hba.conf')
  writeFileSync(rules, `host all locked all scram-sha-256\n${readFileSync(rules, 'utf8')}`)
  sql(`CREATE ROLE locked LOGIN PASSWORD 'right'`)
  sql('SELECT pg_reload_conf()')
  const rows: [url: string, result: string | RegExp][] = [
    [
      'postgres://u:secret@127.0.0.1:1/x',
      '127.0.0.1:1/x: connect ECONNREFUSED 127.0.0.1:1; start PostgreSQL there, or correct host and port in --database',
    ],
    [
      'postgres://u:secret@no.such.invalid/x',
      /^bad no\.such\.invalid:5432\/x: getaddrinfo (ENOTFOUND|EAI_AGAIN) no\.such\.invalid; correct the host in --database$/,
    ],
    [
      urlOf('nothing'),
      `127.0.0.1:${port}/nothing: database "nothing" does not exist; create it with \`createdb\`, or correct its name in --database`,
    ],
    [
      urlOf('postgres', 'locked:secret'),
      `127.0.0.1:${port}/postgres: password authentication failed for user "locked"; correct user and password in --database, or pg_hba.conf of the server`,
    ],
    [urlOf('postgres', 'locked'), `127.0.0.1:${port}/postgres needs a password; add it in --database`],
  ]
  for (const [url, result] of rows) {
    const { code, found, text } = await doctor(url)
    t.equal(code, 1, url)
    t.strictSame(Object.keys(found), ['database'])
    t.match(found.database, typeof result === 'string' ? `bad ${result}` : result, url)
    t.notMatch(text, 'secret')
  }
  t.match((await doctor(urlOf('postgres', 'locked:right'))).found, { database: /^ok / })
  t.strictSame(await inProcess('status', 'check', '--database', 'mysql://u:secret@db/x'), {
    code: 2,
    output: '',
    errors: 'mercadito: --database or MERCADITO_DATABASE: must be an address such as postgres://user@db/mercadito\n',
  })
})

t.test('rights of the user', async (t) => {
  createDatabase('rights')
  sql('CREATE ROLE guest LOGIN')
  const asGuest = urlOf('rights', 'guest')
  const rightsOf = async (url: string) => (await doctor(url)).found.rights!
  t.equal(
    await rightsOf(asGuest),
    'bad guest may not create tables; GRANT CREATE ON DATABASE to it, or start the first server as another user',
  )
  sql('CREATE SCHEMA mercadito; GRANT USAGE ON SCHEMA mercadito TO guest', 'rights')
  t.equal(
    await rightsOf(asGuest),
    'bad guest may not create tables; GRANT CREATE ON SCHEMA mercadito to it, or start the first server as another user',
  )
  await (await openNode(urlOf('rights'))).close()
  // As where the administrator has taken the right from all users.
  sql('REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA mercadito FROM PUBLIC', 'rights')
  const lacking = await rightsOf(asGuest)
  const [, grants] =
    /^bad guest lacks DELETE ON mercadito\.chunk, and \d+ more; as the owner of the tables: (GRANT .*;)$/.exec(
      lacking,
    ) ?? []
  t.ok(grants, lacking)
  await t.rejects(openNode(asGuest), { message: 'permission denied for table version' })
  sql(grants!.replace(/GRANT EXECUTE .*?;/, ''), 'rights')
  t.equal(
    await rightsOf(asGuest),
    `bad guest lacks EXECUTE ON FUNCTION mercadito.append; as the owner of the tables: ${grants}`,
  )
  sql(grants!, 'rights')
  t.equal(await rightsOf(asGuest), 'ok guest may use the tables')
  await (await openNode(asGuest)).close()
  sql('UPDATE mercadito.version SET version = 1', 'rights')
  sql('GRANT CREATE ON SCHEMA mercadito TO guest', 'rights')
  t.equal(
    await rightsOf(asGuest),
    'bad guest does not own the tables; start the first server of this version as their owner',
  )
  t.match((await doctor(urlOf('rights'))).found, {
    rights: 'ok mercadito may create and change the tables',
    tables: `ok version 1, of mercadito ${about.version}; the next server that starts migrates them to version ${TABLES_VERSION.version}: back up first`,
  })
  sql(`UPDATE mercadito.version SET version = 99, compatible = 98, program = '9.8.7'`, 'rights')
  t.match(await doctor(urlOf('rights')), {
    code: 1,
    found: {
      tables:
        'bad version 99, of mercadito 9.8.7: they are too new for this program; start mercadito 9.8.7 or a later version',
    },
  })
  await t.rejects(openNode(urlOf('rights')), {
    message: 'the database was used by a newer version of mercadito; start version 9.8.7 or a later one',
  })
  sql('UPDATE mercadito.version SET compatible = 2', 'rights')
  t.match(await doctor(urlOf('rights')), {
    code: 0,
    found: { tables: 'ok version 99, of mercadito 9.8.7', servers: 'ok 0 alive' },
  })
})

t.test('clock and connections', async (t) => {
  const url = createDatabase('limits')
  // A user for whom the clock of the database is wrong.
  sql('CREATE ROLE late LOGIN; GRANT CREATE ON DATABASE limits TO late')
  sql(
    `CREATE SCHEMA wrong; GRANT USAGE ON SCHEMA wrong TO late;
     CREATE FUNCTION wrong.clock_timestamp() RETURNS timestamptz LANGUAGE sql
       AS $$ SELECT pg_catalog.clock_timestamp() - interval '5 minutes' $$;
     ALTER ROLE late SET search_path = wrong, pg_catalog; ALTER ROLE late CONNECTION LIMIT 8`,
    'limits',
  )
  t.match(await doctor(urlOf('limits', 'late')), {
    code: 1,
    found: {
      clock:
        /^WARNING the database is (300\.0|299\.9) s behind this machine; worlds follow the database: set both clocks by NTP$/,
      connections:
        /^bad \d+ in use, 7 free; a server uses up to 8; raise max_connections of PostgreSQL, or the limit of late or the database$/,
    },
  })
  sql('ALTER DATABASE limits CONNECTION LIMIT 20')
  t.match((await doctor(url)).found, { connections: /^ok \d+ in use, 19 free; / })
  sql('ALTER DATABASE limits SET default_transaction_read_only = on')
  t.match(await doctor(url), {
    code: 1,
    found: { writes: 'bad transactions are read-only; set default_transaction_read_only to off for mercadito' },
  })
})

t.test('standbys', async (t) => {
  const standby = await startStandby(postgres)
  t.teardown(() => standby.stop())
  const durability = async (user?: string) => (await doctor(urlOf('fresh', user))).found.durability!
  const set = (setting: string, value: string) => {
    sql(`ALTER SYSTEM SET ${setting} = '${value}'`)
    sql('SELECT pg_reload_conf()')
  }
  t.match(await durability(), /^WARNING no synchronous standby \(synchronous_standby_names is empty\)/)
  set('synchronous_standby_names', 'standby')
  await until(
    'a synchronous standby',
    async () => (await postgres.query('SELECT sync_state FROM pg_stat_replication')) === 'sync',
  )
  t.equal(await durability(), 'ok synchronous_commit is on, synchronous standbys: 1')
  t.equal(
    await durability('guest'),
    'ok synchronous_commit is on, synchronous standbys: standby; members of pg_monitor see which are connected',
  )
  t.match(await doctor(standby.urlOf('fresh')), {
    code: 1,
    found: { writes: 'bad the database is a read-only standby; name the primary in --database' },
  })
  set('synchronous_commit', 'local')
  t.equal(await durability(), 'WARNING synchronous_commit is local: a failover loses acknowledged writes; set it to on')
  set('synchronous_commit', 'off')
  t.equal(
    await durability(),
    'WARNING synchronous_commit is off: a crash of the database loses acknowledged writes; set it to on',
  )
  set('fsync', 'off')
  t.equal(await durability(), 'WARNING fsync is off: a power cut can destroy the database; switch it on')
  set('fsync', 'on')
  set('synchronous_commit', 'on')
  set('synchronous_standby_names', 'another')
  t.match(await durability(), /^WARNING no synchronous standby \(none of those in its settings is connected\)/)
  set('synchronous_standby_names', '')
})
