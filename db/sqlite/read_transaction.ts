import type Sqlite from 'better-sqlite3'
import { setImmediate } from '../timers.ts'

/** A read transaction that spans all reads of one turn of the event loop. */
export interface ReadTransaction {
  /** Opens it unless it is open. */
  begin(): void
  /** Ends it early, so that the next read sees later commits. */
  end(): void
}

/** One transaction for each read would cost more than a small read itself. */
export function createReadTransaction(connection: Sqlite.Database): ReadTransaction {
  const begin = connection.prepare('BEGIN')
  const commit = connection.prepare('COMMIT')
  let isOpen = false
  const end = () => {
    if (!isOpen) return
    isOpen = false
    commit.run()
  }
  return {
    begin() {
      if (isOpen) return
      begin.run()
      isOpen = true
      setImmediate(end)
    },
    end,
  }
}
