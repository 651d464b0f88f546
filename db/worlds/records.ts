import { readFileSync, rmSync } from 'node:fs'
import { realNow } from '../clock.ts'
import { writeFileAtomically } from '../folders.ts'
import { clearTimeout, MAX_TIMER_MS, setTimeout } from '../timers.ts'
import type { WorldFiles } from './files.ts'

/** Who creates a world, and for how long. */
export interface WorldOrigin {
  createdBy: string | null
  /** Real ms after which it is removed; null: never. */
  lifetimeMs: number | null
}

/** What is known about a world besides its data. It is not part of snapshots and backups. */
export interface WorldRecord {
  /** Real time, ms. */
  createdAt: number
  /** As the caller named itself. */
  createdBy: string | null
  /** Real time, ms, when the world is removed; null: never. */
  expiresAt: number | null
}

/** The records of the worlds of a folder, each in a file. Removes worlds that have expired. */
export class WorldRecords {
  readonly #files: WorldFiles
  readonly #isDurable: boolean
  readonly #records = new Map<number, WorldRecord>()
  #timer: NodeJS.Timeout | undefined
  #onExpired: (id: number) => void = () => {}

  /** Reads the records of worlds that exist. */
  constructor(files: WorldFiles, isDurable: boolean, ids: Iterable<number>) {
    this.#files = files
    this.#isDurable = isDurable
    for (const id of ids) {
      const record = readRecord(files.record(id))
      if (record) this.#records.set(id, record)
    }
  }

  /** Undefined for the default world, and for those of older versions. */
  get(id: number): WorldRecord | undefined {
    return this.#records.get(id)
  }

  /** Stores the record of a world before `create` stores the world: the next start removes records without a world. */
  async add(id: number, origin: WorldOrigin | undefined, create: () => Promise<void>): Promise<void> {
    try {
      if (origin) this.#set(id, origin)
      await create()
      this.watch()
    } catch (error) {
      this.delete(id)
      throw error
    }
  }

  #set(id: number, { createdBy, lifetimeMs }: WorldOrigin): void {
    const createdAt = realNow()
    const record = { createdAt, createdBy, expiresAt: lifetimeMs === null ? null : createdAt + lifetimeMs }
    this.#records.set(id, record)
    writeFileAtomically(this.#files.record(id), JSON.stringify(record), this.#files.folder, this.#isDurable)
  }

  delete(id: number): void {
    if (this.#records.delete(id)) removeRecord(this.#files.record(id))
  }

  expired(): number[] {
    const now = realNow()
    return [...this.#records].flatMap(([id, { expiresAt }]) => (expiresAt !== null && expiresAt <= now ? [id] : []))
  }

  /** Calls `onExpired` for each world when it expires. Call it again after a change. */
  watch(onExpired = this.#onExpired): void {
    this.#onExpired = onExpired
    clearTimeout(this.#timer)
    const times = [...this.#records.values()].flatMap(({ expiresAt }) => (expiresAt === null ? [] : [expiresAt]))
    if (times.length === 0) return
    const wait = Math.min(Math.max(Math.min(...times) - realNow(), 0), MAX_TIMER_MS)
    this.#timer = setTimeout(() => {
      for (const id of this.expired()) this.#onExpired(id)
    }, wait).unref()
  }

  close(): void {
    clearTimeout(this.#timer)
  }
}

function removeRecord(file: string): void {
  rmSync(`${file}.new`, { force: true })
  rmSync(file, { force: true })
}

function readRecord(file: string): WorldRecord | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
