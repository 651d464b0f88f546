import type { ClockSetting, ReadTime } from './clock.ts'
import type { EventSubscriber, Q } from './engine.ts'
import type { Folder } from './folders.ts'
import { noLog } from './sqlite/commit_log.ts'
import { localLog } from './sqlite/local_log.ts'
import { storedClock, Unavailable, type World } from './world.ts'
import type { AutomaticSnapshots } from './worlds/automatic_snapshots.ts'
import type { Populate } from './worlds/changes.ts'
import { type Copies, saveWorld } from './worlds/copies.ts'
import { readLastNumber, WorldFiles, writeLastNumber } from './worlds/files.ts'
import { type OpenFolder, openFolder, type StorageOptions } from './worlds/open_folder.ts'
import type { RecordChange, WorldOrigin } from './worlds/records.ts'
import { createSnapshots, type Snapshots } from './worlds/snapshots.ts'

export type { AutomaticSnapshot } from './worlds/automatic_snapshots.ts'
export { NoSuchWorld, type Populate } from './worlds/changes.ts'
export type { StorageOptions } from './worlds/open_folder.ts'
export { MAX_OPEN_WORLDS } from './worlds/open_worlds.ts'
export type { WorldOrigin } from './worlds/records.ts'

/**
 * The worlds of a folder, by number. Each is a database file; the most recently used ones are open. A world that is
 * acquired stays open and keeps its state until it is released, even when its state is replaced or it is removed.
 */
export interface Worlds extends Snapshots {
  /** Whether the worlds end with the process, are in a folder, or in a database that several servers share. */
  mode: 'temporary' | 'kept' | 'shared'
  /** Path of the folder. */
  folder: string
  /** The numbers of all worlds, ascending. */
  ids(): number[]
  has(id: number): boolean
  /** The worlds that are open now. Callers that await must acquire them. */
  listOpen(): World[]
  /**
   * Acquires a world, synchronously if it is open; each call needs one `release`. Undefined when there is no such
   * world. Throws BrokenFile.
   */
  acquire(id: number): World | Promise<World | undefined> | undefined
  /** Acquires a world that is open and can be used now. */
  acquireOpen(id: number): World | undefined
  /** Acquires once more a world that the caller has acquired. */
  retain(world: World): void
  release(world: World): void
  /** Creates a world; with `start` also its start file, for `reset`. Resolves with its number. */
  create(populate: Populate, options?: CreateOptions): Promise<number>
  /** What is known about some worlds besides their data. */
  describe(ids: readonly number[]): WorldDescription[]
  /** Changes the name of a world, or when it expires. */
  change(id: number, change: RecordChange): Promise<void>
  /** The clock of a world, which is not opened for that. Rejects with NoSuchWorld, BrokenFile. */
  clockOf(id: number): Promise<ClockSetting>
  /** Replaces a world's state, and with `start` its start file. Requests in flight finish on the previous state. */
  replace(id: number, populate: Populate, options?: { start: boolean }): Promise<void>
  /** Replaces a world's state with its start file, or with what `populate` writes if it has none. */
  reset(id: number, populate: Populate, keepsJournal?: boolean): Promise<void>
  /** Removes a world, its start file and its snapshots. */
  remove(id: number): Promise<void>
  /** Temporary copies of states before calls. */
  automaticSnapshots: AutomaticSnapshots
  /** Temporary copies on which calls can be tried; `acquire` takes their numbers, too. */
  copies: Copies
  /** Copies a world's current state to `file`, which must not exist. */
  copy(id: number, file: string): Promise<void>
  /** Copies all worlds, start files and snapshots to an existing folder, which then is a data folder. */
  saveTo(folder: string): Promise<void>
  /** An unused path in the folder for a temp file, which the caller removes. */
  tempFilePath(): string
  /** Calls `listener` with each world that is open or will be opened. */
  onOpen(listener: (world: World) => void): void
  close(): void | Promise<void>
  /** Reads which worlds there are, for `ids`, `has` and `describe`; absent where that is always known. */
  refresh?(): Promise<void>
  /** Reads the present state of a world, also of one that cannot be used here. Rejects with NoSuchWorld. */
  read<T>(id: number, read: (q: Q) => Promise<T>): Promise<T>
  /** Why the worlds cannot be served; undefined: they can. Rejects with BrokenFile. */
  unready(): Promise<Unready | undefined>
}

/** A code for programs, and a sentence. */
export interface Unready {
  code: string
  message: string
}

export type OpenWorlds = typeof openWorlds

interface CreateOptions {
  start?: boolean
  origin?: WorldOrigin | undefined
}

/** Times are real, ms; null where nothing is known. */
export interface WorldDescription {
  id: number
  createdAt: number | null
  createdBy: string | null
  expiresAt: number | null
  /** The last call since the server started. */
  usedAt: number | null
  /** Of all its files. */
  bytes: number
  name: string | null
}

/** The world of a request that names none. */
export const DEFAULT_WORLD = 1

export interface WorldsOptions {
  /** Whether the default world gets a start file when it is created. */
  start: boolean
  /** Called in the unit of every event that is published. */
  subscribers?: readonly EventSubscriber[]
  /** Opens the commit logs of kept worlds; for measurements and tests. */
  storage?: StorageOptions | undefined
  /** Bytes of all automatic snapshots, at most (tests). */
  maxSnapshotBytes?: number | undefined
  /** How clocks read the time of this machine (recordings). */
  readTime?: ReadTime | undefined
  /** Called with what fails in the background. */
  onError?: ((error: Error) => void) | undefined
  /** Called with messages for the operator. */
  onNotice?: ((text: string) => void) | undefined
}

