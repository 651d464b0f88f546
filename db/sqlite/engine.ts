import { constants } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { CauseLog } from '../causes.ts'
import type { Engine, EventSubscriber } from '../engine.ts'
import type { Checkpointer } from './checkpointer.ts'
import { Checkpoints } from './checkpoints.ts'
import type { OpenCommitLog } from './commit_log.ts'
import { CommitQueue } from './commit_queue.ts'
import { Connections } from './connections.ts'

export interface SqliteOptions {
  /** Decides when a unit is answered. Reads see commits before they are durable. */
  openLog: OpenCommitLog
  /** Copies long logs to their files in a thread; without one SQLite does so inside a COMMIT. */
  checkpointer?: Checkpointer | undefined
  /** Called in the unit of every event that is published. */
  subscribers?: readonly EventSubscriber[] | undefined
  /** Gets the causes of events. */
  causes?: CauseLog
  /** Called with what listeners of commits throw. */
  onError?: ((error: Error) => void) | undefined
}

/**
 * Opens the file of a world, which exists and is migrated. If its commit log breaks, every later unit is rejected with
 * that error; reads still work.
 */
export function openSqlite(
  file: string,
  { openLog, checkpointer, subscribers = [], causes = new CauseLog(), onError = () => {} }: SqliteOptions,
): Engine {
  const log = openLog(file)
  const connections = new Connections(file, log.synchronous)
  // Frames that a crash left in the log may not be on the disk: nothing may be appended behind them.
  if (log.synchronous !== 'OFF') connections.main.pragma('wal_checkpoint(PASSIVE)')
  const checkpoints = checkpointer && new Checkpoints(file, connections, checkpointer)
  const eventListeners: (() => void)[] = []
  const queue = new CommitQueue({ connections, log, checkpoints, subscribers, causes, onError }, eventListeners)
  const version = () => connections.changes.commits
  return {
    read: { ...connections.read, version },
    tx: (unit) => queue.run(unit),
    version,
    whenStored: () => log.whenStored?.(),
    onEvents: (listener) => void eventListeners.push(listener),
    isBroken: () => log.broken !== undefined,
    copyTo: (to) => queue.runExclusive(() => copyFile(file, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)),
    close() {
      log.close()
      connections.close()
    },
  }
}
