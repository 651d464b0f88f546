import { closeSync, existsSync, fsyncSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Command } from 'commander'
import type { Finding } from '../../cluster/commands/index.ts'
import { type Flags, printable, type Terminal } from '../../domains/shared/commands.ts'
import { ConnectionError, createClient, GATEWAY_STATUSES, readReadiness } from '../../lib/cli/client.ts'
import { CliError } from '../../lib/cli/errors.ts'
import { findMercadito } from '../../lib/cli/port_owner.ts'
import { addExamples, addSubcommand } from '../command.ts'
import { useDatabase } from '../database.ts'
import { formatJson, styled } from '../output.ts'
import { allSettings, createOption, JSON_FLAG } from '../settings.ts'

/** As in package.json. */
const MIN_NODE_VERSION = [22, 19]
/** Free space below which a folder is nearly full. */
const MIN_FREE_MEGABYTES = 100
/** Limit for one synced write. */
const MAX_WRITE_MS = 50
const WRITES = 20

const SHOWN_FLAGS = new Set('--port --host --data --database --url --admin-token --admin-token-file --ca'.split(' '))

export function addDoctor(program: Command, terminal: Terminal): void {
  const subcommand = addSubcommand(program, { name: 'status check' })
    .description('Check whether a server can run here, its database, and whether the server of --url answers')
    .allowExcessArguments(false)
  for (const setting of allSettings)
    if (SHOWN_FLAGS.has(setting.flags.split(' ')[0]!)) subcommand.addOption(createOption(setting))
  subcommand.addOption(createOption(JSON_FLAG))
  addExamples(subcommand, [
    'status check',
    'status check --data ./market --port 8080',
    'status check --database postgres://mercadito@db/mercadito',
  ])
  subcommand.action(async () => {
    const flags = subcommand.opts()
    const isUrlGiven = subcommand.getOptionValueSource('url') !== 'default'
    const findings = await runChecks(flags, isUrlGiven)
    const width = Math.max(...findings.map(({ check }) => check.length))
    terminal.out(
      flags.json
        ? `${formatJson(findings)}\n`
        : findings
            .map(
              (one) =>
                `${mark(one)}  ${one.check.padEnd(width)}  ${one.warning ? 'WARNING: ' : ''}${printable(one.result)}\n`,
            )
            .join(''),
    )
    const bad = findings.filter(({ ok }) => !ok).map(({ check }) => check)
    if (bad.length > 0) throw new CliError(`failed checks: ${bad.join(', ')}; the lines above say what to do`)
  })
}

function mark({ ok, warning }: Finding): string {
  if (!ok) return styled('red', 'bad')
  return warning ? styled(['bold', 'yellow'], '!! ') : styled('green', 'ok ')
}

async function runChecks(flags: Flags, isUrlGiven: boolean): Promise<Finding[]> {
  const server = await checkServer(flags)
  const folder = checkFolder(flags)
  return [
    checkNode(),
    await checkSqlite(),
    folder,
    checkSpace(flags),
    folder.ok
      ? checkWriteSpeed(flags)
      : { check: 'write speed', ok: false, result: 'not checked: the folder cannot be used' },
    await checkPort(flags),
    isUrlGiven || server.ok
      ? server
      : { ...server, ok: true, result: `no server runs at ${flags.url}; start one with \`mercadito start\`` },
    ...(flags.database === undefined ? [] : await checkDatabase(flags.database)),
  ]
}

function checkNode(): Finding {
  const found = process.versions.node.split('.').map(Number) as [number, number]
  const [major, minor] = MIN_NODE_VERSION as [number, number]
  const ok = found[0] > major || (found[0] === major && found[1] >= minor)
  const result = `${process.version}${ok ? '' : `; use ${major}.${minor} or newer, as \`npm start\` does`}`
  return { check: 'node', ok, result }
}

async function checkSqlite(): Promise<Finding> {
  try {
    const { sqliteVersion } = await import('../../db/sqlite/library.ts')
    return { check: 'sqlite', ok: true, result: sqliteVersion() }
  } catch (error) {
    // The error of a single executable already says what to do.
    const result =
      error instanceof CliError ? error.message : `does not load (${firstLine(error)}); run \`npm ci\` with this Node`
    return { check: 'sqlite', ok: false, result }
  }
}

