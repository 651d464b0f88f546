import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Sqlite from 'better-sqlite3'
import type { Log } from '../../bin/log.ts'
import type { RunningServer } from '../../bin/serve.ts'
import { CliError } from '../../lib/cli/errors.ts'
import {
  compileFailingDisk,
  FailingDisk,
  MAX_CALL,
  missingForFailingDisk,
  OPERATIONS,
  type Operation,
} from '../support/failing_disk.ts'
import { randomNumbers, SEED, sizeOr } from '../support/torture.ts'

// Lets each write, sync and rename of a typical run fail once, and checks that nothing acknowledged is lost, that each
// failure that could matter is reported, and that the next start works. A script, not a test: it needs a C compiler and
// some minutes.

const ERRORS = ['EIO', 'ENOSPC'] as const
/** With `SIZE=2` each call fails with both errors; else some writes, with the error that the seed decides. */
const IS_COMPLETE = sizeOr(1) > 1
/** In memory where possible: the failures come from a library, and waiting for a disk takes as long as the runs. */
const TEMP = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** A run with one failure. */
interface Fault {
  operation: Operation
  error: (typeof ERRORS)[number]
  /** The number of the call that fails. */
  call: number
}

/** What the clients of a run know. */
interface Knowledge {
  /** Texts of the questions that the default world must have, and that it may have. */
  required: Set<string>
  possible: Set<string>
  snapshot: Set<string> | undefined
  worlds: number[]
  phase: string
  /** The number of calls that could fail before each call of the client. */
  before: number[]
  /** Reports of failures: answers, the start, the log. */
  reports: string[]
}

// Only the process with the library loads the server.
const home = process.env.FAULTS_HOME
if (home !== undefined) await runAll(home)
else await runWithLibrary()

