import { existsSync, rmSync } from 'node:fs'
import { copyFile, link } from 'node:fs/promises'
import { realNow } from '../clock.ts'
import { createGeneration, type Generation, type Restoration } from '../world.ts'
import type { Changes, Populate } from './changes.ts'
import { fileSize, removeDatabase, type WorldFiles } from './files.ts'

/** Bytes of the automatic snapshots of all worlds. */
const MAX_BYTES = 256 * 1024 * 1024
/** Bytes of a world that is copied before a program writes, which waits for the copy. */
const MAX_PROGRAM_COPY_BYTES = 16 * 1024 * 1024

const UNDO: Restoration = { change: 'undo', name: null, keepsJournal: true }

/** What is known of the state that is copied. */
interface SnapshotNote {
  /** What it was taken before: a control call, or a write of the emulated API. */
  automatic: 'control' | 'program'
  label: string
  /** World time, ms. */
  now: number
  history: Generation['history']
  counts: Generation['counts']
  /** The id of its last event; 0: none. */
  lastEvent: number
  /** Writes what reset restores, which has no file if the world was created from a scenario. */
  populate: Populate
}

/** A copy of a world's state before a call, in temp files: it does not survive a restart. */
export interface AutomaticSnapshot extends SnapshotNote {
  /** Increases with every one of the server. */
  id: number
  /** No name that is given looks like it. */
  name: string
  worldId: number
  /** Real time, ms. */
  createdAt: number
  bytes: number
  file: string
  /** Its start file; null if it has none. */
  startFile: string | null
  /** It is listed: the call that it was taken for has succeeded, and it is not being restored. */
  isKept: boolean
  /** Its files are being copied, and must not be removed to make room. */
  isInUse: boolean
}

/**
 * The automatic snapshots of all worlds, bounded in number and bytes; the oldest are removed first. Those before writes of
 * programs never displace those before control calls.
 */
export class AutomaticSnapshots {
  readonly #changes: Changes
  readonly #files: WorldFiles
  readonly #maxBytes: number
  /** In the order of their ids. */
  readonly #all: AutomaticSnapshot[] = []
  #lastId = 0

  constructor(changes: Changes, files: WorldFiles, maxBytes = MAX_BYTES) {
    this.#changes = changes
    this.#files = files
    this.#maxBytes = maxBytes
  }

  /** Those of a world that are kept, oldest first. */
  list(worldId: number): AutomaticSnapshot[] {
    return this.#all.filter((one) => one.worldId === worldId && one.isKept)
  }

  /** Whether a world has some, kept or not. */
  has(worldId: number): boolean {
    return this.#all.some((one) => one.worldId === worldId)
  }

  /**
   * Copies the state of a world. Undefined if it is too large. A program waits neither for a large copy nor for other
   * changes, such as an import: then it gets none. It replaces one before writes that have all failed.
   */
  async take(worldId: number, note: SnapshotNote): Promise<AutomaticSnapshot | undefined> {
    const isProgram = note.automatic === 'program'
    if (isProgram && this.#changes.isChanging(worldId)) return undefined
    return this.#changes.inOrder(worldId, async (slot) => {
      if (isProgram) this.#discardAll((one) => one.worldId === worldId && one.automatic === 'program' && !one.isKept)
      const state = this.#files.state(slot)
      const start = this.#files.start(worldId)
      const copied = fileSize(state) + fileSize(`${state}-wal`)
      const bytes = copied + fileSize(start)
      if (isProgram && copied > MAX_PROGRAM_COPY_BYTES) return undefined
      if (!this.#makeRoom(bytes, note.automatic)) return undefined
      const id = ++this.#lastId
      const snapshot: AutomaticSnapshot = {
        ...note,
        id,
        name: `auto.${id}`,
        worldId,
        createdAt: realNow(),
        bytes,
        file: this.#files.temp(),
        startFile: existsSync(start) ? this.#files.temp() : null,
        isKept: false,
        isInUse: true,
      }
      this.#all.push(snapshot)
      try {
        await this.#changes.copyState(slot, snapshot.file)
        if (snapshot.startFile !== null) await linkOrCopy(start, snapshot.startFile)
      } catch (error) {
        this.discard(snapshot)
        throw error
      }
      snapshot.isInUse = false
      snapshot.bytes = fileSize(snapshot.file) + fileSize(start)
      return snapshot
    })
  }

