import { writeFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { migrate } from '../../db/migrate.ts'
import type { World } from '../../db/world.ts'
import { removeDatabase } from '../../db/worlds/files.ts'
import type { OpenFolder } from '../../db/worlds/open_folder.ts'
import { createSlot, type Slot } from '../../db/worlds/open_worlds.ts'
import { NotOwned, type Ownership } from './ownership.ts'

/** As the database stores numbers of worlds. */
const MAX_NUMBER = 2 ** 31 - 1
/** Ms for which the owner of a world is not looked up again: a lookup takes longer than sending a request on. */
const OWNER_VALIDITY_MS = 1000

/** Worlds that this node has claimed. Their files are in the folder. */
export class ClaimedWorlds {
  readonly #ownership: Ownership
  readonly #opened: OpenFolder
  /** Worlds of other nodes. */
  readonly #elsewhere = new Map<number, { error: NotOwned; until: number }>()
  readonly #pending = new Map<number, Promise<Slot | undefined>>()
  /** Worlds whose snapshots are in the folder, too. */
  readonly #withSnapshots = new WeakMap<Slot, Promise<void>>()
  /** Each claim gets files of its own: those of an earlier one may still be open. */
  #revision = 0

  constructor(ownership: Ownership, opened: OpenFolder) {
    this.#ownership = ownership
    this.#opened = opened
  }

  /** Whether this node has a world now. */
  has(id: number): boolean {
    return this.#opened.slots.has(id) && this.#ownership.owns(id)
  }

  /** The world if it is open and can be used now. */
  open(id: number): World | undefined {
    const slot = this.#opened.slots.get(id)
    if (!slot?.world || slot.world.isBroken()) return undefined
    return this.#opened.open.acquire(slot) as World
  }

  /** Acquires a world, which is claimed for that. Undefined if there is no such world. Rejects with NotOwned. */
  acquire(id: number): Promise<World | undefined> {
    const known = this.#opened.slots.has(id) ? undefined : this.#ownedElsewhere(id)
    return known ? Promise.reject(known) : this.#acquire(id)
  }

  async #acquire(id: number): Promise<World | undefined> {
    for (;;) {
      const slot = await this.claim(id)
      if (!slot) return undefined
      const world = await this.#opened.open.acquire(slot)
      if (world && !world.isBroken()) return world
      // It was lost, or dropped meanwhile.
      if (world) this.#opened.open.release(world)
      this.drop(slot)
    }
  }

  /** Has a world in the folder. Undefined if there is no such world. Rejects with NotOwned. */
  async claim(id: number): Promise<Slot | undefined> {
    if (!(id >= 1 && id <= MAX_NUMBER)) return undefined
    if (!this.#ownership.isLeased()) throw new NotOwned(id, null, 'this server has lost its lease')
    const slot = this.#opened.slots.get(id)
    if (slot && this.#ownership.owns(id) && !slot.world?.isBroken()) return slot
    if (slot) this.drop(slot)
    const known = this.#ownedElsewhere(id)
    if (known) throw known
    const pending = this.#pending.get(id) ?? this.#load(id).finally(() => this.#pending.delete(id))
    this.#pending.set(id, pending)
    return pending
  }

  /** The error of a world that another node had when it was last looked up, which is valid for a short time. */
  #ownedElsewhere(id: number): NotOwned | undefined {
    const known = this.#elsewhere.get(id)
    return known && performance.now() < known.until ? known.error : undefined
  }

  async #load(id: number): Promise<Slot | undefined> {
    const { files, slots, records } = this.#opened
    const slot = createSlot({ id, revision: ++this.#revision })
    const file = files.state(slot)
    try {
      const claim = await this.#ownership.claim(slot, file)
      if (!claim) return undefined
      // The log of an older version does not fit the migrated file.
      if (migrate(file)) await this.#ownership.storeState(slot, file)
      if (await this.#ownership.hasStart(id)) {
        await this.#ownership.loadStart(id, files.start(id))
        migrate(files.start(id))
      }
      records.load(id, claim.record)
    } catch (error) {
      this.#ownership.drop(id)
      removeDatabase(file)
      if (error instanceof NotOwned && error.url !== null)
        this.#elsewhere.set(id, { error, until: performance.now() + OWNER_VALIDITY_MS })
      throw error
    }
    slots.set(id, slot)
    return slot
  }

  /** Has the next call for a world look up its owner. */
  forgetOwner(id: number): void {
    this.#elsewhere.delete(id)
  }

  /** Forgets the owners of worlds that were removed. */
  forgetRemoved(exists: (id: number) => boolean): void {
    for (const id of this.#elsewhere.keys()) if (!exists(id)) this.#elsewhere.delete(id)
  }

  /** Has the snapshots of a world in the folder. */
  loadSnapshots(slot: Slot): Promise<void> {
    const loaded = this.#withSnapshots.get(slot) ?? this.#loadSnapshots(slot.id)
    this.#withSnapshots.set(slot, loaded)
    loaded.catch(() => this.#withSnapshots.delete(slot))
    return loaded
  }

  async #loadSnapshots(id: number): Promise<void> {
    const { files } = this.#opened
    for (const { name, details } of await this.#ownership.snapshots(id)) {
      const file = files.snapshot(id, name)
      await this.#ownership.loadSnapshot(id, name, file)
      migrate(file)
      writeFileSync(files.snapshotDescription(id, name), details!)
    }
  }

  /** Forgets a world that another node has by now, or may have: requests in flight fail, later ones claim it. */
  drop(slot: Slot): void {
    const { files, slots, open, automaticSnapshots, records } = this.#opened
    const { id } = slot
    if (slots.get(id) !== slot) return
    this.#ownership.drop(id)
    slots.delete(id)
    open.remove(slot, 'moved')
    files.removeSaved(id)
    automaticSnapshots.discardAll(id)
    records.delete(id)
  }

  /** Lets any node have a world that nothing uses yet. */
  async giveUp(id: number): Promise<void> {
    const { slots } = this.#opened
    const released = this.#ownership.giveUp(id)
    this.drop(slots.get(id)!)
    await released
  }

  dropAll(): void {
    for (const slot of [...this.#opened.slots.values()]) this.drop(slot)
  }
}
