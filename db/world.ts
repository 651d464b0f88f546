import { sql } from 'drizzle-orm'
import { type Clock, type ClockSetting, createClock, realNow } from './clock.ts'
import { $, type Engine, prepared, type Q } from './engine.ts'
import { type Rule, rulesOf } from './faults.ts'
import { BrokenFile, toBrokenFile } from './migrate.ts'
import { openSqlite, type SqliteOptions } from './sqlite/engine.ts'
import { world } from './tables.ts'

/** Values of assumptions by name, of those that differ from the default. */
export type Switches = Readonly<Record<string, string>>

/** One marketplace: its data, its clock, its assumptions. */
export interface World extends Engine {
  /** The number that its tokens carry; 1 is the default world. */
  id: number
  scenario: string
  seed: number
  /** The instant it was frozen at when it was made; null when it was not. */
  frozenAt: number | null
  /** World time when it was made, ms: its history ends there. */
  createdAt: number
  key: string
  /** Ms; times in the contact tables count from here. */
  origin: number
  clock: Clock
  /** `changeSwitches` replaces them. */
  switches: Switches
  /** What goes wrong with its calls, by id; `refreshRules` after a change. */
  rules: Rule[]
  generation: Generation
  /** The switches that it was created with. */
  initialSwitches: Switches
  /** Requests and others that use it just now: it stays open for them. */
  refCount: number
  /** Another has taken its place, or nothing: it closes with its last user. */
  isRetired: boolean
}

/**
 * One state of a world, from its making, reset, restore or load to the next. It outlives the closing of an idle world:
 * what is kept of a state in memory hangs on it.
 */
export interface Generation {
  /** Called when another state has taken its place, or nothing. */
  onEnd: (() => void)[]
}

export const createGeneration = (): Generation => ({ onEnd: [] })

/** Opens the file of a world that was laid out and migrated before. Throws BrokenFile when it is damaged. */
export async function openWorld(file: string, options: SqliteOptions & { generation: Generation }): Promise<World> {
  try {
    return await loadWorld(file, options)
  } catch (error) {
    throw toBrokenFile(error, file)
  }
}

async function loadWorld(
  file: string,
  { generation, ...options }: SqliteOptions & { generation: Generation },
): Promise<World> {
  const engine = openSqlite(file, options)
  const row = await selectWorld(engine.read).one()
  if (!row) throw new BrokenFile(`${file} holds no world`)
  return {
    ...engine,
    id: row.id,
    scenario: row.scenario,
    seed: row.seed,
    frozenAt: row.now,
    createdAt: row.made_at ?? row.now ?? Math.min(row.origin + WEEK, realNow()),
    key: row.key,
    origin: row.origin,
    clock: createClock({ mode: row.clock_mode, ms: row.clock_ms }),
    switches: JSON.parse(row.switches),
    rules: await rulesOf(engine.read),
    generation,
    initialSwitches: JSON.parse(row.made_switches ?? row.switches),
    refCount: 0,
    isRetired: false,
  }
}
const WEEK = 7 * 24 * 3_600_000
const selectWorld = prepared(({ db }) => db.select().from(world))

export interface NewWorldRow {
  id: number
  scenario: string
  seed: number
  now: number | null
  made_at: number
  origin: number
  key: string
  switches: Switches
}

/** Writes the one row of a world that is being laid out. With `now` its clock stands frozen there. */
export async function writeWorldRow(q: Q, row: NewWorldRow): Promise<void> {
  const clock_mode = row.now === null ? 'real' : 'frozen'
  await insertWorld(q).run({ ...row, clock_mode, clock_ms: row.now ?? 0, switches: JSON.stringify(row.switches) })
}
const insertWorld = prepared(({ db }) =>
  db.insert(world).values({
    id: $('id'),
    scenario: $('scenario'),
    seed: $('seed'),
    now: $('now'),
    made_at: $('made_at'),
    origin: $('origin'),
    clock_mode: $('clock_mode'),
    clock_ms: $('clock_ms'),
    key: $('key'),
    switches: $('switches'),
  }),
)

/** How a world's time is made, as it is stored. */
export async function storedClock({ read }: World): Promise<ClockSetting> {
  const { clock_mode: mode, clock_ms: ms } = (await selectWorld(read).one())!
  return { mode, ms }
}
/** Writes how a world's time is made; whoever has it open tells its clock. */
export const storeClock = (q: Q, { mode, ms }: ClockSetting) => updateClock(q).run({ mode, ms })
const updateClock = prepared(({ db }) =>
  db.update(world).set({ clock_mode: sql`${$('mode')}`, clock_ms: sql`${$('ms')}` }),
)

/** Reads its rules again after they were changed. */
export async function refreshRules(world: World): Promise<void> {
  world.rules = await rulesOf(world.read)
}
/** Changes the switches of a world, from its next request on. */
export async function changeSwitches(world: World, change: (switches: Switches) => Switches): Promise<void> {
  world.switches = await world.tx(async (q) => {
    const switches = change(JSON.parse((await selectWorld(q).one())!.switches))
    await updateSwitches(q).run({ switches: JSON.stringify(switches) })
    return switches
  })
}
// The first change stores the initial switches: a reset restores them.
const updateSwitches = prepared(({ db }) =>
  db.update(world).set({
    switches: sql`${$('switches')}`,
    made_switches: sql`coalesce(${world.made_switches}, ${world.switches})`,
  }),
)

/** Sets the initial switches of a world that is being created. */
export const storeSwitches = (q: Q, switches: Switches) =>
  updateInitialSwitches(q).run({ switches: JSON.stringify(switches) })
const updateInitialSwitches = prepared(({ db }) =>
  db.update(world).set({ switches: sql`${$('switches')}`, made_switches: null }),
)

/** The facts of the world that a file holds. */
export async function readWorldRow(q: Q) {
  return (await selectWorld(q).one())!
}

/** Makes a copied world another: its number, and the key that all that looks random comes from. */
export const renumberWorld = (q: Q, { id, key }: Pick<World, 'id' | 'key'>) => updateWorldNumber(q).run({ id, key })
const updateWorldNumber = prepared(({ db }) => db.update(world).set({ id: sql`${$('id')}`, key: sql`${$('key')}` }))
