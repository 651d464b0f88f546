import { randomUUID } from 'node:crypto'
import { getTableColumns, isNull, lt, or, sql } from 'drizzle-orm'
import { CauseLog } from './causes.ts'
import { type Clock, type ClockSetting, createClock, type ReadTime, realNow } from './clock.ts'
import { $, type Engine, prepared, type Q } from './engine.ts'
import { BrokenFile, toBrokenFile } from './migrate.ts'
import { columnValues, selectRows } from './rows.ts'
import { readDatabase } from './sqlite/draft.ts'
import { openSqlite, type SqliteOptions } from './sqlite/engine.ts'
import { fault, stub, world } from './tables.ts'

/** The data of a world cannot be reached now; a later call may succeed. */
export class Unavailable extends Error {}

/** Values of assumptions by name, of those that differ from the default. */
export type Switches = Readonly<Record<string, string>>

export type FaultRow = typeof fault.$inferSelect
/** A stub without its answer, which can be long. */
export type StubRow = Omit<typeof stub.$inferSelect, 'answer'>

/** One marketplace: its data, its clock, its assumptions. */
export interface World extends Engine {
  /** The number that its tokens carry; 1 is the default world. */
  id: number
  scenario: string
  seed: number
  /** The instant, ms, at which it was frozen when it was created; null for real time. */
  frozenAt: number | null
  /** World time when it was created, ms: its history ends there. */
  createdAt: number
  /** Hex; ids and secrets are derived from it. */
  key: string
  /** Ms; times in the contact tables count from here. */
  origin: number
  clock: Clock
  /** `changeSwitches` replaces them. */
  switches: Switches
  /** The fault rules that are on, by id; after a change call `refreshFaults`. */
  faults: readonly FaultRow[]
  /** The stubs that may answer calls, in the order in which they are matched; after a change call `refreshStubs`. */
  stubs: readonly StubRow[]
  generation: Generation
  /** The switches that it was created with. */
  initialSwitches: Switches
  /** Number of users, such as requests; it stays open until all have released it. */
  refCount: number
  /** Its state was replaced or removed: it closes with the last release. */
  isRetired: boolean
}

/** Time and assumptions of a world: all that what follows from an event knows of it. */
export type Moment = Pick<World, 'switches'> & { clock: Pick<Clock, 'now'> }

/**
 * One state of a world, from creation, reset, restore or import to the next. In-memory data of a state is tied to it,
 * and survives the closing of an idle world.
 */
export interface Generation {
  /** Tells clients whether the state is still the one that they know. */
  id: string
  /** The causes of its latest events, and of those before it whose calls the journal still has. */
  causes: CauseLog
  /** Called when the state is replaced by the one of `next`, or removed. */
  onEnd: ((change: StateChange, next: Generation | undefined) => void)[]
  /** Identifies its history: a state that an undo restores continues the history of its snapshot. */
  history: symbol
  /** Its first state is the one that a reset restores. */
  beganAtStart: boolean
  /** Successful changing calls of this history. */
  counts: { writes: number; controlCalls: number }
  /** Real time, ms, of the last write of a program in the world, if snapshots are taken before them. */
  lastWriteAt: number
  /** Called once, when the next write of a program has succeeded. */
  onWrite: (() => void) | undefined
}

/** A state of a world is replaced by an earlier one. */
export interface Restoration {
  change: 'reset' | 'restore' | 'undo'
  /** Of the snapshot. */
  name: string | null
  /** The journal continues with the next state. */
  keepsJournal: boolean
}

/** Why a state of a world ends. */
export type StateChange = Restoration | { change: 'load' | 'deleted' | 'moved'; name: null; keepsJournal: false }

export const createGeneration = (beganAtStart = false): Generation => ({
  id: randomUUID(),
  causes: new CauseLog(),
  onEnd: [],
  history: Symbol('history'),
  beganAtStart,
  counts: { writes: 0, controlCalls: 0 },
  lastWriteAt: Number.NEGATIVE_INFINITY,
  onWrite: undefined,
})

interface WorldOptions extends SqliteOptions {
  generation: Generation
  /** Default: the time of this machine. */
  readTime?: ReadTime | undefined
}

