import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import pg from 'pg'
import { at } from '../../tools/root.ts'
import { until } from '../support/until.ts'

/** A PostgreSQL server of these tests, in a temporary folder. */
export interface Postgres {
  url: string
  /** The URL of another database, or for another user, who may have a password (`name:password`). */
  urlOf(database: string, user?: string): string
  port: number
  folder: string
  /** Of the postmaster. */
  pid: number
  sql(text: string, database?: string): string
  /** The first value of the first row, for conditions that are waited for: `sql` starts a process. */
  query(text: string): Promise<unknown>
  /** Signals all its processes, such as SIGSTOP. */
  signal(signal: NodeJS.Signals): void
  /** Stops it, and starts it again at the same port with the same data. */
  restart(pause: () => Promise<void>): Promise<void>
  stop(): Promise<void>
}

/** Where Debian and others install the programs of the newest version. */
const BIN = globSync([
  '/usr/lib/postgresql/*/bin',
  '/usr/pgsql-*/bin',
  '/usr/local/pgsql/bin',
  '/opt/homebrew/opt/postgresql*/bin',
])
  .sort()
  .at(-1)

/** PostgreSQL refuses to run as root. */
const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}
function idOf(flag: string): number {
  return Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
}

/** Of this version and user; `initdb` takes longer than a copy. */
const EMPTY = at(`dist/postgres-${basename(dirname(BIN ?? ''))}-${process.getuid?.()}`)

export async function startPostgres(settings: Record<string, string> = {}): Promise<Postgres> {
  const folder = createFolder()
  const data = join(folder, 'data')
  if (existsSync(EMPTY)) copyFolder(EMPTY, data)
  else {
    run('initdb', ['-D', data, '-U', 'mercadito', '-A', 'trust', '--no-sync', '--no-instructions'], folder)
    const copy = `${EMPTY}-${process.pid}`
    mkdirSync(dirname(copy), { recursive: true })
    copyFolder(data, copy)
    if (existsSync(EMPTY)) rmSync(copy, { recursive: true })
    else renameSync(copy, EMPTY)
  }
  return startServer(folder, settings)
}

/** With the owners of the files. */
const copyFolder = (from: string, to: string) => void execFileSync('cp', ['-a', from, to])

/** A standby that follows another server. */
export async function startStandby(primary: Postgres, settings: Record<string, string> = {}): Promise<Postgres> {
  const folder = createFolder()
  const source = `host=127.0.0.1 port=${primary.port} user=mercadito application_name=standby`
  run('pg_basebackup', ['-d', source, '-D', join(folder, 'data'), '-R', '-c', 'fast', '--no-sync'], folder)
  return startServer(folder, settings)
}

function createFolder(): string {
  if (!BIN)
    throw new Error('PostgreSQL is not installed; on Debian: apt-get install --no-install-recommends postgresql')
  const folder = mkdtempSync(join(tmpdir(), 'mercadito-postgres-'))
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid)
  return folder
}

function run(program: string, args: string[], folder: string): void {
  execFileSync(join(BIN!, program), args, { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
}

async function startServer(folder: string, settings: Record<string, string>): Promise<Postgres> {
  const port = await freePort()
  const options = { listen_addresses: '127.0.0.1', unix_socket_directories: folder, ...settings }
  const start = () =>
    spawn(
      join(BIN!, 'postgres'),
      [
        ...['-D', join(folder, 'data'), '-p', String(port)],
        ...Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      { ...user, cwd: folder, stdio: 'ignore' },
    )
  let child = start()
  let exited = once(child, 'exit')
  const end = async () => {
    // Fast shutdown: open connections are closed.
    child.kill('SIGINT')
    await exited
  }
  const sql = (text: string, database = 'postgres') =>
    execFileSync(
      join(BIN!, 'psql'),
      ['-h', '127.0.0.1', '-p', String(port), '-U', 'mercadito', '-At', '-c', text, database],
      {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    ).trim()
  const urlOf = (database: string, user = 'mercadito') => `postgres://${user}@127.0.0.1:${port}/${database}`
  const query = (text: string) => queryOnce(urlOf('postgres'), text)
  const isReady = () => query('SELECT 1').catch(() => undefined)
  await until('PostgreSQL', isReady)
  return {
    url: urlOf('postgres'),
    urlOf,
    port,
    folder,
    get pid() {
      return child.pid!
    },
    sql,
    query,
    signal(signal) {
      const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
      for (const pid of [child.pid!, ...children.trim().split(' ').map(Number)])
        try {
          process.kill(pid, signal)
        } catch (error) {
          // It has ended meanwhile.
          if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
        }
    },
    async restart(pause) {
      await end()
      await pause()
      child = start()
      exited = once(child, 'exit')
      await until('PostgreSQL', isReady)
    },
    async stop() {
      await end()
      rmSync(folder, { recursive: true })
    },
  }
}

async function queryOnce(url: string, text: string): Promise<unknown> {
  const client = new pg.Client(url)
  // What ends it reaches the query, too.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query({ text, rowMode: 'array' })
    return rows[0]?.[0]
  } finally {
    await client.end()
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
