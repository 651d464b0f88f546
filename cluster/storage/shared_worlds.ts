import { performance } from 'node:perf_hooks'
import type { Folder } from '../../db/folders.ts'
import { migrate } from '../../db/migrate.ts'
import { readDatabase } from '../../db/sqlite/draft.ts'
import { clearTimeout, setTimeout } from '../../db/timers.ts'
import { clockSetting, readWorldRow, storedClock } from '../../db/world.ts'
import { removeDatabase, WorldFiles } from '../../db/worlds/files.ts'
import { type FolderOptions, type OpenFolder, openFolder } from '../../db/worlds/open_folder.ts'
import {
  createWorld,
  createWorlds,
  DEFAULT_WORLD,
  NoSuchWorld,
  type Populate,
  type Unready,
  type Worlds,
  type WorldsOptions,
} from '../../db/worlds.ts'
import { saveWorldsTo } from './backup.ts'
import { ClaimedWorlds } from './claimed_worlds.ts'
import { untilAnswered } from './database.ts'
import type { Directory } from './directory.ts'
import { createPageCache } from './log_entry.ts'
import { NotOwned, Ownership, writeImage } from './ownership.ts'
import { openPostgres, type PostgresOptions } from './postgres.ts'
import { WorldList } from './world_list.ts'

/** Bytes of pages of open worlds: a changed page that is not among them is stored whole. */
const MAX_PAGE_CACHE_BYTES = 64 * 1024 * 1024
/** Ms between two looks for worlds that no server has. */
const ADOPTION_INTERVAL_MS = 1000
/** Ms in which a start repeats what a busy database has not answered within a lease. */
const START_TIMEOUT_MS = 10_000

interface SharedWorldsOptions
  extends Omit<WorldsOptions, 'storage'>,
    Pick<PostgresOptions, 'databaseUrl' | 'leaseMs' | 'url' | 'format'> {
  onError: (error: Error) => void
}

/** The worlds, and what requests and metrics need to know of them. */
export interface SharedWorlds {
  worlds: Worlds
  /** All servers that share the worlds have it. */
  key: Buffer
  /** Identifies this server. */
  node(): string
  /** Has the next call for a world look up which server has it. */
  forgetOwner(world: number): void
  /** Seconds for which the server may answer for its worlds unless it renews its lease; 0: it may not. */
  leaseSeconds(): number
  /** How many worlds the server has. */
  owned(): number
}

/**
 * Opens the worlds of a database that several servers share; creates the default world with `populate` if it is missing.
 * Those that this server has claimed are in the folder. Calls for worlds of other servers reject with NotOwned.
 */
export async function openSharedWorlds(
  folder: Folder,
  populate: Populate,
  { start, databaseUrl, leaseMs, url, format, onError, ...options }: SharedWorldsOptions,
): Promise<SharedWorlds> {
  let dropAll = () => {}
  const directory = await openPostgres({ databaseUrl, leaseMs, url, format, onError, onLost: () => dropAll() })
  const key = await atStart(() => directory.key())
  const ownership = new Ownership(directory, createPageCache(MAX_PAGE_CACHE_BYTES), onError)
  const opened = openCopies(folder, ownership, { ...options, onError })
  const claimed = new ClaimedWorlds(ownership, opened)
  dropAll = () => claimed.dropAll()
  const list = new WorldList(directory)
  const local = createWorlds(opened)
  // What cannot be removed now is removed by the next owner.
  opened.records.watch((id) => void opened.remove(id).catch(() => {}))

  const claiming = claimingCalls(local, claimed)
  const { copyStored, read } = storedReads(directory, opened.files)
  const adoption = createAdoption(() => adoptOne(list, claimed, local), onError)
  const worlds: Worlds = {
    ...local,
    ...claiming,
    mode: 'shared',
    folder: folder.path,
    ids: () => list.ids(),
    has: (id) => list.has(id),
    describe: (ids) => list.describe(ids, local.describe),
    clockOf: async (id) =>
      claimed.has(id) ? local.clockOf(id) : read(id, async (q) => clockSetting(await readWorldRow(q))),
    async copy(id, file) {
      if (claimed.has(id)) return local.copy(id, file)
      await copyStored(id, file)
      migrate(file)
    },
    async create(populate, createOptions) {
      const id = await directory.nextWorld()
      await createWorld(opened, id, populate, createOptions)
      // The world goes where its first call arrives: the servers share the load.
      if (await directory.hasOthers()) await claimed.giveUp(id)
      await list.refresh()
      return id
    },
    async remove(id) {
      await claiming.remove(id)
      await list.refresh()
    },
    saveTo: (to) => saveWorldsTo(directory, to),
    async refresh() {
      await list.refresh()
      claimed.forgetRemoved((id) => list.has(id))
    },
    read: (id, readRows) => (claimed.has(id) ? local.read(id, readRows) : read(id, readRows)),
    unready: () => findUnready(worlds, ownership),
    async close() {
      adoption.stop()
      opened.close()
      await directory.close().catch(onError)
      folder.release()
    },
  }

  try {
    await atStart(() => openDefaultWorld(claimed, () => opened.changes.create(DEFAULT_WORLD, populate, start)))
    await atStart(() => list.refresh())
  } catch (error) {
    await worlds.close()
    throw error
  }
  adoption.start()
  return {
    worlds,
    key,
    node: () => directory.node,
    forgetOwner: (id) => claimed.forgetOwner(id),
    leaseSeconds: () => ownership.leaseMs() / 1000,
    owned: () => opened.slots.size,
  }
}

