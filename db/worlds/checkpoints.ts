import { existsSync, rmSync } from 'node:fs'
import { copyFile, link } from 'node:fs/promises'
import { realNow } from '../clock.ts'
import { createGeneration, type Generation, type Restoration } from '../world.ts'
import type { Changes, Populate } from './changes.ts'
import { fileSize, removeDatabase, type WorldFiles } from './files.ts'

/** Bytes of the checkpoints of all worlds. */
const MAX_CHECKPOINT_BYTES = 256 * 1024 * 1024
/** Bytes of a world that is copied before a program writes, which waits for the copy. */
const MAX_PROGRAM_COPY_BYTES = 16 * 1024 * 1024

const UNDO: Restoration = { change: 'undo', name: null, keepsJournal: true }

/** What is known of the state that is copied. */
interface CheckpointNote {
  /** What it was taken for: a control call, or a write of the emulated API. */
  kind: 'control' | 'program'
  label: string
  /** World time, ms. */
  now: number
  history: Generation['history']
  counts: Generation['counts']
  /** The id of its last event; 0: none. */
  lastEvent: number
  /** Writes its starting point, which has no file if the world was created from a scenario. */
  populate: Populate
}

/** A copy of a world's state in temp files: it does not survive a restart. */
export interface Checkpoint extends CheckpointNote {
  /** Increases with every checkpoint of the server. */
  id: number
  worldId: number
  /** Real time, ms. */
  takenAt: number
  bytes: number
  file: string
  /** Its start file; null if it has none. */
  startFile: string | null
  /** It is listed: the call that it was taken for has succeeded, and it is not being restored. */
  isKept: boolean
}

/**
 * The checkpoints of all worlds, bounded in number and bytes; the oldest are removed first. Those before writes of programs
 * never displace those before control calls.
 */
export class Checkpoints {
  readonly #changes: Changes
  readonly #files: WorldFiles
  readonly #maxBytes: number
  /** In the order of their ids. */
  readonly #all: Checkpoint[] = []
  #lastId = 0

  constructor(changes: Changes, files: WorldFiles, maxBytes = MAX_CHECKPOINT_BYTES) {
    this.#changes = changes
    this.#files = files
    this.#maxBytes = maxBytes
  }

  /** Those of a world that are kept, oldest first. */
  list(worldId: number): Checkpoint[] {
    return this.#all.filter((one) => one.worldId === worldId && one.isKept)
  }

  /** Whether a world has some, kept or not. */
  has(worldId: number): boolean {
    return this.#all.some((one) => one.worldId === worldId)
  }

  /**
   * Copies the state of a world, until `keep` or `discard` is called. Undefined if it is too large. A program waits
   * neither for a large copy nor for other changes, such as an import: then it gets none.
   */
  async take(worldId: number, note: CheckpointNote): Promise<Checkpoint | undefined> {
    const isProgram = note.kind === 'program'
    if (isProgram && this.#changes.isChanging(worldId)) return undefined
    return this.#changes.inOrder(worldId, async (slot) => {
      const state = this.#files.state(slot)
      const start = this.#files.start(worldId)
      const copied = fileSize(state) + fileSize(`${state}-wal`)
      const bytes = copied + fileSize(start)
      if (isProgram && copied > MAX_PROGRAM_COPY_BYTES) return undefined
      if (!this.#makeRoom(bytes, note.kind)) return undefined
      const checkpoint: Checkpoint = {
        ...note,
        id: ++this.#lastId,
        worldId,
        takenAt: realNow(),
        bytes,
        file: this.#files.temp(),
        startFile: existsSync(start) ? this.#files.temp() : null,
        isKept: false,
      }
      this.#all.push(checkpoint)
      try {
        await this.#changes.copyState(slot, checkpoint.file)
        if (checkpoint.startFile !== null) await linkOrCopy(start, checkpoint.startFile)
      } catch (error) {
        this.discard(checkpoint)
        throw error
      }
      checkpoint.bytes = fileSize(checkpoint.file) + fileSize(start)
      return checkpoint
    })
  }

  /** Keeps a checkpoint whose call has succeeded, unless it was removed meanwhile; `max`: of its kind and world. */
  keep(checkpoint: Checkpoint, max: number): void {
    checkpoint.isKept = true
    const kept = this.list(checkpoint.worldId).filter(({ kind }) => kind === checkpoint.kind)
    if (kept.length > max) this.discard(kept[0]!)
  }

  discard(checkpoint: Checkpoint): void {
    const n = this.#all.indexOf(checkpoint)
    if (n < 0) return
    this.#all.splice(n, 1)
    removeDatabase(checkpoint.file)
    if (checkpoint.startFile !== null) rmSync(checkpoint.startFile, { force: true })
  }

  /** Restores the state of a checkpoint, and removes it with all later ones. False if it was removed before. */
  restore(checkpoint: Checkpoint): Promise<boolean> {
    const { id, worldId, file, history, counts } = checkpoint
    return this.#changes.inOrder(worldId, async (slot) => {
      if (!this.#all.includes(checkpoint)) return false
      // Until it is restored, it must not be removed to make room for another.
      checkpoint.isKept = false
      const generation = { ...createGeneration(), history, counts: { ...counts } }
      try {
        const startFile = await this.#startFileOf(checkpoint)
        await this.#changes.replaceState(slot, UNDO, (tempFile) => copyFile(file, tempFile), generation)
        if (startFile !== null) await this.#files.setStart(worldId, startFile)
      } catch (error) {
        checkpoint.isKept = true
        throw error
      }
      for (const one of this.#all.filter((one) => one.worldId === worldId && one.id >= id)) this.discard(one)
      return true
    })
  }

  /**
   * The start file of the restored state, in a temp file; null: it needs none. After a load it needs one also if it had
   * none: a snapshot of the loaded state may be restored, and does not say how the world was created.
   */
  async #startFileOf({ worldId, startFile, populate }: Checkpoint): Promise<string | null> {
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

  /** Copies the state of a checkpoint to `file`, which must not exist. False if it was removed before. */
  copy(checkpoint: Checkpoint, file: string): Promise<boolean> {
    return this.#changes.inOrder(checkpoint.worldId, async () => {
      if (!this.#all.includes(checkpoint)) return false
      await copyFile(checkpoint.file, file)
      return true
    })
  }

  /** Removes those of a world that was removed. */
  discardAll(worldId: number): void {
    for (const one of this.#all.filter((one) => one.worldId === worldId)) this.discard(one)
  }

  close(): void {
    for (const one of [...this.#all]) this.discard(one)
  }

  /** Removes the oldest checkpoints, those of programs first, until some bytes more fit; false if they cannot. */
  #makeRoom(bytes: number, kind: CheckpointNote['kind']): boolean {
    const ofKind = (kind: CheckpointNote['kind']) => this.#all.filter((one) => one.isKept && one.kind === kind)
    const removable = [...ofKind('program'), ...(kind === 'control' ? ofKind('control') : [])]
    let excess = this.#all.reduce((sum, one) => sum + one.bytes, bytes) - this.#maxBytes
    if (excess > removable.reduce((sum, one) => sum + one.bytes, 0)) return false
    for (const one of removable) {
      if (excess <= 0) break
      excess -= one.bytes
      this.discard(one)
    }
    return true
  }
}

/** Start files are replaced by renaming, never changed: a link keeps the content. Some file systems have no links. */
const linkOrCopy = (from: string, to: string) => link(from, to).catch(() => copyFile(from, to))