/** Opens the file of a world, which is populated and migrated. Throws BrokenFile. */
export async function openWorld(file: string, options: WorldOptions): Promise<World> {
  try {
    return await loadWorld(file, options)
  } catch (error) {
    throw toBrokenFile(error, file)
  }
}

async function loadWorld(file: string, { generation, readTime, ...options }: WorldOptions): Promise<World> {
  const engine = openSqlite(file, { ...options, causes: generation.causes })
  const row = await selectWorld(engine.read).one()
  if (!row) throw new BrokenFile(`${file} contains no world`)
  return {
    ...engine,
    id: row.id,
    scenario: row.scenario,
    seed: row.seed,
    frozenAt: row.now,
    createdAt: row.made_at ?? row.now ?? Math.min(row.origin + WEEK, realNow()),
    key: row.key,
    origin: row.origin,
    clock: createClock({ mode: row.clock_mode, ms: row.clock_ms }, readTime),
    switches: JSON.parse(row.switches),
    faults: await enabledFaults(engine.read).all(),
    stubs: await activeStubs(engine.read).all(),
    generation,
    initialSwitches: JSON.parse(row.made_switches ?? row.switches),
    refCount: 0,
    isRetired: false,
  }
}
const WEEK = 7 * 24 * 3_600_000
const selectWorld = prepared(({ db }) => db.select().from(world))

interface NewWorldRow {
  id: number
  scenario: string
  seed: number
  now: number | null
  made_at: number
  origin: number
  key: string
  switches: Switches
}

/** Inserts the row of a world that is being created. With `now` its clock is frozen there. */
export async function writeWorldRow(q: Q, row: NewWorldRow): Promise<void> {
  const clock_mode = row.now === null ? 'real' : 'frozen'
  await insertWorld(q).run({ ...row, clock_mode, clock_ms: row.now ?? 0, switches: JSON.stringify(row.switches) })
}
const insertWorld = prepared(({ db }) => db.insert(world).values({ ...columnValues(world), made_switches: null }))

/** The stored clock setting. */
export async function storedClock({ read }: World): Promise<ClockSetting> {
  return clockSetting((await selectWorld(read).one())!)
}
export const clockSetting = ({ clock_mode, clock_ms }: typeof world.$inferSelect): ClockSetting => ({
  mode: clock_mode,
  ms: clock_ms,
})
/** The clock setting in a file, which need not be open. Throws BrokenFile. */
export async function readStoredClock(file: string): Promise<ClockSetting> {
  try {
    return clockSetting(await readDatabase(file, readWorldRow))
  } catch (error) {
    throw toBrokenFile(error, file)
  }
}
/** Stores a clock setting. The caller also applies it to the clock of the open world. */
export const storeClock = (q: Q, { mode, ms }: ClockSetting) => updateClock(q).run({ mode, ms })
const updateClock = prepared(({ db }) =>
  db.update(world).set({ clock_mode: sql`${$('mode')}`, clock_ms: sql`${$('ms')}` }),
)

const enabledFaults = selectRows(fault, { enabled: 1 }, { order: ['id'] })
/** Whether a stub may answer another call. */
export const mayAnswer = () => or(isNull(stub.times), lt(stub.hits, stub.times))
const { answer: _, ...columns } = getTableColumns(stub)
export const activeStubs = selectRows(
  stub,
  {},
  { columns: Object.keys(columns) as (keyof StubRow)[], order: ['position', 'id'], also: mayAnswer },
)

/** Reloads a world's fault rules. */
export async function refreshFaults(world: World): Promise<void> {
  world.faults = await enabledFaults(world.read).all()
}
/** Reloads a world's stubs. */
export async function refreshStubs(world: World): Promise<void> {
  world.stubs = await activeStubs(world.read).all()
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

/** The row of the world in a file. */
export async function readWorldRow(q: Q) {
  return (await selectWorld(q).one())!
}

/** Gives a copied world its own number and key. */
export const renumberWorld = (q: Q, { id, key }: Pick<World, 'id' | 'key'>) => updateWorldNumber(q).run({ id, key })
const updateWorldNumber = prepared(({ db }) => db.update(world).set({ id: sql`${$('id')}`, key: sql`${$('key')}` }))
