import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { copyFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { EventSubscriber } from './engine.ts'
import { type Folder, renameAtomically } from './folders.ts'
import { migrate } from './migrate.ts'
import { openCheckpointer } from './sqlite/checkpointer.ts'
import { noLog } from './sqlite/commit_log.ts'
import { localLog } from './sqlite/local_log.ts'
import { createGeneration, type Generation, openWorld, type World } from './world.ts'

/** Lays a world's data out in `file`, which is not there yet; closed again when it answers. */
export type Populate = (file: string, id: number) => Promise<unknown>

/**
 * The worlds of a folder, by number. Each is a file of its own; those used last are open. Who works with a world holds
 * it meanwhile: it neither closes nor changes under its hands, even when another state takes its place.
 */
export interface Worlds {
  mode: 'temporary' | 'kept'
  folder: string
  /** Numbers of all worlds, ascending. */
  ids(): number[]
  has(id: number): boolean
  /** Those that are open just now. Hold what is used after a wait. */
  listOpen(): World[]
  /** Takes hold of a world; at once where it is open. Undefined when there is none. Each hold is let go once. */
  acquire(id: number): World | Promise<World | undefined> | undefined
  /** Takes hold of a world that is held already, for what goes on after. */
  retain(world: World): void
  release(world: World): void
  /** Makes a world; `start` keeps a copy of it as its starting point. */
  create(populate: Populate, options?: { start: boolean }): Promise<number>
  /** Puts another state in a world's place: requests that run finish on the old one. Throws NoSuchWorld. */
  replace(id: number, populate: Populate, options?: { start: boolean }): Promise<void>
  /**
   * Puts its kept starting point in a world's place; `layOut` makes it for a world that has no copy. Throws
   * NoSuchWorld.
   */
  reset(id: number, populate: Populate): Promise<void>
  /** Ends a world and all that is kept of it. Throws NoSuchWorld. */
  remove(id: number): Promise<void>
  /** Writes a world's present state to `file`. Throws NoSuchWorld. */
  copy(id: number, file: string): Promise<void>
  /** Writes all worlds with all that is kept of them to a folder that is there, as the files of a data folder. */
  saveTo(folder: string): Promise<void>
  /** Names of its snapshots, in order. Throws NoSuchWorld. */
  snapshots(id: number): Promise<string[]>
  /** Keeps its present state under a name; one of that name is replaced. Throws NoSuchWorld. */
  snapshot(id: number, name: string): Promise<void>
  /** Puts a snapshot in its place; false when it has none of that name. Throws NoSuchWorld. */
  restore(id: number, name: string): Promise<boolean>
  /** False when it has none of that name. Throws NoSuchWorld. */
  deleteSnapshot(id: number, name: string): Promise<boolean>
  /** A new name in the folder for a file that is needed for a moment; whoever asked removes it. */
  tempFilePath(): string
  /** Called with every world that is opened from now on, and with those that are open already. */
  onOpen(listener: (world: World) => void): void
  close(): void
}

export class NoSuchWorld extends Error {}

/** The world of a request that names none. */
export const DEFAULT_WORLD = 1
/** Worlds that stay open although nobody uses them just now. */
const MAX_OPEN_WORLDS = 32

interface Slot {
  id: number
  /** Counts the states that have had this place: each is another file. */
  revision: number
  generation: Generation
  world: World | undefined
  opening: Promise<void> | undefined
  /** What changes its place is done one after the other. */
  lastChange: Promise<unknown>
}

/**
 * Opens the worlds of a folder; the default world is laid out when it is not there yet, and kept as it begins with
 * `start`.
 */
export async function openWorlds(
  folder: Folder,
  mode: Worlds['mode'],
  populate: Populate,
  { subscribers, ...options }: { start: boolean; subscribers?: readonly EventSubscriber[] },
): Promise<Worlds> {
  const durable = mode === 'kept'
  const checkpointer = durable ? openCheckpointer() : undefined
  const pathOf = (name: string) => join(folder.path, name)
  const slots = new Map(scanFolder(folder.path).map((slot) => [slot.id, slot]))
  // Insertion order: the one used last stands last.
  const open = new Set<Slot>()
  let lastUsed: Slot | undefined
  let tempFileCount = 0
  let nextId = Math.max(readLastNumber(folder.path), DEFAULT_WORLD - 1, ...slots.keys()) + 1

  const fileOf = ({ id, revision }: Slot) =>
    pathOf(revision === 0 ? `world-${id}.sqlite` : `world-${id}.${revision}.sqlite`)
  const startOf = (id: number) => pathOf(`world-${id}.start.sqlite`)
  const snapshotOf = (id: number, name: string) => pathOf(`world-${id}.snapshot.${name}.sqlite`)

  /** Makes a file appear under its name, whole or not at all. */
  async function writeFileAtomically(file: string, write: (tempFile: string) => Promise<unknown>): Promise<void> {
    const draft = `${file}.new`
    try {
      await write(draft)
    } catch (error) {
      removeDatabase(draft)
      throw error
    }
    renameAtomically(draft, file, folder.path, durable)
  }

  const openListeners: ((world: World) => void)[] = []
  async function openFile(file: string, generation: Generation): Promise<World> {
    const world = await openWorld(file, { openLog: durable ? localLog : noLog, checkpointer, subscribers, generation })
    for (const listener of openListeners) listener(world)
    return world
  }

  function markUsed(slot: Slot): void {
    if (lastUsed === slot) return
    lastUsed = slot
    open.delete(slot)
    open.add(slot)
    scheduleEviction()
  }

  /** Closes what is too many, after the answer that they are in the way of; in a burst at once. */
  function scheduleEviction(): void {
    if (open.size > 2 * MAX_OPEN_WORLDS) evictIdle()
    if (open.size <= MAX_OPEN_WORLDS || isEvictionScheduled) return
    isEvictionScheduled = true
    setImmediate(() => {
      isEvictionScheduled = false
      evictIdle()
    })
  }
  let isEvictionScheduled = false

  function evictIdle(): void {
    for (const slot of open) {
      if (open.size <= MAX_OPEN_WORLDS) return
      if (slot.world!.refCount === 0 && slot !== lastUsed) closeSlot(slot)
    }
  }

  function closeSlot(slot: Slot): void {
    slot.world!.close()
    slot.world = undefined
    open.delete(slot)
  }

  function acquireOpen(slot: Slot): World {
    markUsed(slot)
    const world = slot.world!
    world.refCount++
    return world
  }

  /** Undefined when it is deleted meanwhile. */
  async function openAndAcquire(slot: Slot): Promise<World | undefined> {
    while (!slot.world) {
      if (slots.get(slot.id) !== slot) return undefined
      slot.opening ??= openFile(fileOf(slot), slot.generation)
        .then((world) => {
          slot.world = world
          open.add(slot)
        })
        .finally(() => {
          slot.opening = undefined
        })
      await slot.opening
    }
    return acquireOpen(slot)
  }

  /** What hangs on the state that goes is let go. */
  function endGeneration({ generation }: Slot): void {
    for (const onEnd of generation.onEnd) onEnd()
  }

  /** Nobody gets this state any more; its files go when its last user has let go. */
  function retire(world: World, file: string): void {
    world.isRetired = true
    retiredFiles.set(world, file)
    if (world.refCount === 0) closeRetired(world)
  }
  function closeRetired(world: World): void {
    const file = retiredFiles.get(world)!
    world.close()
    retiredFiles.delete(world)
    // Not every system removes a file that is open.
    if (checkpointer) checkpointer.whenIdle(file, () => removeDatabase(file))
    else removeDatabase(file)
  }
  const retiredFiles = new Map<World, string>()

  function slotOf(id: number): Slot {
    const slot = slots.get(id)
    if (!slot) throw new NoSuchWorld(`there is no world ${id}`)
    return slot
  }

  /** One after the other for each world; it may be gone when its turn comes. */
  async function runInOrder<T>(id: number, work: (slot: Slot) => Promise<T>): Promise<T> {
    const change = slotOf(id).lastChange.then(() => work(slotOf(id)))
    slotOf(id).lastChange = change.catch(() => {})
    return change
  }

  async function swapState(slot: Slot, write: (draft: string) => Promise<unknown>): Promise<void> {
    const oldFile = fileOf(slot)
    const newFile = fileOf({ ...slot, revision: slot.revision + 1 })
    await writeFileAtomically(newFile, write)
    const world = await openFile(newFile, createGeneration())
    await slot.opening
    // From here to the end in one turn: whoever asks now gets the old state or the new one.
    const old = slot.world
    slot.revision++
    endGeneration(slot)
    slot.generation = world.generation
    slot.world = world
    open.add(slot)
    markUsed(slot)
    if (old) retire(old, oldFile)
    else removeDatabase(oldFile)
  }

  async function copyState(slot: Slot, file: string): Promise<void> {
    const world = (await openAndAcquire(slot))!
    try {
      await world.copyTo(file)
    } finally {
      worlds.release(world)
    }
  }

  /** Files of what is kept of a world besides its present state. */
  const relatedFiles = (id: number) =>
    readdirSync(folder.path).filter(
      (name) => name.startsWith(`world-${id}.`) && /\.(start|snapshot\..+)\.sqlite$/.test(name),
    )

  const worlds: Worlds = {
    mode,
    folder: folder.path,
    ids: () => [...slots.keys()].sort((a, b) => a - b),
    has: (id) => slots.has(id),
    listOpen: () => [...open].map(({ world }) => world!),
    acquire(id) {
      const slot = slots.get(id)
      if (!slot) return undefined
      return slot.world ? acquireOpen(slot) : openAndAcquire(slot)
    },
    retain(world) {
      world.refCount++
    },
    release(world) {
      world.refCount--
      if (world.refCount > 0) return
      if (world.isRetired) closeRetired(world)
      else scheduleEviction()
    },
    async create(populate, options) {
      const id = nextId++
      if (durable) writeLastNumber(folder.path, id)
      const slot: Slot = {
        id,
        revision: 0,
        generation: createGeneration(),
        world: undefined,
        opening: undefined,
        lastChange: Promise.resolve(),
      }
      // The copy first: a world that is there has its starting point.
      if (options?.start) {
        await writeFileAtomically(startOf(id), (draft) => populate(draft, id))
        await writeFileAtomically(fileOf(slot), (draft) => copyFile(startOf(id), draft))
      } else await writeFileAtomically(fileOf(slot), (tempFile) => populate(tempFile, id))
      slots.set(id, slot)
      return id
    },
    replace: (id, populate, options) =>
      runInOrder(id, async (slot) => {
        if (options?.start) {
          await writeFileAtomically(startOf(id), (draft) => populate(draft, id))
          await swapState(slot, (draft) => copyFile(startOf(id), draft))
        } else await swapState(slot, (draft) => populate(draft, id))
      }),
    reset: (id, populate) =>
      runInOrder(id, (slot) =>
        swapState(slot, (draft) => (existsSync(startOf(id)) ? copyFile(startOf(id), draft) : populate(draft, id))),
      ),
    remove: (id) =>
      runInOrder(id, async (slot) => {
        await slot.opening
        slots.delete(id)
        open.delete(slot)
        if (lastUsed === slot) lastUsed = undefined
        endGeneration(slot)
        if (slot.world) retire(slot.world, fileOf(slot))
        else removeDatabase(fileOf(slot))
        for (const name of relatedFiles(id)) removeDatabase(pathOf(name))
      }),
    copy: (id, file) => runInOrder(id, (slot) => copyState(slot, file)),
    async saveTo(to) {
      for (const id of worlds.ids())
        await runInOrder(id, async (slot) => {
          await copyState(slot, join(to, basename(fileOf({ ...slot, revision: 0 }))))
          for (const name of relatedFiles(id)) await copyFile(pathOf(name), join(to, name))
        }).catch((error) => {
          // It was deleted meanwhile.
          if (!(error instanceof NoSuchWorld)) throw error
          for (const name of readdirSync(to)) if (name.startsWith(`world-${id}.`)) removeDatabase(join(to, name))
        })
      // After the worlds: it counts them all.
      await writeFile(join(to, LAST_NUMBER_FILE), String(nextId - 1))
    },
    async snapshots(id) {
      slotOf(id)
      return readdirSync(folder.path)
        .flatMap((name) => (SNAPSHOT_FILE.exec(name)?.[1] === String(id) ? [SNAPSHOT_FILE.exec(name)![2]!] : []))
        .sort()
    },
    snapshot: (id, name) =>
      runInOrder(id, (slot) => writeFileAtomically(snapshotOf(id, name), (draft) => copyState(slot, draft))),
    restore: (id, name) =>
      runInOrder(id, async (slot) => {
        if (!existsSync(snapshotOf(id, name))) return false
        await swapState(slot, (draft) => copyFile(snapshotOf(id, name), draft))
        return true
      }),
    deleteSnapshot: (id, name) =>
      runInOrder(id, async () => {
        if (!existsSync(snapshotOf(id, name))) return false
        removeDatabase(snapshotOf(id, name))
        return true
      }),
    tempFilePath: () => pathOf(`${TEMP_PREFIX}${++tempFileCount}`),
    onOpen(listener) {
      openListeners.push(listener)
      for (const { world } of open) listener(world!)
    },
    close() {
      for (const slot of [...open]) closeSlot(slot)
      for (const world of retiredFiles.keys()) closeRetired(world)
      checkpointer?.close()
      folder.release()
    },
  }
  if (!slots.has(DEFAULT_WORLD)) {
    nextId = DEFAULT_WORLD
    await worlds.create(populate, options)
  }
  return worlds
}

const WORLD_FILE = /^world-(\d+)(?:\.(\d+))?\.sqlite$/
const TEMP_PREFIX = 'passing-'
const SNAPSHOT_FILE = /^world-(\d+)\.snapshot\.(.+)\.sqlite$/

/**
 * The worlds that stand in a folder, each brought to this version's tables; what an interrupted change left is swept.
 */
function scanFolder(folder: string): Slot[] {
  const slots = new Map<number, Slot>()
  for (const name of readdirSync(folder)) {
    const [, id, revision = '0'] = WORLD_FILE.exec(name) ?? []
    if (id === undefined) continue
    const existing = slots.get(Number(id))
    if (existing && existing.revision > Number(revision)) continue
    slots.set(Number(id), {
      id: Number(id),
      revision: Number(revision),
      generation: createGeneration(),
      world: undefined,
      opening: undefined,
      lastChange: Promise.resolve(),
    })
  }
  for (const name of readdirSync(folder)) {
    const [, id, revision = '0'] = WORLD_FILE.exec(name) ?? []
    const owner = /^world-(\d+)\./.exec(name)?.[1]
    const isOutdated = id !== undefined && slots.get(Number(id))!.revision !== Number(revision)
    const isOrphan = owner !== undefined && !slots.has(Number(owner))
    if (isOutdated || isOrphan || /\.new(-wal|-shm|-journal)?$/.test(name) || name.startsWith(TEMP_PREFIX))
      removeDatabase(join(folder, name))
  }
  for (const name of readdirSync(folder)) if (/^world-\d+\..*sqlite$/.test(name)) migrate(join(folder, name))
  return [...slots.values()]
}

/** Removes a database file and what SQLite keeps beside it. */
function removeDatabase(file: string): void {
  for (const suffix of ['-wal', '-shm', '-journal', '']) rmSync(file + suffix, { force: true })
}

// Numbers are never given twice, not even that of the last world that was deleted.
const LAST_NUMBER_FILE = 'last-world'

function readLastNumber(folder: string): number {
  try {
    return Number(readFileSync(join(folder, LAST_NUMBER_FILE), 'utf8')) || 0
  } catch {
    return 0
  }
}

function writeLastNumber(folder: string, id: number): void {
  const tempFile = join(folder, `${LAST_NUMBER_FILE}.new`)
  writeFileSync(tempFile, String(id), { flush: true })
  renameAtomically(tempFile, join(folder, LAST_NUMBER_FILE), folder, true)
}
