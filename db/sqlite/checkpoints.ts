import { type Checkpointer, WorkerUnavailable } from './checkpointer.ts'
import type { Connections } from './connections.ts'

/** Frames that no checkpoint has copied yet, from which on one is started. */
const CHECKPOINT_FRAMES = 1000
/** Frames in the log from which on units wait for a checkpoint: only one of the whole log lets it restart. */
const MAX_LOG_FRAMES = 16_000

/** Starts checkpoints of one world's log in the checkpointer thread, in place of SQLite's automatic ones. */
export class Checkpoints {
  readonly #file: string
  readonly #connections: Connections
  readonly #checkpointer: Checkpointer
  #inFlight: Promise<void> | undefined
  #hasNoWorker = false

  constructor(file: string, connections: Connections, checkpointer: Checkpointer) {
    this.#file = file
    this.#connections = connections
    this.#checkpointer = checkpointer
    connections.main.pragma('wal_autocheckpoint = 0')
  }

  /** Starts a checkpoint of a long log. Waits for it only if commits are faster than checkpoints. */
  async limitLog(): Promise<void> {
    if (!this.#connections.main.open) return
    // SQLite has no status of the log for a connection that is reading.
    this.#connections.endReadTransactions()
    const { log, checkpointed } = this.#connections.logStatus()
    if (log - checkpointed < CHECKPOINT_FRAMES) return
    if (this.#hasNoWorker) {
      this.#connections.endReadTransactions()
      this.#connections.main.pragma('wal_checkpoint(PASSIVE)')
    } else if (log < MAX_LOG_FRAMES) void this.#start()
    else {
      await this.#inFlight
      await this.#start()
    }
  }

  /** Resolves when no checkpoint of the file is in flight: an engine that was closed since may have started one. */
  idle(): Promise<void> {
    return new Promise((resolve) => this.#checkpointer.whenIdle(this.#file, resolve))
  }

  /** Never rejects: a failed checkpoint loses nothing, and the next commit tries again. */
  #start(): Promise<void> {
    this.#inFlight ??= this.#checkpointer
      .checkpoint(this.#file)
      .catch((error) => {
        this.#hasNoWorker ||= error instanceof WorkerUnavailable
      })
      .finally(() => {
        this.#inFlight = undefined
      })
    return this.#inFlight
  }
}