const DURABLE: StorageOptions = { openLog: localLog, hasCheckpointer: true }
const TEMPORARY: StorageOptions = { openLog: noLog, hasCheckpointer: false }

/** Opens the worlds of a folder; creates the default world with `populate` if it is missing. */
export async function openWorlds(
  folder: Folder,
  mode: 'temporary' | 'kept',
  populate: Populate,
  { start, storage = mode === 'kept' ? DURABLE : TEMPORARY, ...options }: WorldsOptions,
): Promise<Worlds> {
  const isDurable = mode === 'kept'
  const opened = openFolder(new WorldFiles(folder.path, isDurable), { ...options, ...storage })
  const { slots, changes, records, remove } = opened
  let lastId = Math.max(readLastNumber(folder.path), DEFAULT_WORLD, ...slots.keys())
  if (!slots.has(DEFAULT_WORLD)) {
    if (isDurable) writeLastNumber(folder.path, lastId)
    await changes.create(DEFAULT_WORLD, populate, start)
  }
  for (const id of records.expired()) await remove(id)
  // What cannot be removed now is removed by the next start.
  records.watch((id) => void remove(id).catch(() => {}))

  const worlds: Worlds = {
    ...createWorlds(opened),
    mode,
    folder: folder.path,
    async create(populate, options) {
      const id = ++lastId
      if (isDurable) writeLastNumber(folder.path, id)
      await createWorld(opened, id, populate, options)
      return id
    },
    async saveTo(to) {
      for (const id of idsOf(opened)) await saveWorld(id, to, opened)
      // Last, so that it is not lower than any of them.
      writeLastNumber(to, lastId)
    },
    close() {
      opened.close()
      folder.release()
    },
  }
  // A damaged default world fails here, before anything else starts.
  worlds.release((await worlds.acquire(DEFAULT_WORLD))!)
  return worlds
}

const idsOf = ({ slots }: OpenFolder): number[] => [...slots.keys()].sort((a, b) => a - b)

/** Creates a world with an unused number. */
export async function createWorld(
  { records, changes }: OpenFolder,
  id: number,
  populate: Populate,
  { start = false, origin }: CreateOptions = {},
): Promise<void> {
  await records.add(id, origin, () => changes.create(id, populate, start))
}

/** Calls for worlds that are in the folder. */
export function createWorlds(opened: OpenFolder): Omit<Worlds, 'mode' | 'folder' | 'create' | 'saveTo' | 'close'> {
  const { files, slots, open, changes, automaticSnapshots, copies, records, remove } = opened
  return {
    ...createSnapshots(changes, files, automaticSnapshots),
    automaticSnapshots,
    copies,
    ids: () => idsOf(opened),
    has: (id) => slots.has(id),
    listOpen: () => open.list(),
    acquire(id) {
      const slot = slots.get(id)
      return slot ? open.acquire(slot) : copies.acquire(id)
    },
    acquireOpen(id) {
      const slot = slots.get(id)
      return slot?.world && (open.acquire(slot) as World)
    },
    retain: (world) => void world.refCount++,
    release: (world) => open.release(world),
    describe: (ids) => describeWorlds(ids, opened),
    change: (id, change) => changes.inOrder(id, () => records.change(id, change)),
    clockOf: async (id) => open.clockOf(changes.slotOf(id)),
    replace: (id, populate, options) => changes.replace(id, populate, options?.start ?? false),
    reset: (id, populate, keepsJournal = false) => changes.reset(id, populate, keepsJournal),
    remove,
    copy: (id, file) => changes.inOrder(id, (slot) => changes.copyState(slot, file)),
    tempFilePath: () => files.temp(),
    onOpen: (listener) => open.onOpen(listener),
    async read(id, read) {
      const world = (await open.acquire(changes.slotOf(id)))!
      return read(world.read).finally(() => open.release(world))
    },
    async unready() {
      const broken = open.list().flatMap(({ id, isBroken }) => (isBroken() ? [id] : []))
      if (broken.length > 0) return { code: 'disk_failed', message: diskFailed(broken) }
      const world = (await open.acquire(changes.slotOf(DEFAULT_WORLD)))!
      await storedClock(world).finally(() => open.release(world))
    },
  }
}

const diskFailed = (ids: number[]): string =>
  `The disk failed: writes get 500 in ${ids.length === 1 ? 'world' : 'worlds'} ${ids.sort((a, b) => a - b).join(', ')} until the server is started again. Reads are answered.`

/** Acquires a world that exists; undefined while it cannot be used here. */
export async function acquireHere(worlds: Worlds, id: number): Promise<World | undefined> {
  try {
    return await worlds.acquire(id)
  } catch (error) {
    if (error instanceof Unavailable) return undefined
    throw error
  }
}

function describeWorlds(ids: readonly number[], { files, records, slots }: OpenFolder): WorldDescription[] {
  const sizes = files.sizes(ids)
  return ids.map((id) => {
    const { createdAt = null, createdBy = null, expiresAt = null, name = null } = records.get(id) ?? {}
    const usedAt = slots.get(id)?.usedAt ?? null
    return { id, createdAt, createdBy, expiresAt, usedAt, bytes: sizes.get(id)!, name }
  })
}
