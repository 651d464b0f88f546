import { type ClockSetting, realNow, settingAt } from '../clock.ts'
import { Semaphore } from '../semaphore.ts'
import { setImmediate } from '../timers.ts'
import {
  createGeneration,
  type Generation,
  readStoredClock,
  type StateChange,
  Unavailable,
  type World,
} from '../world.ts'
import { removeDatabase, type StateKey, type WorldFiles } from './files.ts'

/** Worlds that stay open while nothing uses them. */
export const MAX_OPEN_WORLDS = 32

/** A world of the folder, open or not. */
export interface Slot extends StateKey {
  generation: Generation
  world: World | undefined
  opening: Promise<void> | undefined
  /** Runs the changes of this world. */
  changes: Semaphore
  isRemoved: boolean
  /** Real time of the last `acquire`, ms; null: not since the start. */
  usedAt: number | null
  /** The clock of a closed world; undefined: not known. */
  clock: ClockSetting | undefined
}

export const createSlot = ({ id, revision }: StateKey): Slot => ({
  id,
  revision,
  generation: createGeneration(),
  world: undefined,
  opening: undefined,
  changes: new Semaphore(),
  isRemoved: false,
  usedAt: null,
  clock: undefined,
})

type OpenFile = (file: string, generation: Generation) => Promise<World>

/** Opens the worlds that are used, counts their users, and closes those that have been idle for longest. */
export class OpenWorlds {
  readonly #files: WorldFiles
  readonly #openFile: OpenFile
  readonly #whenIdle: (file: string, callback: () => void) => void
  /** From the least to the most recently used. */
  readonly #open = new Set<Slot>()
  /** Worlds whose state was replaced or removed but is still in use, with their files. */
  readonly #retired = new Map<World, string>()
  readonly #listeners: ((world: World) => void)[] = []
  #lastUsed: Slot | undefined
  #isEvictionScheduled = false

  /** `whenIdle` calls back when nothing else has the file open, perhaps at once. */
  constructor(files: WorldFiles, openFile: OpenFile, whenIdle: (file: string, callback: () => void) => void) {
    this.#files = files
    this.#openFile = openFile
    this.#whenIdle = whenIdle
  }

  list(): World[] {
    return [...this.#open].map(({ world }) => world!)
  }

  /** Resolves with undefined when the world is removed meanwhile. */
  acquire(slot: Slot): World | Promise<World | undefined> {
    if (!slot.world) return this.#openAndAcquire(slot)
    this.#markUsed(slot)
    slot.usedAt = realNow()
    slot.world.refCount++
    return slot.world
  }

  release(world: World): void {
    world.refCount--
    if (world.refCount > 0) return
    if (world.isRetired) this.#closeRetired(world)
    else this.#scheduleEviction()
  }

  onOpen(listener: (world: World) => void): void {
    this.#listeners.push(listener)
    for (const world of this.list()) listener(world)
  }

  async #openAndAcquire(slot: Slot): Promise<World | undefined> {
    while (!slot.world) {
      if (slot.isRemoved) return undefined
      slot.opening ??= this.#openFile(this.#files.state(slot), slot.generation)
        .then((world) => {
          if (slot.isRemoved) return this.#discard(world, this.#files.state(slot))
          this.#notifyListeners(world)
          slot.world = world
          this.#open.add(slot)
        })
        .finally(() => {
          slot.opening = undefined
        })
      await slot.opening
    }
    return this.acquire(slot)
  }

  #notifyListeners(world: World): void {
    for (const listener of this.#listeners) listener(world)
  }

  /** Resolves when no request is opening the present state; whether that has failed is for those requests to know. */
  async whenOpened(slot: Slot): Promise<void> {
    while (slot.opening) await slot.opening.catch(() => {})
  }

  /** Makes the file of the next revision the world's state. Requests in flight finish on the previous one. */
  async replaceState(slot: Slot, change: StateChange, generation: Generation): Promise<void> {
    const previousFile = this.#files.state(slot)
    const revision = slot.revision + 1
    const world = await this.#openFile(this.#files.state({ id: slot.id, revision }), generation)
    await this.whenOpened(slot)
    if (slot.isRemoved) {
      this.#discard(world, this.#files.state({ id: slot.id, revision }))
      throw new Unavailable(`world ${slot.id} moved meanwhile`)
    }
    // Synchronous from here on: each request gets the previous state or the next one.
    endGeneration(slot, change, world.generation)
    const previous = slot.world
    slot.revision = revision
    slot.generation = world.generation
    slot.world = world
    this.#open.add(slot)
    this.#markUsed(slot)
    // Those that acquire the world get the next state.
    this.#notifyListeners(world)
    this.#retire(previous, previousFile)
  }

  /** Removes the state of a world: it was deleted, or moved. */
  remove(slot: Slot, change: 'deleted' | 'moved' = 'deleted'): void {
    endGeneration(slot, { change, name: null, keepsJournal: false }, undefined)
    const { world } = slot
    slot.isRemoved = true
    slot.world = undefined
    this.#open.delete(slot)
    if (this.#lastUsed === slot) this.#lastUsed = undefined
    this.#retire(world, this.#files.state(slot))
  }

  /** Removes the file of a state once the last user has released its world. */
  #retire(world: World | undefined, file: string): void {
    if (!world) {
      removeDatabase(file)
      return
    }
    world.isRetired = true
    this.#retired.set(world, file)
    if (world.refCount === 0) this.#closeRetired(world)
  }

  #closeRetired(world: World): void {
    const file = this.#retired.get(world)!
    this.#retired.delete(world)
    this.#discard(world, file)
  }

  #discard(world: World, file: string): void {
    world.close()
    // Not every system can remove an open file.
    this.#whenIdle(file, () => removeDatabase(file))
  }

  #markUsed(slot: Slot): void {
    if (this.#lastUsed === slot) return
    this.#lastUsed = slot
    this.#open.delete(slot)
    this.#open.add(slot)
    this.#scheduleEviction()
  }

  /** Evicts after the current answers have been sent, but in a burst at once. */
  #scheduleEviction(): void {
    if (this.#open.size > 2 * MAX_OPEN_WORLDS) this.#evictIdle()
    if (this.#open.size <= MAX_OPEN_WORLDS || this.#isEvictionScheduled) return
    this.#isEvictionScheduled = true
    setImmediate(() => {
      this.#isEvictionScheduled = false
      this.#evictIdle()
    })
  }

  #evictIdle(): void {
    for (const slot of this.#open) {
      if (this.#open.size <= MAX_OPEN_WORLDS) return
      if (slot.world!.refCount === 0 && slot !== this.#lastUsed) this.#closeSlot(slot)
    }
  }

  /** The clock of a world, which is not opened for that. Throws BrokenFile. */
  async clockOf(slot: Slot): Promise<ClockSetting> {
    if (slot.world) return settingOf(slot.world)
    slot.clock ??= await readStoredClock(this.#files.state(slot))
    return slot.clock
  }

  #closeSlot(slot: Slot): void {
    slot.clock = settingOf(slot.world!)
    slot.world!.close()
    slot.world = undefined
    this.#open.delete(slot)
  }

  close(): void {
    for (const slot of [...this.#open]) this.#closeSlot(slot)
    for (const world of this.#retired.keys()) this.#closeRetired(world)
  }
}

const settingOf = ({ clock }: World): ClockSetting => settingAt(clock.mode, clock.now())

function endGeneration({ generation }: Slot, change: StateChange, next: Generation | undefined): void {
  if (next) next.lastWriteAt = generation.lastWriteAt
  for (const onEnd of generation.onEnd) onEnd(change, next)
}