/** Runs this script again with the library. */
async function runWithLibrary(): Promise<void> {
  const missing = missingForFailingDisk()
  if (missing !== undefined) return console.log(`skipped: this needs ${missing}`)
  const home = mkdtempSync(join(TEMP, 'mercadito-faults-'))
  try {
    const env = compileFailingDisk(home, join(home, 'data'))
    const child = fork(fileURLToPath(import.meta.url), { env: { ...process.env, ...env, FAULTS_HOME: home } })
    const [code] = await once(child, 'close')
    process.exitCode = code ?? 1
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

async function runAll(home: string): Promise<void> {
  const disk = new FailingDisk(home)
  let [passed, failed] = [0, 0]
  for (const operation of Object.keys(OPERATIONS) as Operation[]) {
    const silent = new Map<string, number>()
    const faults = await chooseFaults(disk, home, operation)
    for (const fault of faults) {
      const problems: string[] = []
      const result = await runOnce(disk, home, fault, problems)
      // Calls at the end may be fewer than those that were watched.
      if (result.isReached && result.reports.length === 0) {
        const reason = harmlessReason(fault, result)
        if (reason === undefined) problems.push(`${result.file} failed during ${result.phase}`)
        else silent.set(reason, (silent.get(reason) ?? 0) + 1)
      }
      if (problems.length > 0) problems.push(`reported: ${result.reports.join('; ') || 'nothing'}`)
      for (const problem of problems) console.error(`${operation} ${fault.call} ${fault.error}: ${problem}`)
      if (problems.length === 0) passed++
      else failed++
    }
    console.log(`${operation}: ${faults.length} runs`)
    for (const [reason, count] of silent) console.log(`  ${count} without a report: ${reason}`)
  }
  disk.close()
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}

/** Of the writes to one file, during one call of the client, one fails; each sync and rename fails. */
async function chooseFaults(disk: FailingDisk, home: string, operation: Operation): Promise<Fault[]> {
  const problems: string[] = []
  const { paths, before } = await runOnce(disk, home, { operation, error: 'EIO', call: MAX_CALL }, problems)
  if (problems.length > 0) throw new Error(`without a failure: ${problems.join('; ')}`)
  const calls = paths.map((path, n) => ({
    call: n + 1,
    during: `${before.findLastIndex((count) => count <= n)} ${path}`,
  }))
  if (IS_COMPLETE) return calls.flatMap(({ call }) => ERRORS.map((error) => ({ operation, error, call })))
  const random = randomNumbers(SEED)
  const oneOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const groups = [...Map.groupBy(calls, ({ during }) => during).values()]
  const chosen = operation === 'write' ? groups.map(oneOf) : calls
  return chosen.map(({ call }) => ({ operation, error: oneOf(ERRORS), call }))
}

interface FailedCall {
  /** Path in the folder. */
  file: string
  /** The call of the client during which it failed, or start or stop. */
  phase: string
}

/** Why a failure loses nothing and needs no report; undefined if it needs one. */
function harmlessReason({ operation, error }: Fault, { file, phase }: FailedCall): string | undefined {
  const isClosing = phase === 'stop' || phase === 'POST /_sandbox/snapshots/saved/restore'
  if (file.endsWith('-shm')) return 'the index of a log, which is made from the log'
  if (isClosing && /^market\/world-1(\.1)?\.sqlite(-wal)?$/.test(file))
    return 'the checkpoint at the close of a world: the log has the commits, or the state was replaced'
  // In these phases the server itself syncs the folder after renames.
  if (operation === 'sync' && file === 'market' && !/worlds|snapshots/.test(phase))
    return 'a sync of the folder that SQLite does not check'
  if (operation === 'write' && error === 'EIO' && /\.new$|^backup\//.test(file))
    return 'a copy: libuv repeats it with another system call after EIO'
  return undefined
}

async function runOnce(disk: FailingDisk, home: string, { operation, error, call }: Fault, problems: string[]) {
  const data = join(home, 'data')
  rmSync(data, { recursive: true, force: true })
  mkdirSync(data)
  const folder = join(data, 'market')
  const knowledge: Knowledge = {
    required: new Set(),
    possible: new Set(),
    snapshot: undefined,
    worlds: [],
    phase: 'start',
    before: [],
    reports: [],
  }
  disk.fail(operation, error, call, call)
  const server = await start(folder, knowledge.reports).catch((failure) => {
    if (failure instanceof CliError) knowledge.reports.push(`start: ${failure.code} ${failure.message}`)
    else problems.push(`the start fails with ${failure.stack}`)
  })
  if (server) {
    await use(server, knowledge, join(data, 'backup'), problems, disk)
    if (disk.failed() === 0) knowledge.phase = 'stop'
    await server.close().catch((failure) => knowledge.reports.push(`stop: ${failure.message}`))
  }
  const isReached = disk.failed() > 0
  disk.heal()
  await check(folder, knowledge, problems)
  return { ...knowledge, isReached, file: disk.failedFile(), paths: disk.paths() }
}

async function start(data: string, reports: string[]): Promise<RunningServer> {
  const { listen } = await import('../../bin/serve.ts')
  const log: Log = {
    onRequestEnd: undefined,
    onFault: (error) => void reports.push(`log: ${error.message}`),
    onNotice: (text) => void reports.push(`log: ${text}`),
    info() {},
    droppedLines: () => 0,
    flush: async () => {},
  }
  const flags = { host: '127.0.0.1', port: 0, data, scenario: 'empty' as const, seed: 1, isGiven: () => false }
  return listen(flags, undefined, log)
}

/** A typical run. Each call may fail, with a 5xx and the state as before. */
async function use(
  { info }: RunningServer,
  known: Knowledge,
  backup: string,
  problems: string[],
  disk: FailingDisk,
): Promise<void> {
  const [seller] = info.sellers
  const [buyer] = info.buyers
  const item = (await send('POST /_sandbox/items', { seller_id: seller!.id }))?.id
  await ask('one')
  if (await send('POST /_sandbox/snapshots', { name: 'saved' })) known.snapshot = new Set(known.required)
  await ask('two')
  const world = await send('POST /_sandbox/worlds', { scenario: 'empty' })
  if (world) known.worlds.push(world.world.id)
  const fork = await send('POST /_sandbox/worlds', { from: 1 })
  if (fork) known.worlds.push(fork.world.id)
  await ask('three')
  if (known.snapshot && (await send('POST /_sandbox/snapshots/saved/restore'))) {
    known.required = new Set(known.snapshot)
  }
  await Promise.all([ask('four'), ask('five'), ask('six')])
  const { verifyBackup } = await import('../../db/backup.ts')
  if (await send('POST /_sandbox/backup', { folder: backup }))
    await verifyBackup(backup).catch((error) => problems.push(`the backup is damaged: ${error.message}`))
  await ask('seven')

  async function ask(text: string): Promise<void> {
    known.possible.add(text)
    if (item !== undefined && (await send('POST /questions', { item_id: item, text }))) known.required.add(text)
  }

  // biome-ignore lint/suspicious/noExplicitAny: members of several answers
  async function send(call: string, body?: object): Promise<any> {
    const [method, path] = call.split(' ')
    if (disk.failed() === 0) known.phase = call
    known.before.push(disk.paths().length)
    const answer = await fetch(`${info.url}${path}`, {
      method: method!,
      headers: { authorization: `Bearer ${buyer!.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body ?? {}),
      signal: AbortSignal.timeout(10_000),
    }).catch((error) => {
      problems.push(`${call}: ${error.message}`)
    })
    if (!answer) return undefined
    const text = await answer.text()
    if (answer.ok) return text ? JSON.parse(text) : {}
    known.reports.push(`${call}: ${answer.status} ${text}`)
    if (answer.status < 500 && !text.includes('(EIO)')) problems.push(`${call}: ${answer.status} ${text}`)
    return undefined
  }
}

/** A server that starts next can open the folder, which has everything that was acknowledged. */
async function check(path: string, { required, possible, snapshot, worlds }: Knowledge, problems: string[]) {
  const report = (text: string) => void problems.push(`the next start reports ${text}`)
  const { openStorage } = await import('../../control/worlds/open_storage.ts')
  const { openDataFolder } = await import('../../db/folders.ts')
  const { DEFAULT_WORLD } = await import('../../db/worlds.ts')
  const { question } = await import('../../domains/questions/tables.ts')
  try {
    const options = { mode: 'kept', scenario: 'empty', seed: 1, now: null, secret: true, onNotice: report } as const
    const onFault = (error: Error) => report(error.message)
    const opened = await openStorage({ ...options, folder: openDataFolder(path), onFault }, undefined)
    const rows = await opened.read(DEFAULT_WORLD, async ({ db }) => db.select().from(question).all())
    const texts = new Set(rows.map(({ text }) => text))
    for (const text of required) if (!texts.has(text)) problems.push(`the question ${text} is lost`)
    for (const text of texts) if (!possible.has(text)) problems.push(`there is a question ${text}`)
    for (const id of worlds) if (!opened.has(id)) problems.push(`world ${id} is lost`)
    if (snapshot && (await opened.snapshots(DEFAULT_WORLD)).length === 0) problems.push('the snapshot is lost')
    await opened.close()
  } catch (error) {
    problems.push(`the next start fails: ${(error as Error).stack}`)
  }
  for (const name of readdirSync(path)) {
    if (!name.endsWith('.sqlite')) {
      if (!/^(last-world|mercadito\.lock(-journal)?|world-\d+(\.snapshot\.\w+)?\.json)$/.test(name))
        problems.push(`the next start leaves ${name}`)
      continue
    }
    const database = new Sqlite(join(path, name), { readonly: true })
    const [{ integrity_check }] = database.pragma('integrity_check') as [{ integrity_check: string }]
    if (integrity_check !== 'ok') problems.push(`${name} is damaged: ${integrity_check}`)
    database.close()
  }
}
