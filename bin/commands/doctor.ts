import { closeSync, existsSync, fsyncSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Command } from 'commander'
import { clientOf, NotHeard } from '../client.ts'
import { examples, type Flags } from '../command.ts'
import { Failure, type Terminal } from '../failure.ts'
import { json, styled, visible } from '../output.ts'
import { allSettings, JSON_OUT, optionOf } from '../settings.ts'

interface Finding {
  check: string
  ok: boolean
  /** What was found; where it is bad, what to do. */
  told: string
}

/** Scenarios are packed with zstd, which Node has since then. */
const OLDEST_NODE = [22, 15]
/** Ms that a write may take until it is on the disk. */
const SLOW = 50
const WRITES = 20

const USED = new Set(['--port', '--host', '--data', '--url', '--admin-token'])

export function addDoctor(program: Command, terminal: Terminal): void {
  const placed = program
    .command('doctor')
    .description('See whether a server can run here, and whether the named one answers')
    .allowExcessArguments(false)
  for (const setting of allSettings) if (USED.has(setting.flags.split(' ')[0]!)) placed.addOption(optionOf(setting))
  placed.addOption(optionOf(JSON_OUT))
  examples(placed, ['doctor', 'doctor --data ./market --port 8080'])
  placed.action(async () => {
    const flags = placed.opts()
    const named = placed.getOptionValueSource('url') !== 'default'
    const findings = await examined(flags, named)
    const mark = (ok: boolean) => (ok ? styled('green', 'ok ') : styled('red', 'bad'))
    const width = Math.max(...findings.map(({ check }) => check.length))
    terminal.out(
      flags.json
        ? `${json(findings)}\n`
        : findings.map(({ check, ok, told }) => `${mark(ok)}  ${check.padEnd(width)}  ${visible(told)}\n`).join(''),
    )
    const bad = findings.filter(({ ok }) => !ok).map(({ check }) => check)
    if (bad.length > 0) throw new Failure(`not well: ${bad.join(', ')}; do what stands behind each`)
  })
}

async function examined(flags: Flags, named: boolean): Promise<Finding[]> {
  const server = await reached(flags)
  const folder = atFolder(flags)
  return [
    ofNode(),
    await ofSqlite(),
    folder,
    folder.ok ? writeSpeed(flags) : { check: 'write speed', ok: false, told: 'not tried: the folder is bad' },
    await ofPort(flags, server.ok),
    named || server.ok
      ? server
      : { ...server, ok: true, told: `none runs at ${flags.url}; start one with \`mercadito start\`` },
  ]
}

function ofNode(): Finding {
  const found = process.versions.node.split('.').map(Number) as [number, number]
  const [major, minor] = OLDEST_NODE as [number, number]
  const ok = found[0] > major || (found[0] === major && found[1] >= minor)
  const told = `${process.version}${ok ? '' : `; use ${major}.${minor} or newer, as \`npm start\` does by itself`}`
  return { check: 'node', ok, told }
}

async function ofSqlite(): Promise<Finding> {
  try {
    const { sqliteVersion } = await import('../../db/version.ts')
    return { check: 'sqlite', ok: true, told: sqliteVersion() }
  } catch (error) {
    // A single executable says itself what to do.
    const told =
      error instanceof Failure ? error.message : `does not load (${firstLine(error)}); run \`npm ci\` with this Node`
    return { check: 'sqlite', ok: false, told }
  }
}

/** The kept folder, or where temporary ones are made. */
const homeOf = ({ data }: Flags): string => (data === undefined ? tmpdir() : resolve(data))

function atFolder(flags: Flags): Finding {
  const home = homeOf(flags)
  try {
    // Looking must leave nothing behind: what is not there yet is tried where it would be made.
    const there = nearest(home)
    rmSync(mkdtempSync(join(there, 'mercadito-doctor-')), { recursive: true })
    return { check: 'folder', ok: true, told: there === home ? home : `${home} can be made` }
  } catch (error) {
    return {
      check: 'folder',
      ok: false,
      told: `${home} cannot be written (${firstLine(error)}); name another with ${flags.data ? '--data' : 'TMPDIR'}`,
    }
  }
}

const nearest = (path: string): string => (existsSync(path) ? path : nearest(dirname(path)))

function writeSpeed(flags: Flags): Finding {
  const folder = mkdtempSync(join(nearest(homeOf(flags)), 'mercadito-doctor-'))
  try {
    mkdirSync(folder, { recursive: true })
    const file = openSync(join(folder, 'write'), 'w')
    const page = Buffer.alloc(4096, 1)
    const start = performance.now()
    for (let n = 0; n < WRITES; n++) {
      writeSync(file, page)
      fsyncSync(file)
    }
    const ms = (performance.now() - start) / WRITES
    closeSync(file)
    const told = `${ms.toFixed(1)} ms until a write is on the disk`
    return ms <= SLOW
      ? { check: 'write speed', ok: true, told }
      : { check: 'write speed', ok: false, told: `${told}; use a folder on a faster disk, or leave out --data` }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function ofPort({ port, host }: Flags, served: boolean): Promise<Finding> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', ({ code }: NodeJS.ErrnoException) => {
      const taken = code === 'EADDRINUSE'
      const told =
        taken && served
          ? `${port} is taken, by the server that runs`
          : taken
            ? `${port} is taken by another program; choose another with --port, or --port 0`
            : `${port} on ${host} cannot be listened on (${code}); choose others with --port and --host`
      resolve({ check: 'port', ok: taken && served, told })
    })
    server.listen({ port, host }, () =>
      server.close(() => resolve({ check: 'port', ok: true, told: port === 0 ? 'a free one' : `${port} is free` })),
    )
  })
}

async function reached({ url, adminToken }: Flags): Promise<Finding> {
  try {
    await clientOf(url, adminToken).call('GET /clock')
    return { check: 'server', ok: true, told: `${url} answers` }
  } catch (error) {
    const told =
      error instanceof NotHeard ? `nobody answers at ${url}; start it, or name another with --url` : firstLine(error)
    return { check: 'server', ok: false, told }
  }
}

const firstLine = (error: unknown): string => (error as Error).message.split('\n')[0]!
