import { readFileSync, rmSync } from 'node:fs'
import { realNow } from '../clock.ts'
import { clearTimeout, MAX_TIMER_MS, setTimeout } from '../timers.ts'
import type { WorldFiles } from './files.ts'

/** Who creates a world, under which name, and for how long. */
export interface WorldOrigin {
  createdBy: string | null
  name: string | null
  /** Real ms after which it is removed; null: never. */
  lifetimeMs: number | null
}

/** What is known about a world besides its data. It is not part of snapshots and backups. */
interface WorldRecord {
  /** Real time, ms; null: not known. */
  createdAt: number | null
  /** As the caller named itself. */
  createdBy: string | null
  /** Real time, ms, when the world is removed; null: never. */
  expiresAt: number | null
  /** Null: it has none. */
  name: string | null
}

/** Changes of a record; undefined members stay. */
export interface RecordChange {
  name?: string | null | undefined
  /** Real ms from now on, after which the world is removed; null: never. */
  lifetimeMs?: number | null | undefined
}

/** The records of the worlds of a folder, each in a file. Removes worlds that have expired. */
export class WorldRecords {
  readonly #files: WorldFiles
  readonly #records = new Map<number, WorldRecord>()
  #timer: NodeJS.Timeout | undefined
  #onExpired: (id: number) => void = () => {}

  /** Reads the records of worlds that exist. */
  constructor(files: WorldFiles, ids: Iterable<number>) {
    this.#files = files
    for (const id of ids) {
      const record = readRecord(files.record(id))
      if (record) this.#records.set(id, record)
    }
  }

  /** Takes the record of a world that was stored elsewhere. */
  load(id: number, text: string | null): void {
    const record = text === null ? undefined : parseRecord(text)
    if (record) this.#records.set(id, record)
    this.watch()
  }

  /** Undefined for worlds of older versions, and for the default world unless it was changed. */
  get(id: number): WorldRecord | undefined {
    return this.#records.get(id)
  }

  /** Stores the record of a world before `create` stores the world: the next start removes records without a world. */
  async add(id: number, origin: WorldOrigin | undefined, create: () => Promise<void>): Promise<void> {
    try {
      if (origin) await this.#create(id, origin)
      await create()
      this.watch()
    } catch (error) {
      this.delete(id)
      throw error
    }
  }

  #create(id: number, { createdBy, name, lifetimeMs }: WorldOrigin): Promise<void> {
    const createdAt = realNow()
    return this.#set(id, { createdAt, createdBy, expiresAt: expiryOf(createdAt, lifetimeMs), name })
  }

  /** Changes the record of a world; creates it if there is none. */
  async change(id: number, { name, lifetimeMs }: RecordChange): Promise<void> {
    const record = this.#records.get(id) ?? NO_RECORD
    await this.#set(id, {
      ...record,
      ...(name !== undefined && { name }),
      ...(lifetimeMs !== undefined && { expiresAt: expiryOf(realNow(), lifetimeMs) }),
    })
    this.watch()
  }

  async #set(id: number, record: WorldRecord): Promise<void> {
    await this.#files.writeRecord(id, JSON.stringify(record))
    this.#records.set(id, record)
  }

  delete(id: number): void {
    if (this.#records.delete(id)) removeRecord(this.#files.record(id))
  }

  expired(now = realNow()): number[] {
    return [...this.#records].flatMap(([id, { expiresAt }]) => (expiresAt !== null && expiresAt <= now ? [id] : []))
  }

  /** Calls `onExpired` for each world when it expires. Call it again after a change. */
  watch(onExpired = this.#onExpired): void {
    this.#onExpired = onExpired
    this.#watchAfter(Number.NEGATIVE_INFINITY)
  }

  /** Waits for the next world that expires after an instant. */
  #watchAfter(instant: number): void {
    clearTimeout(this.#timer)
    const next = Math.min(
      ...[...this.#records.values()].map(({ expiresAt }) => expiresAt ?? Infinity).filter((at) => at > instant),
    )
    if (next === Infinity) return
    const wait = Math.min(Math.max(next - realNow(), 0), MAX_TIMER_MS)
    this.#timer = setTimeout(() => {
      // A timer may be early, and the clock can change: what has not expired by now is waited for again.
      const now = realNow()
      for (const id of this.expired(now)) this.#onExpired(id)
      this.#watchAfter(now)
    }, wait).unref()
  }

  close(): void {
    clearTimeout(this.#timer)
  }
}

const NO_RECORD: WorldRecord = { createdAt: null, createdBy: null, expiresAt: null, name: null }

const expiryOf = (now: number, lifetimeMs: number | null): number | null =>
  lifetimeMs === null ? null : now + lifetimeMs

function removeRecord(file: string): void {
  rmSync(`${file}.new`, { force: true })
  rmSync(file, { force: true })
}

function readRecord(file: string): WorldRecord | undefined {
  try {
    return parseRecord(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** Records of older versions lack members. */
export const parseRecord = (text: string): WorldRecord => ({ ...NO_RECORD, ...JSON.parse(text) })
