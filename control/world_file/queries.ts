import { prepared, type Q } from '../../db/engine.ts'
import { sqlite_sequence } from '../../db/ids.ts'
import { sequence } from '../../db/tables.ts'
import { TABLES } from '../../domains/index.ts'

/** Whether a counter is that of a table that numbers its rows. */
export const isNumberedTable = (counter: string): boolean =>
  TABLES.some(({ name, firstId }) => name === counter && firstId !== undefined)

/** The last assigned number of each kind, by name. */
export async function readCounters(q: Q): Promise<Record<string, number>> {
  const counters = (await sequences(q).all()).map(({ name, n }) => [name, n] as const)
  const tableCounters = (await rowNumbers(q).all())
    .filter(({ name, seq }) => isNumberedTable(name) && seq > 0)
    .map(({ name, seq }) => [name, seq] as const)
  return Object.fromEntries([...counters, ...tableCounters].sort(([a], [b]) => (a < b ? -1 : 1)))
}
const sequences = prepared(({ db }) => db.select().from(sequence))
const rowNumbers = prepared(({ db }) => db.select().from(sqlite_sequence))
