import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { copyFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { openCheckpointer } from './checkpointer.ts'
import { type Folder, settle } from './folders.ts'
import { migrate } from './migrate.ts'
import { type Life, newLife, openWorld, type World } from './world.ts'

/** Lays a world's data out in `file`, which is not there yet; closed again when it answers. */
export type LayOut = (file: string, id: number) => Promise<unknown>

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
  opened(): World[]
  /** Takes hold of a world; at once where it is open. Undefined when there is none. Each hold is let go once. */
  hold(id: number): World | Promise<World | undefined> | undefined
  /** Takes hold of a world that is held already, for what goes on after. */
  keep(world: World): void
  letGo(world: World): void
  /** Makes a world; `start` keeps a copy of it as its starting point. */
  create(layOut: LayOut, how?: { start: boolean }): Promise<number>
  /** Puts another state in a world's place: requests that run finish on the old one. Throws NoSuchWorld. */
  replace(id: number, layOut: LayOut, how?: { start: boolean }): Promise<void>
  /**
   * Puts its kept starting point in a world's place; `layOut` makes it for a world that has no copy. Throws
   * NoSuchWorld.
   */
  reset(id: number, layOut: LayOut): Promise<void>
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
  dropSnapshot(id: number, name: string): Promise<boolean>
  /** A new name in the folder for a file that is needed for a moment; whoever asked removes it. */
  passing(): string
  /** Called with every world that is opened from now on, and with those that are open already. */
  onOpen(listener: (world: World) => void): void
  close(): void
}

export class NoSuchWorld extends Error {}

/** The world of a request that names none. */
export const HOME = 1
/** Worlds that stay open although nobody uses them just now. */
const MOST_OPEN = 32

interface Slot {
  id: number
  /** Counts the states that have had this place: each is another file. */
  generation: number
  life: Life
  world: World | undefined
  opening: Promise<void> | undefined
  /** What changes its place is done one after the other. */
  turn: Promise<unknown>
}

/**
 * Opens the worlds of a folder; the default world is laid out when it is not there yet, and kept as it begins with
 * `start`.
 */
