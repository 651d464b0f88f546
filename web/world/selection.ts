import type { Row } from './chain.ts'
import { type Entry, isRefusedEntry, statusOf, usersOf } from './entries.ts'

/** Filters of the timeline, by their names in the address. */
export const FILTERS = ['q', 'lane', 'status', 'topic', 'user'] as const

/** The lines of which an entry passes all filters; a lane leaves only its entries. */
export function select(rows: Row[], query: { [name in (typeof FILTERS)[number]]?: string }): Row[] {
  const { lane } = query
  if (!FILTERS.some((name) => query[name])) return rows
  return rows.flatMap((row) => {
    const cells = lane ? row.cells.map((one) => (one?.lane === lane ? one : undefined)) : row.cells
    return cells.some((one) => one && passes(one, query)) ? { ...row, cells } : []
  })
}

function passes(
  entry: Entry,
  { q, status, topic, user }: { q?: string; status?: string; topic?: string; user?: string },
): boolean {
  if (topic && !('topic' in entry.event && entry.event.topic === topic)) return false
  if (user && !usersOf(entry).includes(Number(user))) return false
  if (status && !(status === 'refused' ? isRefusedEntry(entry) : statusClassOf(entry) === status)) return false
  return !q || JSON.stringify(entry.event).toLowerCase().includes(q.toLowerCase())
}

/** `2xx`; `0` without an answer. */
function statusClassOf(entry: Entry): string | undefined {
  const status = statusOf(entry)
  return status === undefined ? undefined : status === null ? '0' : `${Math.floor(status / 100)}xx`
}