async function findUnready(worlds: Worlds, ownership: Ownership): Promise<Unready | undefined> {
  if (ownership.leaseMs() === 0)
    return { code: 'database_unavailable', message: 'The database cannot be reached: calls get 503.' }
  try {
    const world = (await worlds.acquire(DEFAULT_WORLD))!
    await storedClock(world).finally(() => worlds.release(world))
  } catch (error) {
    if (!(error instanceof NotOwned)) throw error
    // Calls are sent on to the server that has it.
    if (error.url === null) return { code: 'world_elsewhere', message: 'Another server has the default world.' }
  }
}

/** Opens the folder with the files of claimed worlds. */
const openCopies = (folder: Folder, ownership: Ownership, options: Partial<FolderOptions>): OpenFolder =>
  openFolder(new WorldFiles(folder.path, false, ownership), {
    ...options,
    openLog: (file) => ownership.openLog(file),
    hasCheckpointer: true,
    missingError: (id) => new NotOwned(id, null),
  })

/** The calls for a world, which most of them claim. They reject with NoSuchWorld, NotOwned. */
function claimingCalls(local: ReturnType<typeof createWorlds>, claimed: ClaimedWorlds) {
  const claiming =
    <Rest extends unknown[], Result>(
      call: (id: number, ...rest: Rest) => Promise<Result>,
      { needsSnapshots = false } = {},
    ) =>
    async (id: number, ...rest: Rest): Promise<Result> => {
      const slot = await claimed.claim(id)
      if (!slot) throw new NoSuchWorld(id)
      if (needsSnapshots) await claimed.loadSnapshots(slot)
      return call(id, ...rest)
    }
  const withSnapshots = { needsSnapshots: true }
  return {
    acquireOpen: (id: number) => claimed.open(id),
    acquire: (id: number) => claimed.open(id) ?? local.copies.acquire(id) ?? claimed.acquire(id),
    change: claiming(local.change),
    replace: claiming(local.replace),
    reset: claiming(local.reset),
    remove: claiming(local.remove),
    copyStart: claiming(local.copyStart),
    snapshots: claiming(local.snapshots, withSnapshots),
    snapshot: claiming(local.snapshot, withSnapshots),
    restore: claiming(local.restore, withSnapshots),
    copySnapshot: claiming(local.copySnapshot, withSnapshots),
    deleteSnapshot: claiming(local.deleteSnapshot, withSnapshots),
  }
}

/** Reads of the present state of worlds that other servers may have. */
function storedReads(directory: Directory, files: WorldFiles) {
  async function copyStored(id: number, file: string): Promise<void> {
    const image = await directory.read(id)
    if (!image) throw new NoSuchWorld(id)
    await writeImage(image, file)
  }
  const read: Worlds['read'] = async (id, readRows) => {
    const file = files.temp()
    try {
      await copyStored(id, file)
      return await readDatabase(file, readRows)
    } finally {
      removeDatabase(file)
    }
  }
  return { copyStored, read }
}

const atStart = <T>(attempt: () => Promise<T>): Promise<T> =>
  untilAnswered(attempt, performance.now() + START_TIMEOUT_MS)

/** Claims the default world, creates it, or leaves it to the server that has it. */
async function openDefaultWorld(claimed: ClaimedWorlds, create: () => Promise<void>): Promise<void> {
  try {
    if (await claimed.claim(DEFAULT_WORLD)) return
    await create()
  } catch (error) {
    const isCreatedMeanwhile = (error as { code?: string }).code === '23505'
    if (!(error instanceof NotOwned) && !isCreatedMeanwhile) throw error
  }
}

async function adoptOne(list: WorldList, claimed: ClaimedWorlds, { release }: Pick<Worlds, 'release'>): Promise<void> {
  await list.refresh()
  const id = list.nextFree()
  const world = id === undefined ? undefined : await claimed.acquire(id)
  if (world) release(world)
}

/** Opens worlds that no server has, one after the other: their notifications are due, and some of them expire. */
function createAdoption(adoptOne: () => Promise<void>, onError: (error: Error) => void) {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  function start(): void {
    if (isStopped) return
    timer = setTimeout(() => void adoptOne().catch(onError).finally(start), ADOPTION_INTERVAL_MS).unref()
  }
  return {
    start,
    stop(): void {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