export async function openWorlds(
  folder: Folder,
  mode: Worlds['mode'],
  layOut: LayOut,
  how?: { start: boolean },
): Promise<Worlds> {
  const durable = mode === 'kept'
  const checkpointer = durable ? openCheckpointer() : undefined
  const at = (name: string) => join(folder.path, name)
  const slots = new Map(found(folder.path).map((slot) => [slot.id, slot]))
  // Insertion order: the one used last stands last.
  const open = new Set<Slot>()
  let latest: Slot | undefined
  let passed = 0
  let next = Math.max(lastNumber(folder.path), HOME - 1, ...slots.keys()) + 1

  const fileOf = ({ id, generation }: Slot) =>
    at(generation === 0 ? `world-${id}.sqlite` : `world-${id}.${generation}.sqlite`)
  const startOf = (id: number) => at(`world-${id}.start.sqlite`)
  const snapshotOf = (id: number, name: string) => at(`world-${id}.snapshot.${name}.sqlite`)

  /** Makes a file appear under its name, whole or not at all. */
  async function put(file: string, make: (draft: string) => Promise<unknown>): Promise<void> {
    const draft = `${file}.new`
    try {
      await make(draft)
    } catch (error) {
      discard(draft)
      throw error
    }
    settle(draft, file, folder.path, durable)
  }

  const watching: ((world: World) => void)[] = []
  async function openIt(file: string, life: Life): Promise<World> {
    const world = await openWorld(file, { durable, checkpointer, life })
    for (const watch of watching) watch(world)
    return world
  }

  function use(slot: Slot): void {
    if (latest === slot) return
    latest = slot
    open.delete(slot)
    open.add(slot)
    tidy()
  }

  /** Closes what is too many, after the answer that they are in the way of; in a burst at once. */
  function tidy(): void {
    if (open.size > 2 * MOST_OPEN) closeIdle()
    if (open.size <= MOST_OPEN || tidying) return
    tidying = true
    setImmediate(() => {
      tidying = false
      closeIdle()
    })
  }
  let tidying = false

  function closeIdle(): void {
    for (const slot of open) {
      if (open.size <= MOST_OPEN) return
      if (slot.world!.held === 0 && slot !== latest) shut(slot)
    }
  }

  function shut(slot: Slot): void {
    slot.world!.close()
    slot.world = undefined
    open.delete(slot)
  }

  function held(slot: Slot): World {
    use(slot)
    const world = slot.world!
    world.held++
    return world
  }

  /** Undefined when it is deleted meanwhile. */
  async function opened(slot: Slot): Promise<World | undefined> {
    while (!slot.world) {
      if (slots.get(slot.id) !== slot) return undefined
      slot.opening ??= openIt(fileOf(slot), slot.life)
        .then((world) => {
          slot.world = world
          open.add(slot)
        })
        .finally(() => {
          slot.opening = undefined
        })
      await slot.opening
    }
    return held(slot)
  }

  /** What hangs on the state that goes is let go. */
  function end({ life }: Slot): void {
    for (const over of life.onEnd) over()
  }

  /** Nobody gets this state any more; its files go when its last user has let go. */
  function retire(world: World, file: string): void {
    world.retired = true
    leaving.set(world, file)
    if (world.held === 0) leave(world)
  }
  function leave(world: World): void {
    const file = leaving.get(world)!
    world.close()
    leaving.delete(world)
    // Not every system removes a file that is open.
    if (checkpointer) checkpointer.after(file, () => discard(file))
    else discard(file)
  }
  const leaving = new Map<World, string>()

  function slotOf(id: number): Slot {
    const slot = slots.get(id)
    if (!slot) throw new NoSuchWorld(`there is no world ${id}`)
    return slot
  }

  /** One after the other for each world; it may be gone when its turn comes. */
  async function inTurn<T>(id: number, work: (slot: Slot) => Promise<T>): Promise<T> {
    const turn = slotOf(id).turn.then(() => work(slotOf(id)))
    slotOf(id).turn = turn.catch(() => {})
    return turn
  }

  async function swap(slot: Slot, make: (draft: string) => Promise<unknown>): Promise<void> {
    const before = fileOf(slot)
    const after = fileOf({ ...slot, generation: slot.generation + 1 })
    await put(after, make)
    const world = await openIt(after, newLife())
    await slot.opening
    // From here to the end in one turn: whoever asks now gets the old state or the new one.
    const old = slot.world
    slot.generation++
    end(slot)
    slot.life = world.life
    slot.world = world
    open.add(slot)
    use(slot)
    if (old) retire(old, before)
    else discard(before)
  }

  async function copied(slot: Slot, file: string): Promise<void> {
    const world = (await opened(slot))!
    try {
      await world.copyTo(file)
    } finally {
      worlds.letGo(world)
    }
  }

  /** Files of what is kept of a world besides its present state. */
  const keptOf = (id: number) =>
    readdirSync(folder.path).filter(
      (name) => name.startsWith(`world-${id}.`) && /\.(start|snapshot\..+)\.sqlite$/.test(name),
    )

  const worlds: Worlds = {
    mode,
    folder: folder.path,
    ids: () => [...slots.keys()].sort((a, b) => a - b),
    has: (id) => slots.has(id),
    opened: () => [...open].map(({ world }) => world!),
    hold(id) {
      const slot = slots.get(id)
      if (!slot) return undefined
      return slot.world ? held(slot) : opened(slot)
    },
    keep(world) {
      world.held++
    },
    letGo(world) {
      world.held--
      if (world.held > 0) return
      if (world.retired) leave(world)
      else tidy()
    },
    async create(layOut, how) {
      const id = next++
      if (durable) keepNumber(folder.path, id)
      const slot: Slot = {
        id,
        generation: 0,
        life: newLife(),
        world: undefined,
        opening: undefined,
        turn: Promise.resolve(),
      }
      // The copy first: a world that is there has its starting point.
      if (how?.start) {
        await put(startOf(id), (draft) => layOut(draft, id))
        await put(fileOf(slot), (draft) => copyFile(startOf(id), draft))
      } else await put(fileOf(slot), (draft) => layOut(draft, id))
      slots.set(id, slot)
      return id
    },
    replace: (id, layOut, how) =>
      inTurn(id, async (slot) => {
        if (how?.start) {
          await put(startOf(id), (draft) => layOut(draft, id))
          await swap(slot, (draft) => copyFile(startOf(id), draft))
        } else await swap(slot, (draft) => layOut(draft, id))
      }),
    reset: (id, layOut) =>
      inTurn(id, (slot) =>
        swap(slot, (draft) => (existsSync(startOf(id)) ? copyFile(startOf(id), draft) : layOut(draft, id))),
      ),
    remove: (id) =>
      inTurn(id, async (slot) => {
        await slot.opening
        slots.delete(id)
        open.delete(slot)
        if (latest === slot) latest = undefined
        end(slot)
        if (slot.world) retire(slot.world, fileOf(slot))
        else discard(fileOf(slot))
        for (const name of keptOf(id)) discard(at(name))
      }),
    copy: (id, file) => inTurn(id, (slot) => copied(slot, file)),
    async saveTo(to) {
      for (const id of worlds.ids())
        await inTurn(id, async (slot) => {
          await copied(slot, join(to, basename(fileOf({ ...slot, generation: 0 }))))
          for (const name of keptOf(id)) await copyFile(at(name), join(to, name))
        }).catch((error) => {
          // It was deleted meanwhile.
          if (!(error instanceof NoSuchWorld)) throw error
          for (const name of readdirSync(to)) if (name.startsWith(`world-${id}.`)) discard(join(to, name))
        })
      // After the worlds: it counts them all.
      await writeFile(join(to, NUMBER), String(next - 1))
    },
    async snapshots(id) {
      slotOf(id)
      return readdirSync(folder.path)
        .flatMap((name) => (SNAPSHOT.exec(name)?.[1] === String(id) ? [SNAPSHOT.exec(name)![2]!] : []))
        .sort()
    },
    snapshot: (id, name) => inTurn(id, (slot) => put(snapshotOf(id, name), (draft) => copied(slot, draft))),
    restore: (id, name) =>
      inTurn(id, async (slot) => {
        if (!existsSync(snapshotOf(id, name))) return false
        await swap(slot, (draft) => copyFile(snapshotOf(id, name), draft))
        return true
      }),
    dropSnapshot: (id, name) =>
      inTurn(id, async () => {
        if (!existsSync(snapshotOf(id, name))) return false
        discard(snapshotOf(id, name))
        return true
      }),
    passing: () => at(`${PASSING}${++passed}`),
    onOpen(listener) {
      watching.push(listener)
      for (const { world } of open) listener(world!)
    },
    close() {
      for (const slot of [...open]) shut(slot)
      for (const world of leaving.keys()) leave(world)
      checkpointer?.close()
      folder.release()
    },
  }
  if (!slots.has(HOME)) {
    next = HOME
    await worlds.create(layOut, how)
  }
  return worlds
}

