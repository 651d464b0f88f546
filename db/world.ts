import { sql } from 'drizzle-orm'
import { type Clock, clockOf, realNow, type Setting } from './clock.ts'
import { type Durability, openSqlite } from './engine.sqlite.ts'
import { $, type Engine, prepared, type Q } from './engine.ts'
import { type Rule, rulesOf } from './faults.ts'
import { asBroken, BrokenFile } from './migrate.ts'
import { differing, type Switches, type SwitchName, switchesOf } from './switches.ts'

/** One marketplace: its data, its time, its ways. */
export interface World extends Engine {
  /** The number that its tokens carry; 1 is the default world. */
  id: number
  scenario: string
  seed: number
  /** The instant it was frozen at when it was made; null when it was not. */
  startedAt: number | null
  /** World time when it was made, ms: its history ends there. */
  madeAt: number
  key: string
  /** Ms; times in the contact tables count from here. */
  origin: number
  clock: Clock
  switches: Switches
  /** What goes wrong with its calls, by id; `refreshRules` after a change. */
  rules: Rule[]
  life: Life
  /** The switches that it was made with, as far as they differ from the defaults. */
  madeSwitches: Partial<Switches>
  /** Requests and others that use it just now: it stays open for them. */
  held: number
  /** Another has taken its place, or nothing: it closes with its last user. */
  retired: boolean
}

/**
 * One state of a world, from its making, reset, restore or load to the next. It outlives the closing of an idle world:
 * what is kept of a state in memory hangs on it.
 */
export interface Life {
  /** Called when another state has taken its place, or nothing. */
  onEnd: (() => void)[]
}

export const newLife = (): Life => ({ onEnd: [] })

/** Opens the file of a world that was laid out and migrated before. Throws BrokenFile when it is damaged. */
export async function openWorld(file: string, how: Durability & { life: Life }): Promise<World> {
  try {
    return await opened(file, how)
  } catch (error) {
    throw asBroken(error, file)
  }
}

async function opened(file: string, { life, ...durability }: Durability & { life: Life }): Promise<World> {
  const engine = openSqlite(file, durability)
  const row = await theWorld(engine.read).one()
  if (!row) throw new BrokenFile(`${file} holds no world`)
  return {
    ...engine,
    id: row.id,
    scenario: row.scenario,
    seed: row.seed,
    startedAt: row.now,
    madeAt: row.made_at ?? row.now ?? Math.min(row.origin + WEEK, realNow()),
    key: row.key,
    origin: row.origin,
    clock: clockOf({ mode: row.clock_mode, ms: row.clock_ms }),
    switches: switchesOf(JSON.parse(row.switches)),
    rules: await rulesOf(engine.read),
    life,
    madeSwitches: JSON.parse(row.made_switches ?? row.switches),
    held: 0,
    retired: false,
  }
}
const WEEK = 7 * 24 * 3_600_000
const theWorld = prepared(({ db, t }) => db.select().from(t.world))

export interface WorldFacts {
  id: number
  scenario: string
  seed: number
  now: number | null
  made_at: number
  origin: number
  key: string
  switches: Partial<Switches>
}

/** Writes the one row of a world that is being laid out. With `now` its clock stands frozen there. */
export async function describeWorld(q: Q, facts: WorldFacts): Promise<void> {
  const clock_mode = facts.now === null ? 'real' : 'frozen'
  await insertWorld(q).run({ ...facts, clock_mode, clock_ms: facts.now ?? 0, switches: JSON.stringify(facts.switches) })
}
const insertWorld = prepared(({ db, t }) =>
  db.insert(t.world).values({
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
export async function standingClock({ read }: World): Promise<Setting> {
  const { clock_mode: mode, clock_ms: ms } = (await theWorld(read).one())!
  return { mode, ms }
}
/** Writes how a world's time is made; whoever has it open tells its clock. */
export const storeClock = (q: Q, { mode, ms }: Setting) => setClock(q).run({ mode, ms })
const setClock = prepared(({ db, t }) =>
  db.update(t.world).set({ clock_mode: sql`${$('mode')}`, clock_ms: sql`${$('ms')}` }),
)

/** Reads its rules again after they were changed. */
export async function refreshRules(world: World): Promise<void> {
  world.rules = await rulesOf(world.read)
}
/** Sets one of a world's switches, from its next request on. */
export async function setSwitch(world: World, name: SwitchName, value: string): Promise<void> {
  world.switches = await world.tx(async (q) => {
    const switches = switchesOf({ ...JSON.parse((await theWorld(q).one())!.switches), [name]: value })
    await changeSwitches(q).run({ switches: JSON.stringify(differing(switches)) })
    return switches
  })
}
// What it was made with is kept with the first change: reset goes back to it.
const changeSwitches = prepared(({ db, t }) =>
  db.update(t.world).set({
    switches: sql`${$('switches')}`,
    made_switches: sql`coalesce(${t.world.made_switches}, ${t.world.switches})`,
  }),
)

/** Gives a world that is being laid out these switches to begin with. */
export const storeSwitches = (q: Q, switches: Partial<Switches>) =>
  beginWith(q).run({ switches: JSON.stringify(differing(switches)) })
const beginWith = prepared(({ db, t }) =>
  db.update(t.world).set({ switches: sql`${$('switches')}`, made_switches: null }),
)

/** The facts of the world that a file holds. */
export async function readWorld(q: Q) {
  return (await theWorld(q).one())!
}

/** Makes a copied world another: its number, and the key that all that looks random comes from. */
export const renumberWorld = (q: Q, { id, key }: Pick<World, 'id' | 'key'>) => setNumber(q).run({ id, key })
const setNumber = prepared(({ db, t }) => db.update(t.world).set({ id: sql`${$('id')}`, key: sql`${$('key')}` }))
