import { AsyncLocalStorage } from 'node:async_hooks'
import { type CauseLog, currentCause } from '../causes.ts'
import { type EventSubscriber, type Q, type UnitEffects, yieldToEventLoop } from '../engine.ts'
import type { Checkpoints } from './checkpoints.ts'
import type { CommitLog } from './commit_log.ts'
import type { Connections } from './connections.ts'
import { createHandle } from './statement.ts'

/** Units in one commit, at most: the first of them waits for the last. */
const MAX_BATCH = 64

interface Job extends UnitEffects {
  unit: (q: Q) => Promise<unknown>
  /** Runs alone and outside a transaction. */
  isExclusive: boolean
  resolve: (value: never) => void
  reject: (error: unknown) => void
  /** Set when the unit has ended. */
  isOver: boolean
}

interface Parts {
  connections: Connections
  log: CommitLog
  checkpoints: Checkpoints | undefined
  subscribers: readonly EventSubscriber[]
  causes: CauseLog
  /** Called with what follows a commit and throws. */
  onError: (error: Error) => void
}

/** Runs the units of one world one after the other, and commits those of one turn of the event loop together. */
export class CommitQueue {
  readonly #connections: Connections
  readonly #log: CommitLog
  readonly #checkpoints: Checkpoints | undefined
  readonly #subscribers: readonly EventSubscriber[]
  readonly #causes: CauseLog
  readonly #onError: (error: Error) => void
  readonly #eventListeners: readonly (() => void)[]
  readonly #jobs: Job[] = []
  /** The job whose unit started the current code, which may run on after the unit has ended. */
  readonly #currentJob = new AsyncLocalStorage<Job>()
  #isDraining = false
  #cachedWriter: Writer | undefined

  /** Calls the listeners after each durable commit with events, when the callers of its units have their results. */
  constructor(
    { connections, log, checkpoints, subscribers, causes, onError }: Parts,
    eventListeners: readonly (() => void)[],
  ) {
    this.#connections = connections
    this.#log = log
    this.#checkpoints = checkpoints
    this.#subscribers = subscribers
    this.#causes = causes
    this.#onError = onError
    this.#eventListeners = eventListeners
  }

  /** Resolves with the unit's result once its commit is durable. */
  run<T>(unit: (q: Q) => Promise<T>): Promise<T> {
    return this.#enqueue(unit, false)
  }

  /** Runs `unit` when the database file holds all commits, and none follow until it has ended. */
  runExclusive<T>(unit: () => Promise<T>): Promise<T> {
    return this.#enqueue(unit, true)
  }

  #enqueue<T>(unit: (q: Q) => Promise<T>, isExclusive: boolean): Promise<T> {
    const current = this.#currentJob.getStore()
    if (current && !current.isOver) return Promise.reject(new Error('a unit inside a unit would wait for itself'))
    return new Promise<T>((resolve, reject) => {
      this.#jobs.push({ unit, isExclusive, cause: currentCause(), resolve, reject, isOver: false })
      if (!this.#isDraining) void this.#drain()
    })
  }

  async #drain(): Promise<void> {
    this.#isDraining = true
    while (this.#jobs.length > 0) {
      // Collects the units of this turn, and lets timers and sockets run: the driver itself never yields.
      await yieldToEventLoop()
      if (this.#log.broken) rejectAll(this.#jobs.splice(0), this.#log.broken)
      else if (this.#jobs[0]?.isExclusive) await this.#runAlone(this.#jobs.shift()!)
      else {
        await this.#commit(this.#nextBatch())
        // After a failure the frames are as safe in the log; the next commit tries again.
        await this.#checkpoints?.limitLog().catch(() => {})
      }
    }
    this.#isDraining = false
  }

  #nextBatch(): Job[] {
    const firstExclusive = this.#jobs.findIndex(({ isExclusive }) => isExclusive)
    return this.#jobs.splice(0, firstExclusive < 0 ? MAX_BATCH : Math.min(firstExclusive, MAX_BATCH))
  }

