/** `PRAGMA synchronous` of every connection to the file. */
export type Synchronous = 'OFF' | 'NORMAL' | 'FULL'

/**
 * Makes the commits of one open world durable, and reports when they are. SQLite writes the log file (`<file>-wal`); a
 * commit log decides when an answer may be sent. It is called on the event loop, never inside a transaction.
 */
export interface CommitLog {
  /** The syncs that SQLite makes itself: with NORMAL all but that of the log after a commit, with OFF none. */
  readonly synchronous: Synchronous
  /**
   * Called synchronously after every COMMIT, before the next write and before the log file can restart. `frames` counts
   * the frames in the log file.
   */
  committed(frames: () => number): void
  /**
   * Calls `resolve` once all commits so far are durable, or `reject` when that cannot be known: one of them, once, in
   * the order of the calls. May call `resolve` synchronously.
   */
  synced(resolve: () => void, reject: (error: Error) => void): void
  /** As `whenStored` of the engine; absent where reads do not wait for commits. */
  whenStored?(): Promise<void> | undefined
  /** Set by the first failure and never reset. The world then rejects all further writes. */
  readonly broken: Error | undefined
  /** Called before the connections close. Pending calls of `synced` still complete. */
  close(): void
}

/** Opens the commit log of a world's database file. The log file itself exists from the first commit on. */
export type OpenCommitLog = (file: string) => CommitLog

/** For worlds that end with their process: a commit counts as durable at once. */
export const noLog: OpenCommitLog = () => ({
  synchronous: 'OFF',
  committed() {},
  synced: (resolve) => resolve(),
  broken: undefined,
  close() {},
})
