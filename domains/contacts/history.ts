import type { Draft } from '../../db/sqlite/draft.ts'
import { CONTACT_KINDS } from './tables.ts'

const HOUR = 3_600_000

// Subjects and kinds are named so that the keys of the tables find the rows.
const KINDS = CONTACT_KINDS.map((kind) => `'${kind}'`).join(', ')
const EVENTS = `user_id IN (SELECT id FROM user) AND kind IN (${KINDS})`

/** Deletes the contacts after `now` (world ms), and counts those of its hour again. */
export function trimHistory(draft: Draft, { now, origin }: { now: number; origin: number }): void {
  const at = now - origin
  const hour = Math.floor(at / HOUR)
  draft.run(`DELETE FROM contact_event WHERE ${EVENTS} AND at > :at`, { at })
  for (const subject of ['item', 'user']) {
    const id = `${subject}_id`
    draft.run(
      `DELETE FROM contact_${subject}_hour
       WHERE ${id} IN (SELECT id FROM ${subject}) AND kind IN (${KINDS}) AND hour >= :hour`,
      { hour },
    )
    draft.run(
      `INSERT INTO contact_${subject}_hour (${id}, kind, hour, n)
       SELECT ${id}, kind, :hour, count(*) FROM contact_event WHERE ${EVENTS} AND at >= :start GROUP BY ${id}, kind`,
      { hour, start: hour * HOUR },
    )
  }
}