const WORLD = /^world-(\d+)(?:\.(\d+))?\.sqlite$/
const PASSING = 'passing-'
const SNAPSHOT = /^world-(\d+)\.snapshot\.(.+)\.sqlite$/

/**
 * The worlds that stand in a folder, each brought to this version's tables; what an interrupted change left is swept.
 */
function found(folder: string): Slot[] {
  const slots = new Map<number, Slot>()
  for (const name of readdirSync(folder)) {
    const [, id, generation = '0'] = WORLD.exec(name) ?? []
    if (id === undefined) continue
    const known = slots.get(Number(id))
    if (known && known.generation > Number(generation)) continue
    slots.set(Number(id), {
      id: Number(id),
      generation: Number(generation),
      life: newLife(),
      world: undefined,
      opening: undefined,
      turn: Promise.resolve(),
    })
  }
  for (const name of readdirSync(folder)) {
    const [, id, generation = '0'] = WORLD.exec(name) ?? []
    const owner = /^world-(\d+)\./.exec(name)?.[1]
    const past = id !== undefined && slots.get(Number(id))!.generation !== Number(generation)
    const orphan = owner !== undefined && !slots.has(Number(owner))
    if (past || orphan || /\.new(-wal|-shm|-journal)?$/.test(name) || name.startsWith(PASSING))
      discard(join(folder, name))
  }
  for (const name of readdirSync(folder)) if (/^world-\d+\..*sqlite$/.test(name)) migrate(join(folder, name))
  return [...slots.values()]
}

/** Removes a database file and what SQLite keeps beside it. */
function discard(file: string): void {
  for (const rest of ['-wal', '-shm', '-journal', '']) rmSync(file + rest, { force: true })
}

// Numbers are never given twice, not even that of the last world that was deleted.
const NUMBER = 'last-world'

function lastNumber(folder: string): number {
  try {
    return Number(readFileSync(join(folder, NUMBER), 'utf8')) || 0
  } catch {
    return 0
  }
}

function keepNumber(folder: string, id: number): void {
  const draft = join(folder, `${NUMBER}.new`)
  writeFileSync(draft, String(id), { flush: true })
  settle(draft, join(folder, NUMBER), folder, true)
}
