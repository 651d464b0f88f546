import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Test } from 'tap'
import type { Owner } from './torture.ts'

/** A data folder of servers that are killed, which is removed in the end. */
export function crashFolder(t: Owner): string {
  const data = mkdtempSync(join(tmpdir(), 'mercadito-crash-'))
  t.teardown(() => rmSync(data, { recursive: true }))
  return data
}

/** Works until the server is killed: calls in flight were not acknowledged. */
export async function untilKilled(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
}

/** Queries the first world of a folder, which must be whole, with sums of contacts that equal their rows. */
export function openCrashed(t: Test, data: string): (sql: string) => unknown[] {
  const db = new Sqlite(join(data, 'world-1.sqlite'), { readonly: true })
  t.teardown(() => db.close())
  const rows = (sql: string) => db.prepare(sql).all()
  t.strictSame(rows('PRAGMA integrity_check'), [{ integrity_check: 'ok' }])
  for (const subject of ['item', 'user'])
    t.strictSame(
      rows(`SELECT ${subject}_id, kind, hour, n FROM contact_${subject}_hour
            EXCEPT SELECT ${subject}_id, kind, cast(floor(at / 3600000.0) AS integer), count(*) FROM contact_event GROUP BY 1, 2, 3`),
      [],
      `rollups by ${subject} equal the rows`,
    )
  return rows
}

/** Each question that a writer has asked, `pregunta…`, has the event of its question and that of its answer. */
export function expectEvents(t: Test, rows: (sql: string) => unknown[]): void {
  t.strictSame(
    rows(`SELECT '/questions/' || id resource, 1 + (status = 'ANSWERED') n FROM question WHERE text LIKE 'pregunta%'
          EXCEPT SELECT resource, count(*) FROM outbox GROUP BY resource`),
    [],
    'every change has its event',
  )
}