  /** Keeps a snapshot whose call has succeeded, unless it was removed meanwhile; `max`: of its kind and world. */
  keep(snapshot: AutomaticSnapshot, max: number): void {
    snapshot.isKept = true
    const kept = this.list(snapshot.worldId).filter(({ automatic }) => automatic === snapshot.automatic)
    if (kept.length > max) this.discard(kept[0]!)
  }

  discard(snapshot: AutomaticSnapshot): void {
    const n = this.#all.indexOf(snapshot)
    if (n < 0) return
    this.#all.splice(n, 1)
    removeDatabase(snapshot.file)
    if (snapshot.startFile !== null) rmSync(snapshot.startFile, { force: true })
  }

  /** Runs a function that copies the file of a snapshot, which is not removed meanwhile to make room. */
  async use(snapshot: AutomaticSnapshot, copy: (file: string) => Promise<unknown>): Promise<void> {
    snapshot.isInUse = true
    try {
      await copy(snapshot.file)
    } finally {
      snapshot.isInUse = false
    }
  }

  /** Restores the state of a snapshot and what reset restores, and removes it with all later ones. False if it was removed. */
  undo(snapshot: AutomaticSnapshot): Promise<boolean> {
    const { id, worldId, history, counts } = snapshot
    return this.#changes.inOrder(worldId, async (slot) => {
      if (!this.#all.includes(snapshot)) return false
      snapshot.isKept = false
      const generation = { ...createGeneration(), history, counts: { ...counts } }
      try {
        await this.use(snapshot, async (file) => {
          const startFile = await this.#startFileOf(snapshot)
          await this.#changes.replaceState(slot, UNDO, (tempFile) => copyFile(file, tempFile), generation)
          if (startFile !== null) await this.#files.setStart(worldId, startFile)
        })
      } catch (error) {
        snapshot.isKept = true
        throw error
      }
      this.#discardAll((one) => one.worldId === worldId && one.id >= id)
      return true
    })
  }

  /**
   * The start file of the restored state, in a temp file; null: it needs none. After a load it needs one also if it had
   * none: a snapshot of the loaded state may be restored, and does not say how the world was created.
   */
  async #startFileOf({ worldId, startFile, populate }: AutomaticSnapshot): Promise<string | null> {
    if (startFile !== null || !existsSync(this.#files.start(worldId))) return startFile
    const file = this.#files.temp()
    try {
      await populate(file, worldId)
    } catch (error) {
      removeDatabase(file)
      throw error
    }
    return file
  }

  /** Removes those of a world that was removed. */
  discardAll(worldId: number): void {
    this.#discardAll((one) => one.worldId === worldId)
  }

  close(): void {
    this.#discardAll(() => true)
  }

  #discardAll(isDiscarded: (one: AutomaticSnapshot) => boolean): void {
    for (const one of this.#all.filter(isDiscarded)) this.discard(one)
  }

  /** Removes the oldest, those of programs first, until some bytes more fit; false if they cannot. */
  #makeRoom(bytes: number, automatic: SnapshotNote['automatic']): boolean {
    const removable = (kind: SnapshotNote['automatic']) =>
      this.#all.filter((one) => one.automatic === kind && !one.isInUse && (one.isKept || kind === 'program'))
    const oldest = [...removable('program'), ...(automatic === 'control' ? removable('control') : [])]
    let excess = this.#all.reduce((sum, one) => sum + one.bytes, bytes) - this.#maxBytes
    if (excess > oldest.reduce((sum, one) => sum + one.bytes, 0)) return false
    for (const one of oldest) {
      if (excess <= 0) break
      excess -= one.bytes
      this.discard(one)
    }
    return true
  }
}

/** Start files are replaced by renaming, never changed: a link keeps the content. Some file systems have no links. */
const linkOrCopy = (from: string, to: string) => link(from, to).catch(() => copyFile(from, to))
