import { changedColumns, type Difference, keyColumns, type Row } from '../../db/differences.ts'
import type { TableDescriptor, TimeUnit } from '../../db/tables.ts'
import { DOMAINS, TABLES } from '../../domains/index.ts'
import { utcMillis } from '../../domains/shared/instants.ts'
import { REDACTED } from '../../http/journal/redaction.ts'
import type { RowDiff } from './schemas.ts'
import type { OpenState } from './states.ts'

const isDerived = (name: string): boolean => DOMAINS.some(({ worldFile }) => worldFile?.tables[name] === 'derived')

/** The tables that are compared, by name. Tables of sums and counts are not: they follow from the others. */
export const COMPARED_TABLES: ReadonlyMap<string, TableDescriptor> = new Map(
  TABLES.filter(({ name }) => !isDerived(name)).map((table) => [table.name, table]),
)

export const presentStates = (from: OpenState, to: OpenState) => ({
  from: { state: from.name, now: utcMillis(from.now) },
  to: { state: to.name, now: utcMillis(to.now) },
})

/** Ms of a stored time. */
const toMs: Record<TimeUnit, (value: number, origin: number) => number> = {
  ms: (value) => value,
  real: (value) => value,
  'since origin': (value, origin) => origin + value,
}

/** A row that differs, with readable times and without secrets. */
export function presentDifference(
  descriptor: TableDescriptor,
  { change, before, after }: Difference,
  from: Pick<OpenState, 'origin'>,
  to: Pick<OpenState, 'origin'>,
): RowDiff {
  const { table } = descriptor
  const key = keyColumns(table).map(({ name }) => name)
  const shown = change === 'changed' ? changedColumns(before, after) : undefined
  return {
    change,
    key: before ? presentRow(descriptor, before, from, key) : presentRow(descriptor, after!, to, key),
    before: before && presentRow(descriptor, before, from, shown),
    after: after && presentRow(descriptor, after, to, shown),
  }
}

function presentRow(
  { times, secrets }: TableDescriptor,
  row: Row,
  { origin }: Pick<OpenState, 'origin'>,
  columns = Object.keys(row),
): Record<string, unknown> {
  const present = (name: string) => {
    const value = row[name]!
    if (value === null) return null
    if (secrets.includes(name)) return REDACTED
    const unit = times[name]
    return unit ? utcMillis(toMs[unit](Number(value), origin)) : value
  }
  return Object.fromEntries(columns.map((name) => [name, present(name)]))
}
