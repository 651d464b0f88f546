import { prepared, type Q } from '../../db/engine.ts'
import { sqlite_sequence } from '../../db/ids.ts'
import { sequence } from '../../db/tables.ts'
import { TABLES } from '../../domains/index.ts'

/** Whether a counter is that of a table that numbers its rows. */
export const isNumberedTable = (counter: string): boolean =>
  TABLES.some(({ name, firstId }) => name === counter && firstId !== undefined)

/** The last assigned number of each kind, by name; without those that have assigned none. */
export async function readCounters(q: Q): Promise<Record<string, number>> {
  const tableCounters = (await rowNumbers(q).all()).map(({ name, seq: n }) => ({ name, n }))
  const counters = [...(await sequences(q).all()), ...tableCounters.filter(({ name }) => isNumberedTable(name))]
  const assigned = counters.filter(({ n }) => n > 0).map(({ name, n }) => [name, n] as const)
  return Object.fromEntries(assigned.sort(([a], [b]) => (a < b ? -1 : 1)))
}
const sequences = prepared(({ db }) => db.select().from(sequence))
const rowNumbers = prepared(({ db }) => db.select().from(sqlite_sequence))
