import { and, asc, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { $, prepared } from '../../db/engine.ts'
import type { DueEntry, DuePeriod, DueSource, DueWorld } from '../due.ts'
import { addMonths, firstInstantBeyond } from './instants.ts'

/** The time between the value of a column and what happens; all in ms. */
interface Delay {
  /** The earliest value whose instant is after `at`. */
  earliestAfter(at: number): number
  /** The instant of a value, which is after `now`. */
  dueAt(value: number, now: number): number
}

export const fixedDelay = (ms: number): Delay => ({
  earliestAfter: (at) => at - ms + 1,
  dueAt: (value) => value + ms,
})

/** Until the date `months` calendar months before the present time is later than the value. */
export const monthsDelay = (months: number): Delay => ({
  earliestAfter: (at) => addMonths(at, -months),
  dueAt: (value, now) => firstInstantBeyond(value, months, now),
})

/** The members of an entry that its row decides. */
type EntryOfRow = Omit<DueEntry, 'at' | 'kind' | 'effect' | 'n'>

interface DueRows<Columns> {
  kind: DueEntry['kind']
  effect: DueEntry['effect']
  /** With the index to use, if SQLite would take another. */
  from: SQLiteTable | SQL
  /** The time that the delay counts from; an index begins with it. */
  time: SQLiteColumn
  delay: Delay
  columns: Columns
  present(
    row: { [Name in keyof Columns]: Columns[Name] extends SQLiteColumn ? Columns[Name]['_']['data'] : never },
  ): EntryOfRow
  /** Only these rows. */
  where?: SQL
  /** Whether time has this effect in a world. */
  isActive?(world: DueWorld): boolean
}

/** Creates a source of entries: for each row of a table one, at a time that follows from a column. */
export function dueRows<Columns extends Record<string, SQLiteColumn>>({
  kind,
  effect,
  from,
  time,
  delay,
  columns,
  present,
  where,
  isActive = () => true,
}: DueRows<Columns>): DueSource {
  const isDue = and(where, gte(time, $('first')), lt(time, $('last')))
  // Drizzle knows no table where the index is named.
  const selected = Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, sql`${column}`.as(name)]))
  const selectCount = prepared(({ db }) =>
    db
      .select({ n: sql<number>`count(*)`.as('n') })
      .from(from as SQLiteTable)
      .where(isDue),
  )
  const selectRows = prepared(({ db }) =>
    db
      .select({ ...selected, due_time: sql<number>`${time}`.as('due_time') })
      .from(from as SQLiteTable)
      .where(isDue)
      .orderBy(asc(time))
      .limit($('limit')),
  )
  const boundsOf = ({ after, until }: DuePeriod) => ({
    first: delay.earliestAfter(after),
    last: delay.earliestAfter(until),
  })
  return {
    kind,
    effect,
    count: async (world, period) => (isActive(world) ? (await selectCount(world.read).one(boundsOf(period)))!.n : 0),
    async find(world, period, limit) {
      if (!isActive(world)) return []
      const rows = await selectRows(world.read).all({ ...boundsOf(period), limit })
      return rows.map(({ due_time, ...row }) => ({
        at: delay.dueAt(due_time as number, period.after),
        kind,
        effect,
        ...present(row as never),
        n: null,
      }))
    },
  }
}
