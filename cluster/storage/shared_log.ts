import { performance } from 'node:perf_hooks'
import type { CommitLog } from '../../db/sqlite/commit_log.ts'
import { type Claim, type Directory, Moved } from './directory.ts'
import { CommitEncoder, type PageCache } from './log_entry.ts'
import { WalReader } from './wal_reader.ts'

/** Entries and bytes from which on the log is folded, which shortens the next load. */
const MAX_ENTRIES = 1000
const MAX_LOG_BYTES = 4 * 1024 * 1024

export interface SharedLogOptions {
  directory: Pick<Directory, 'node' | 'append' | 'fold' | 'until'>
  cache: PageCache
  /** Called when a fold has failed; the log only grows longer. */
  onError: (error: Error) => void
}

interface Waiting {
  resolve: () => void
  reject: (error: Error) => void
}

/**
 * Stores the commits of a world in the directory, in place of this machine's disk. What is committed while an entry is
 * being stored goes out together with the next one.
 */
export class SharedLog implements CommitLog {
  /** The file is a copy: nothing is lost with it. */
  readonly synchronous = 'OFF'
  readonly #options: SharedLogOptions
  readonly #claim: Claim
  readonly #reader: WalReader
  readonly #encoder: CommitEncoder
  /** Commits that are not being stored yet. */
  #commits: Buffer[] = []
  #waiting: Waiting[] = []
  /** Wait for the entry that is being stored. */
  #inFlight: Waiting[] = []
  #storing: Promise<void> | undefined
  #broken: Error | undefined
  /** Of the log since the last fold. */
  #entries = 0
  #bytes = 0
  #isFolding = false

  constructor(file: string, claim: Claim, options: SharedLogOptions) {
    this.#claim = claim
    this.#options = options
    this.#reader = new WalReader(file)
    this.#encoder = new CommitEncoder(options.cache)
  }

  get broken(): Error | undefined {
    const { directory } = this.#options
    const { world, node } = this.#claim
    if (!this.#broken && (performance.now() >= directory.until() || node !== directory.node))
      this.#broken = new Moved(`world ${world} is not owned by this server now`)
    return this.#broken
  }

  committed(frames: () => number): void {
    const pages = this.#reader.read(frames())
    if (pages) this.#commits.push(this.#encoder.encode(pages))
  }

  synced(resolve: () => void, reject: (error: Error) => void): void {
    this.#waiting.push({ resolve, reject })
    this.#storing ??= this.#storeAll()
  }

  whenStored(): Promise<void> | undefined {
    if (!this.#storing) return undefined
    const waiting = this.#commits.length > 0 ? this.#waiting : this.#inFlight
    return new Promise((resolve, reject) => waiting.push({ resolve, reject }))
  }

  async #storeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const waiting = this.#waiting.splice(0)
      this.#inFlight = waiting
      const entry = Buffer.concat(this.#commits.splice(0))
      try {
        await this.#store(entry)
        for (const { resolve } of waiting) resolve()
      } catch (error) {
        this.#broken ??= error as Error
        for (const { reject } of [...waiting, ...this.#waiting.splice(0)]) reject(this.#broken)
      }
    }
    this.#storing = undefined
  }

  async #store(entry: Buffer): Promise<void> {
    if (this.#broken) throw this.#broken
    if (entry.length === 0) return
    try {
      await this.#options.directory.append(this.#claim, entry)
    } catch (error) {
      // Requests in flight finish on the previous state, and come before its replacement.
      if (!(error instanceof Moved) || !(await this.#claim.replacement)) throw error
      return
    }
    this.#entries++
    this.#bytes += entry.length
    if (this.#entries >= MAX_ENTRIES || this.#bytes >= MAX_LOG_BYTES) void this.#fold()
  }

  /** Appends continue meanwhile. */
  async #fold(): Promise<void> {
    if (this.#isFolding) return
    this.#isFolding = true
    this.#entries = 0
    this.#bytes = 0
    try {
      await this.#options.directory.fold({ ...this.#claim })
    } catch (error) {
      this.#options.onError(error as Error)
    } finally {
      this.#isFolding = false
    }
  }

  close(): void {
    this.#reader.close()
  }
}
