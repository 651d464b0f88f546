import { closeSync, fdatasync, openSync } from 'node:fs'

/** Has what was written to an open file on the disk before it calls back. */
export type Sync = (descriptor: number, done: (error: Error | null) => void) => void

/** The log could not be brought to the disk: of what was committed since, nobody knows what is there. */
export class WalSyncError extends Error {
  constructor(file: string, cause: Error) {
    super(
      `${file} did not reach the disk (${cause.message}): nothing more is written to this world; see to the disk, then start the server again`,
      { cause },
    )
  }
}

interface PendingCommit {
  resolve: () => void
  reject: (error: WalSyncError) => void
}

/** The log of a file that is open, brought to the disk beside the loop. */
export interface Wal {
  /**
   * Calls `tell` when all that is committed by now is on the disk, or `refuse` when it is not known to be; in the order
   * of the calls.
   */
  synced(resolve: () => void, reject: (error: WalSyncError) => void): void
  /** Why nothing may be written any more. */
  broken: WalSyncError | undefined
  /** Before the connections close. What waits is told yet. */
  close(): void
}

/**
 * SQLite in `synchronous = NORMAL` leaves out one thing that FULL does: to wait for the log after each commit. That is
 * done here, in a thread of libuv's pool (lookups of names, which may never end, get half of it at most), while the loop
 * goes on and further units commit; all that have when a sync begins are told by its end. The rest is SQLite's in NORMAL as well: it syncs the log, and then the file, before any
 * part of the log is used again; the header of a log that begins anew before the first frame behind it; and with the
 * first sync the folder that has the new name. Frames are written only at the end, and their checksums go on from one
 * to the next: a power cut leaves all up to some frame that was not synced, which nobody had an answer of.
 *
 * The log stays the same file as long as a connection is open, emptied or not, and closing this descriptor touches no
 * lock: SQLite's are on the file itself and the index beside it.
 */
export function openWal(file: string, sync: Sync = fdatasync): Wal {
  let descriptor: number | undefined
  let pending: PendingCommit[] = []
  let isSyncing = false
  let isClosed = false

  function startSync(): void {
    const batch = pending
    pending = []
    isSyncing = true
    try {
      // Some systems sync only what they would let us write to.
      descriptor ??= openSync(file, 'r+')
      sync(descriptor, (error) => finishSync(batch, error))
    } catch (error) {
      finishSync(batch, error as Error)
    }
  }

  function finishSync(batch: PendingCommit[], error: Error | null): void {
    isSyncing = false
    if (error) {
      // Frames behind one that was lost are lost too, and a second sync would say nothing of the first.
      wal.broken = new WalSyncError(file, error)
      for (const { reject } of [...batch, ...pending.splice(0)]) reject(wal.broken)
    }
    // Before the answers, which take their time.
    if (pending.length > 0) startSync()
    else if (isClosed) closeFile()
    if (!error) for (const { resolve } of batch) resolve()
  }

  function closeFile(): void {
    if (descriptor !== undefined) closeSync(descriptor)
    descriptor = undefined
  }

  const wal: Wal = {
    broken: undefined,
    synced(resolve, reject) {
      pending.push({ resolve, reject })
      if (!isSyncing) startSync()
    },
    close() {
      isClosed = true
      if (!isSyncing) closeFile()
    },
  }
  return wal
}
