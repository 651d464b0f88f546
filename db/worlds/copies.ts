import { readdirSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EventSubscriber } from '../engine.ts'
import { noLog } from '../sqlite/commit_log.ts'
import { createGeneration, openWorld, type World } from '../world.ts'
import { type Changes, NoSuchWorld } from './changes.ts'
import { fileSize, ownerOf, removeDatabase, stateName, type WorldFiles } from './files.ts'

/** Bytes of a world that can be copied. */
const MAX_COPY_BYTES = 256 * 1024 * 1024

/**
 * Temporary copies of worlds on which calls can be tried. They are in no list, no listener gets to know them, and they
 * are removed after use.
 */
export class Copies {
  readonly #changes: Changes
  readonly #files: WorldFiles
  readonly #subscribers: readonly EventSubscriber[] | undefined
  /** By numbers below 0, which no address can name. */
  readonly #worlds = new Map<number, World>()
  #last = 0

  constructor(changes: Changes, files: WorldFiles, subscribers: readonly EventSubscriber[] | undefined) {
    this.#changes = changes
    this.#files = files
    this.#subscribers = subscribers
  }

  /** The copy with a number, for one more user; undefined for other numbers. */
  acquire(number: number): World | undefined {
    const copy = this.#worlds.get(number)
    if (copy) copy.refCount++
    return copy
  }

  /**
   * Calls `use` with a copy of a world's present state, without its fault rules, and the number by which it can be
   * acquired. Undefined if the world is too large. Rejects with NoSuchWorld.
   */
  async use<T>(id: number, use: (copy: World, number: number) => Promise<T>): Promise<T | undefined> {
    const file = this.#files.temp()
    const number = --this.#last
    try {
      const isCopied = await this.#changes.inOrder(id, async (slot) => {
        const state = this.#files.state(slot)
        if (fileSize(state) + fileSize(`${state}-wal`) > MAX_COPY_BYTES) return false
        await this.#changes.copyState(slot, file)
        return true
      })
      if (!isCopied) return undefined
      const options = { openLog: noLog, subscribers: this.#subscribers, generation: createGeneration() }
      const copy = await openWorld(file, options)
      copy.faults = []
      // Copies are not evicted, and close when their use ends.
      copy.refCount = 1
      this.#worlds.set(number, copy)
      return await use(copy, number)
    } finally {
      this.#worlds.get(number)?.close()
      this.#worlds.delete(number)
      removeDatabase(file)
    }
  }
}

/** Copies a world, its start file and its snapshots to a folder; nothing when the world is removed meanwhile. */
export async function saveWorld(
  id: number,
  to: string,
  { changes, files }: { changes: Changes; files: WorldFiles },
): Promise<void> {
  try {
    await changes.inOrder(id, async (slot) => {
      await changes.copyState(slot, join(to, stateName({ id, revision: 0 })))
      for (const name of files.savedNames(id)) await copyFile(join(files.folder, name), join(to, name))
    })
  } catch (error) {
    if (!(error instanceof NoSuchWorld)) throw error
    for (const name of readdirSync(to)) if (ownerOf(name) === id) removeDatabase(join(to, name))
  }
}
