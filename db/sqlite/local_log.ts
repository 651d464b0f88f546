import { closeSync, fdatasync, openSync } from 'node:fs'
import type { CommitLog } from './commit_log.ts'

/** Calls `done` once everything written to an open file is on the disk. */
export type Sync = (descriptor: number, done: (error: Error | null) => void) => void

/** A sync of the log failed: which of the commits since the last one are on the disk is unknown. */
export class WalSyncError extends Error {
  constructor(file: string, cause: Error) {
    super(
      `${file} could not be synced (${cause.message}): this world rejects all writes; check the disk, then start the server again`,
      { cause },
    )
  }
}

interface PendingCommit {
  resolve: () => void
  reject: (error: WalSyncError) => void
}

/**
 * Syncs the log file of `file` in a thread of libuv's pool, while the event loop commits further units; one sync covers
 * all commits before it. This is the one step of FULL that SQLite leaves out in NORMAL (docs/architecture.md).
 */
export function localLog(file: string, sync: Sync = fdatasync): CommitLog {
  const walFile = `${file}-wal`
  let descriptor: number | undefined
  let pending: PendingCommit[] = []
  let isSyncing = false
  let isClosed = false
  let broken: WalSyncError | undefined

  function startSync(): void {
    const batch = pending
    pending = []
    isSyncing = true
    try {
      // Some systems sync only descriptors that are open for writing.
      descriptor ??= openSync(walFile, 'r+')
      sync(descriptor, (error) => finishSync(batch, error))
    } catch (error) {
      finishSync(batch, error as Error)
    }
  }

  function finishSync(batch: PendingCommit[], error: Error | null): void {
    isSyncing = false
    if (error) {
      // Frames behind a lost one are lost too, and a second sync would not report the first failure again.
      broken = new WalSyncError(walFile, error)
      for (const { reject } of [...batch, ...pending.splice(0)]) reject(broken)
    }
    // Started before the callbacks, because those take time.
    if (pending.length > 0) startSync()
    else if (isClosed) closeFile()
    if (!error) for (const { resolve } of batch) resolve()
  }

  /** Closing it releases no lock of SQLite: those are on the database file and its shared-memory index. */
  function closeFile(): void {
    if (descriptor !== undefined) closeSync(descriptor)
    descriptor = undefined
  }

  return {
    synchronous: 'NORMAL',
    get broken() {
      return broken
    },
    committed() {},
    synced(resolve, reject) {
      pending.push({ resolve, reject })
      if (!isSyncing) startSync()
    },
    close() {
      isClosed = true
      if (!isSyncing) closeFile()
    },
  }
}
