import { existsSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { createGeneration, type StateChange } from '../world.ts'
import { removeDatabase, type WorldFiles } from './files.ts'
import { createSlot, type OpenWorlds, type Slot } from './open_worlds.ts'

/** Answered with 404: a world can be removed while a call for it waits. */
export class NoSuchWorld extends Error {
  constructor(id: number) {
    super(`World ${id} not found`)
  }
}

/** Writes the data of a world to `file`, which does not exist yet, and closes it. */
export type Populate = (file: string, id: number) => Promise<unknown>

/** Writes the state of a world to a file that does not exist yet. */
type WriteState = (file: string) => Promise<unknown>

/** Creates, replaces, copies and removes states of worlds. Changes of one world run one after the other. */
export class Changes {
  readonly #slots: Map<number, Slot>
  readonly #files: WorldFiles
  readonly #open: OpenWorlds

  readonly #missingError: (id: number) => Error

  constructor(
    slots: Map<number, Slot>,
    files: WorldFiles,
    open: OpenWorlds,
    missingError = (id: number): Error => new NoSuchWorld(id),
  ) {
    this.#slots = slots
    this.#files = files
    this.#open = open
    this.#missingError = missingError
  }

  /** Throws NoSuchWorld. */
  slotOf(id: number): Slot {
    const slot = this.#slots.get(id)
    if (!slot) throw this.#missingError(id)
    return slot
  }

  /** Runs a change after those before it. Rejects with NoSuchWorld, also when one of those removed the world. */
  async inOrder<T>(id: number, change: (slot: Slot) => Promise<T>): Promise<T> {
    return this.slotOf(id).changes.run(async () => change(this.slotOf(id)))
  }

  /** Whether a change of a world would wait for another. Throws NoSuchWorld. */
  isChanging(id: number): boolean {
    return this.slotOf(id).changes.isBusy
  }

  /** Creates a world under an unused number; with `hasStart` also its start file. */
  async create(id: number, populate: Populate, hasStart: boolean): Promise<void> {
    const slot = { ...createSlot({ id, revision: 0 }), generation: createGeneration(true) }
    // The state file is last: a world that exists has its start file.
    const write = await this.#writeStart(id, populate, hasStart)
    await this.#files.writeState(slot, write)
    this.#slots.set(id, slot)
  }

  replace(id: number, populate: Populate, hasStart: boolean): Promise<void> {
    return this.inOrder(id, async (slot) =>
      this.replaceState(
        slot,
        { change: 'load', name: null, keepsJournal: false },
        await this.#writeStart(id, populate, hasStart),
      ),
    )
  }

  reset(id: number, populate: Populate, keepsJournal: boolean): Promise<void> {
    return this.inOrder(id, (slot) =>
      this.replaceState(slot, { change: 'reset', name: null, keepsJournal }, (file) =>
        this.#copyStart(id, populate, file),
      ),
    )
  }

  /** Writes the state that a reset restores. */
  copyStart(id: number, populate: Populate, file: string): Promise<unknown> {
    return this.inOrder(id, () => this.#copyStart(id, populate, file))
  }

  #copyStart(id: number, populate: Populate, file: string): Promise<unknown> {
    const start = this.#files.start(id)
    return existsSync(start) ? copyFile(start, file) : populate(file, id)
  }

  remove(id: number): Promise<void> {
    return this.inOrder(id, async (slot) => {
      await this.#open.whenOpened(slot)
      await this.#files.removeStored(id)
      this.#slots.delete(id)
      this.#open.remove(slot)
      this.#files.removeSaved(id)
    })
  }

  async replaceState(
    slot: Slot,
    change: StateChange,
    write: WriteState,
    generation = createGeneration(change.change === 'reset' || change.change === 'load'),
  ): Promise<void> {
    const { id, revision } = slot
    if (change.keepsJournal) generation.causes = slot.generation.causes
    const file = this.#files.state({ id, revision: revision + 1 })
    try {
      await this.#files.writeState({ id, revision: revision + 1 }, write)
      await this.#open.replaceState(slot, change, generation)
      this.#files.stateReplaced(id, true)
    } catch (error) {
      this.#files.stateReplaced(id, false)
      // The next start would open it, without what is written to the present state until then.
      if (slot.revision === revision) removeDatabase(file)
      throw error
    }
  }

  /** Bytes of the state that is to replace the present one which are written; 0 without such a state. */
  writtenBytes(id: number): number {
    const slot = this.#slots.get(id)
    return slot ? this.#files.writtenBytes(this.#files.state({ id, revision: slot.revision + 1 })) : 0
  }

  /** Copies all commits of a world. */
  async copyState(slot: Slot, file: string): Promise<void> {
    const world = (await this.#open.acquire(slot))!
    try {
      await world.copyTo(file)
    } finally {
      this.#open.release(world)
    }
  }

  /** Writes the start file if the world is to have one. Returns what writes its state. */
  async #writeStart(id: number, populate: Populate, hasStart: boolean): Promise<WriteState> {
    if (!hasStart) return (file) => populate(file, id)
    const start = this.#files.start(id)
    await this.#files.writeStart(id, (file) => populate(file, id))
    return (file) => copyFile(start, file)
  }
}
