import type Sqlite from 'better-sqlite3'

// Compares the counters that are kept on writes with the questions themselves: each statement answers the differing
// rows.

const DAYS = `SELECT seller_id, status, date_created / 86400000 AS day, hidden, count(*) AS n FROM question GROUP BY 1, 2, 3, 4`
const STORED_DAYS = 'SELECT seller_id, status, day, hidden, n FROM question_day WHERE n <> 0'
const ASKERS = `SELECT from_id, seller_id, status, hidden, count(*) AS n FROM question GROUP BY 1, 2, 3, 4`
const STORED_ASKERS = 'SELECT from_id, seller_id, status, hidden, n FROM asker_total WHERE n <> 0'
const COUNTED = `question WHERE first_of_buyer = 1 AND status NOT IN ('DELETED', 'BANNED')`
const HOURS = `SELECT seller_id, date_created / 3600000 AS hour, sum(answered_at IS NOT NULL) AS answered,
  coalesce(sum(min(answered_at - date_created, 604800000)), 0) AS taken, sum(answered_at IS NULL) AS open,
  sum(CASE WHEN answered_at IS NULL THEN date_created % 3600000 ELSE 0 END) AS asked FROM ${COUNTED} GROUP BY 1, 2`
const STORED_HOURS =
  'SELECT seller_id, hour, answered, taken, open, asked FROM response_hour WHERE answered <> 0 OR open <> 0 OR taken <> 0 OR asked <> 0'

const MISCOUNTS: Record<string, string> = {
  'totals of askers': `${ASKERS} EXCEPT ${STORED_ASKERS}`,
  'totals that are kept': `${STORED_ASKERS} EXCEPT SELECT * FROM (${ASKERS})`,
  'days of questions': `${DAYS} EXCEPT ${STORED_DAYS}`,
  'days that are kept': `${STORED_DAYS} EXCEPT SELECT * FROM (${DAYS})`,
  'hours of questions': `${HOURS} EXCEPT ${STORED_HOURS}`,
  'hours that are kept': `${STORED_HOURS} EXCEPT SELECT * FROM (${HOURS})`,
  'later than the latest': `SELECT q.id FROM (SELECT * FROM ${COUNTED}) q JOIN response_hour h
    ON h.seller_id = q.seller_id AND h.hour = q.date_created / 3600000 WHERE q.answered_at > h.latest`,
}

/** The differing rows by kind; empty if all counters are right. `all` runs a statement. */
export const miscounts = (all: (sql: string) => unknown[]): Record<string, unknown[]> =>
  Object.fromEntries(
    Object.entries(MISCOUNTS)
      .map(([name, sql]) => [name, all(sql)] as const)
      .filter(([, rows]) => rows.length > 0),
  )

export const miscountsOf = (db: Sqlite.Database) => miscounts((sql) => db.prepare(sql).all())