/** The data folder, or the parent of temporary ones. */
const worldsFolder = ({ data }: Flags): string => (data === undefined ? tmpdir() : resolve(data))

function checkFolder(flags: Flags): Finding {
  const home = worldsFolder(flags)
  try {
    // The check must leave nothing behind: a missing folder is checked at its nearest existing parent.
    const existing = nearestExisting(home)
    rmSync(mkdtempSync(join(existing, 'mercadito-doctor-')), { recursive: true })
    return { check: 'folder', ok: true, result: existing === home ? home : `${home} can be created` }
  } catch (error) {
    return {
      check: 'folder',
      ok: false,
      result: `cannot write to ${home} (${firstLine(error)}); choose another with ${flags.data ? '--data' : 'TMPDIR'}`,
    }
  }
}

const nearestExisting = (path: string): string => (existsSync(path) ? path : nearestExisting(dirname(path)))

function checkSpace(flags: Flags): Finding {
  const home = nearestExisting(worldsFolder(flags))
  const { bavail, bsize } = statfsSync(home)
  const megabytes = Math.floor((bavail * bsize) / 1_000_000)
  const ok = megabytes >= MIN_FREE_MEGABYTES
  const result = `${megabytes} MB free${ok ? '' : ` in ${home}; free some, or use a folder on another disk`}`
  return { check: 'disk space', ok, result }
}

function checkWriteSpeed(flags: Flags): Finding {
  const check = 'write speed'
  const folder = mkdtempSync(join(nearestExisting(worldsFolder(flags)), 'mercadito-doctor-'))
  try {
    const file = openSync(join(folder, 'write'), 'w')
    const page = Buffer.alloc(4096, 1)
    const start = performance.now()
    for (let n = 0; n < WRITES; n++) {
      writeSync(file, page)
      fsyncSync(file)
    }
    const ms = (performance.now() - start) / WRITES
    closeSync(file)
    const result = `${ms.toFixed(1)} ms per synced write`
    return ms <= MAX_WRITE_MS
      ? { check, ok: true, result }
      : { check, ok: false, result: `${result}; use a folder on a faster disk, or leave out --data` }
  } catch (error) {
    return { check, ok: false, result: `cannot write to ${dirname(folder)} (${firstLine(error)}); free some space` }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function checkPort({ port, host }: Flags): Promise<Finding> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', async ({ code }: NodeJS.ErrnoException) => {
      const owner = code === 'EADDRINUSE' ? await findMercadito(host, port) : undefined
      const result =
        owner !== undefined
          ? `${port} is used by mercadito: ${owner}`
          : code === 'EADDRINUSE'
            ? `${port} is used by another program; choose another with --port, or --port 0`
            : `cannot listen on ${port} of ${host} (${code}); choose others with --port and --host`
      resolve({ check: 'port', ok: owner !== undefined, result })
    })
    server.listen({ port, host }, () =>
      server.close(() => resolve({ check: 'port', ok: true, result: port === 0 ? 'a free one' : `${port} is free` })),
    )
  })
}

async function checkServer({ url, ...options }: Flags): Promise<Finding> {
  try {
    const { status, body } = await readReadiness(url, options)
    const isReady = status === 200 && body?.status === 'ready'
    if (!isReady && !GATEWAY_STATUSES.includes(status))
      return { check: 'server', ok: false, result: `another program answers at ${url}; is --url right?` }
    if (!isReady) return { check: 'server', ok: false, result: `${url} is not ready: ${body?.message ?? status}` }
    await createClient(url, options).call('GET /clock')
    return { check: 'server', ok: true, result: `${url} answers` }
  } catch (error) {
    const result =
      error instanceof ConnectionError
        ? `no server answers at ${url}; start it, or set another address with --url`
        : firstLine(error)
    return { check: 'server', ok: false, result }
  }
}

const firstLine = (error: unknown): string => (error as Error).message.split('\n')[0]!

const checkDatabase = (url: string): Promise<Finding[]> =>
  useDatabase(url, (commands, url) => commands.checkDatabase(url))
