import { type Clock, clockOf } from './clock.ts'
import { openSqlite } from './engine.sqlite.ts'
import { $, type Engine, prepared, type Q } from './engine.ts'
import { type Switches, switchesOf } from './switches.ts'

/** One marketplace: its data, its time, its ways. */
export interface World extends Engine {
  /** The number that its tokens carry; 1 is the default world. */
  id: number
  scenario: string
  seed: number
  /** The instant it was frozen at when it was made; null when it was not. */
  startedAt: number | null
  key: string
  /** Ms; times in the contact tables count from here. */
  origin: number
  clock: Clock
  switches: Switches
}

/** Opens the file of a world that was laid out and migrated before. */
export async function openWorld(file: string, { durable }: { durable: boolean }): Promise<World> {
  const engine = openSqlite(file, { durable })
  const row = await theWorld(engine.read).one()
  if (!row) throw new Error(`${file} holds no world`)
  return {
    ...engine,
    id: row.id,
    scenario: row.scenario,
    seed: row.seed,
    startedAt: row.now,
    key: row.key,
    origin: row.origin,
    clock: clockOf(row.clock_mode, row.clock_ms),
    switches: switchesOf(JSON.parse(row.switches)),
  }
}
const theWorld = prepared(({ db, t }) => db.select().from(t.world))

export interface WorldFacts {
  id: number
  scenario: string
  seed: number
  now: number | null
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
    origin: $('origin'),
    clock_mode: $('clock_mode'),
    clock_ms: $('clock_ms'),
    key: $('key'),
    switches: $('switches'),
  }),
)