  /** Runs jobs in one transaction. Never rejects: each job gets its result or its error. */
  async #commit(jobs: Job[]): Promise<void> {
    const connections = this.#connections
    const settle: (() => void)[] = []
    try {
      const { begin, commit } = this.#writer()
      connections.endReadTransactions()
      this.#rollBack()
      begin.run()
      connections.isWriting = true
      for (const job of jobs) settle.push(await (jobs.length === 1 ? this.#runUnit(job) : this.#runInSavepoint(job)))
      // SQLite's automatic checkpoint, part of COMMIT, needs a moment without readers.
      connections.endReadTransactions()
      if (this.#log.broken) throw this.#log.broken
      commit.run()
      connections.isWriting = false
      connections.changes.commits++
      const hasEvents = this.#storeCauses(jobs)
      this.#log.committed(() => connections.logStatus().log)
      this.#log.synced(
        () => {
          for (const callback of settle) callback()
          if (hasEvents) this.#callAll(this.#eventListeners)
        },
        (error) => rejectAll(jobs, error),
      )
    } catch (error) {
      this.#rollBack()
      rejectAll(jobs, error)
    }
  }

  /** Ends a transaction that has failed, if one is open. If that fails too, reads do not see it, and the next job tries again. */
  #rollBack(): void {
    const connections = this.#connections
    try {
      if (connections.main.inTransaction) this.#writer().rollback.run()
    } catch {
      // The caller has the first error.
    }
    connections.isWriting = connections.main.inTransaction
  }

  /** What has been committed stays, whatever follows it. */
  #callAll(callbacks: readonly (() => void)[]): void {
    for (const callback of callbacks)
      try {
        callback()
      } catch (error) {
        this.#onError(error as Error)
      }
  }

  /** Stores what caused the events of a commit. Returns whether it has any. */
  #storeCauses(jobs: Job[]): boolean {
    let hasEvents = false
    for (const { cause, events } of jobs) {
      if (!events) continue
      hasEvents = true
      if (cause) this.#causes.add(cause, events)
    }
    return hasEvents
  }

  async #runAlone({ unit, resolve, reject }: Job): Promise<void> {
    const { main } = this.#connections
    try {
      await this.#checkpoints?.limitLog()
      await this.#checkpoints?.idle()
      this.#connections.endReadTransactions()
      this.#rollBack()
      const [{ busy }] = main.pragma('wal_checkpoint(TRUNCATE)') as [{ busy: number }]
      if (busy) throw new Error(`${main.name} is read by another program`)
      resolve((await unit(this.#writer().q)) as never)
    } catch (error) {
      reject(error)
    }
  }

  /** Isolates a unit from the rest of its batch. Returns what to call after the commit. */
  async #runInSavepoint(job: Job): Promise<() => void> {
    const { savepoint, release, rollbackTo } = this.#writer()
    savepoint.run()
    try {
      const settle = await this.#runUnit(job)
      release.run()
      return settle
    } catch (error) {
      // A full disk ends the whole transaction, including its savepoints.
      if (!this.#connections.main.inTransaction) throw error
      rollbackTo.run()
      release.run()
      job.events = undefined
      job.onCommit = undefined
      return () => job.reject(error)
    }
  }

  /** Returns what to call after the commit. */
  async #runUnit(job: Job): Promise<() => void> {
    try {
      const { q } = this.#writer()
      q.effects = job
      const value = await this.#currentJob.run(job, job.unit, q)
      return () => {
        job.resolve(value as never)
        this.#callAll(job.onCommit ?? [])
      }
    } finally {
      job.isOver = true
    }
  }

  /** Prepared with the first unit, because many worlds are only read. */
  #writer(): Writer {
    this.#cachedWriter ??= createWriter(this.#connections, this.#subscribers)
    return this.#cachedWriter
  }
}

function rejectAll(jobs: Job[], error: unknown): void {
  for (const { reject } of jobs) reject(error)
}

type Writer = ReturnType<typeof createWriter>

function createWriter({ main: connection, changes }: Connections, subscribers: readonly EventSubscriber[]) {
  return {
    q: { ...createHandle(connection, { changes }), subscribers } as Q,
    begin: connection.prepare('BEGIN IMMEDIATE'),
    commit: connection.prepare('COMMIT'),
    rollback: connection.prepare('ROLLBACK'),
    savepoint: connection.prepare('SAVEPOINT unit'),
    release: connection.prepare('RELEASE unit'),
    rollbackTo: connection.prepare('ROLLBACK TO unit'),
  }
}
