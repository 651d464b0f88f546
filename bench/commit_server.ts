import { fdatasync, fdatasyncSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import { build } from '../app.ts'
import { readWorldInfo } from '../control/worlds/world_info.ts'
import { openDataFolder } from '../db/folders.ts'
import { noLog, type OpenCommitLog } from '../db/sqlite/commit_log.ts'
import { localLog, type Sync } from '../db/sqlite/local_log.ts'
import { DEFAULT_WORLD } from '../db/worlds.ts'

// The server that commit.ts measures, bundled like the program. Its argument selects how commits reach the disk.

export interface CommitOptions {
  data: string
  /** The program's own commit log, or SQLite's `synchronous = FULL`. */
  syncMode: 'background' | 'full'
  hasCheckpointer: boolean
  /** Ms added to each wait for the disk; 0: the disk as it is. */
  delay: number
}

/** Answered at a second port; counts since the last request there. */
export interface Counts {
  commits: number
  /** Syncs of the log; with `full` those inside COMMIT. */
  syncs: number
  /** Commits after which more pages of the log were in the file than after the previous one. */
  checkpoints: number
  /** Ms that the longest COMMIT blocked the event loop. */
  longestCommit: number
}

/** As many as libuv has threads. */
const SYNC_THREADS = 4

const counts: Counts = { commits: 0, syncs: 0, checkpoints: 0, longestCommit: 0 }
const cell = new Int32Array(new SharedArrayBuffer(4))
const block = (ms: number) => void Atomics.wait(cell, 0, 0, ms)

const countedSync: Sync = (descriptor, done) => {
  counts.syncs++
  fdatasync(descriptor, done)
}

/** Syncs in threads and adds the delay there: timers of the event loop are up to a millisecond late. */
function slowSync(delay: number): Sync {
  const threads = Array.from({ length: SYNC_THREADS }, () => {
    const worker = new Worker(__filename, { workerData: { delay } })
    worker.unref()
    const waiting: ((error: Error | null) => void)[] = []
    worker.on('message', () => waiting.shift()!(null))
    return { worker, waiting }
  })
  let next = 0
  return (descriptor, done) => {
    counts.syncs++
    const { worker, waiting } = threads[next++ % SYNC_THREADS]!
    waiting.push(done)
    worker.postMessage(descriptor)
  }
}

/**
 * Counts commits and blocks the event loop for each sync that SQLite does inside COMMIT: one of the log with `full`, two
 * (log and file) in a checkpoint of its own, one for the header of a restarted log. The checkpointer thread is not
 * slowed down.
 */
function watchCommits({ syncMode, hasCheckpointer, delay }: CommitOptions): void {
  const { prepare } = Sqlite.prototype
  const writing = new WeakMap<Sqlite.Database, { open: boolean; log: number; moved: number; state: Sqlite.Statement }>()
  Sqlite.prototype.prepare = function (this: Sqlite.Database, sql: string) {
    const statement = prepare.call(this, sql)
    const run = statement.run.bind(statement)
    if (sql === 'BEGIN IMMEDIATE')
      statement.run = () => {
        const tracked = writing.get(this)
        if (tracked) tracked.open = true
        else {
          const state = prepare.call(this, 'PRAGMA wal_checkpoint(NOOP)')
          writing.set(this, { open: true, log: 0, moved: 0, state })
        }
        return run({})
      }
    if (sql === 'COMMIT')
      statement.run = () => {
        const tracked = writing.get(this)
        if (!tracked?.open) return run({})
        tracked.open = false
        counts.commits++
        const startedAt = performance.now()
        const result = run({})
        const { log, checkpointed } = tracked.state.get() as { log: number; checkpointed: number }
        const isCheckpointed = checkpointed > tracked.moved
        let syncs = log < tracked.log ? 1 : 0
        if (syncMode === 'full' && log !== tracked.log) {
          syncs++
          counts.syncs++
        }
        if (isCheckpointed && !hasCheckpointer) syncs += 2
        if (isCheckpointed) counts.checkpoints++
        tracked.log = log
        tracked.moved = checkpointed
        if (delay > 0 && syncs > 0) block(syncs * delay)
        counts.longestCommit = Math.max(counts.longestCommit, performance.now() - startedAt)
        return result
      }
    return statement
  } as typeof prepare
}

async function main(): Promise<void> {
  const options = JSON.parse(process.argv[2]!) as CommitOptions
  const { data, syncMode, hasCheckpointer, delay } = options
  watchCommits(options)
  const sync = delay > 0 ? slowSync(delay) : countedSync
  const openLog: OpenCommitLog =
    syncMode === 'full' ? (file) => ({ ...noLog(file), synchronous: 'FULL' }) : (file) => localLog(file, sync)
  const { server, worlds } = await build({
    folder: openDataFolder(data),
    mode: 'kept',
    scenario: 'demo',
    seed: 1,
    now: null,
    secret: false,
    onFault(error) {
      throw error
    },
    storage: { openLog, hasCheckpointer },
  })
  const url = await server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 })
  const counter = createServer((_, answer) => {
    answer.end(JSON.stringify(counts))
    Object.assign(counts, { commits: 0, syncs: 0, checkpoints: 0, longestCommit: 0 })
  })
  counter.listen(0, '127.0.0.1', async () => {
    const world = (await worlds.acquire(DEFAULT_WORLD))!
    const line = { ...(await readWorldInfo(url, world, worlds)), counts: (counter.address() as AddressInfo).port }
    process.stdout.write(`${JSON.stringify(line)}\n`)
    worlds.release(world)
  })
  process.on('SIGTERM', () => {
    counter.close()
    void server.close().then(() => process.exit(0))
  })
}

if (isMainThread) void main()
else {
  const { delay } = workerData as { delay: number }
  parentPort!.on('message', (descriptor: number) => {
    fdatasyncSync(descriptor)
    block(delay)
    parentPort!.postMessage(null)
  })
}
