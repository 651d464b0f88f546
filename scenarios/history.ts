import { type Draft, openDraft } from '../db/sqlite/draft.ts'
import type { TimeUnit } from '../db/tables.ts'
import { DOMAINS } from '../domains/index.ts'
import { MONDAY } from './names.ts'

const WEEK_MS = 7 * 24 * 3_600_000

/** The Monday before an instant, 04:00Z, ms: the week of a world's history that contains the instant begins there. */
export const originAt = (instant: number): number => MONDAY + Math.floor((instant - MONDAY) / WEEK_MS) * WEEK_MS

/** Units that are moved, in ms; times of the others stay. */
const UNIT_MS: Partial<Record<TimeUnit, number>> = { ms: 1, hours: 3_600_000, days: 24 * 3_600_000 }

/** Moves a scenario's file from the fixed Monday to `origin`. */
export function shiftTimes(file: string, origin: number): void {
  const offset = origin - MONDAY
  if (offset === 0) return
  const draft = openDraft(file)
  for (const { name, times } of DOMAINS.flatMap(({ tables }) => tables)) {
    const columnsOf = (test: (unit: number) => boolean) =>
      Object.entries(times).filter(([, unit]) => UNIT_MS[unit] !== undefined && test(UNIT_MS[unit]))
    const instants = columnsOf((unit) => unit === 1).map(([column]) => `"${column}" = "${column}" + :by`)
    if (instants.length > 0) draft.run(`UPDATE "${name}" SET ${instants.join(', ')}`, { by: offset })
    // Days and hours are keys: moved by way of negative numbers, they never collide with rows that are still to move.
    for (const [column, unit] of columnsOf((unit) => unit > 1)) {
      draft.run(`UPDATE "${name}" SET "${column}" = -"${column}"`)
      draft.run(`UPDATE "${name}" SET "${column}" = :by - "${column}"`, { by: offset / UNIT_MS[unit]! })
    }
  }
  draft.close()
}

/** Deletes the rows of a draft after `now`, ms. */
export function trimHistory(draft: Draft, now: number): void {
  for (const domain of DOMAINS) domain.trimHistory?.(draft, { now, origin: originAt(now) })
}
