/** Entries of one list in memory; older ones are loaded again when a person returns to them. */
export const MAX_ENTRIES = 2000

export interface Numbered {
  id: number
}

/** A list of the server, newest first, as far as it was loaded. */
export interface Pages<Row> {
  rows: Row[]
  /** Rows on the server; of a search those that were found. */
  total: number
  /** `before` of the next page; null if there is none, or if no more rows are stored here. */
  next: number | null
}

export interface Page<Row> {
  /** `next_before` is missing in lists that cannot be searched in parts. */
  paging: { total: number; limit: number; next_before?: number | null }
  results: Row[]
}

const nextOf = ({ paging: { limit, next_before }, results }: Page<Numbered>): number | null =>
  next_before !== undefined ? next_before : results.length < limit ? null : results.at(-1)!.id

/** The list after its newest page was read again: new rows, changed rows, and without those that left the list. */
export function withNewest<Row extends Numbered>(pages: Pages<Row> | undefined, page: Page<Row>): Pages<Row> {
  const { paging, results } = page
  const next = nextOf(page)
  const newest = pages?.rows[0]
  if (!pages || next === null || newest === undefined || next > newest.id)
    return { rows: results, total: paging.total, next }
  const older = pages.rows.filter(({ id }) => id < next)
  const rows = [...results, ...older].slice(0, MAX_ENTRIES)
  return {
    rows,
    total: Math.max(paging.total, rows.length),
    next: rows.length === MAX_ENTRIES ? null : older.length === 0 ? next : pages.next,
  }
}

/** The list with its next page, which was read with `before` the last row. */
export function withOlder<Row extends Numbered>(pages: Pages<Row>, page: Page<Row>): Pages<Row> {
  const last = pages.rows.at(-1)
  // A server that does not know `before` answers its first page again.
  const older = page.results.filter(({ id }) => last === undefined || id < last.id)
  const rows = [...pages.rows, ...older]
  const isEnd = older.length < page.results.length || rows.length >= MAX_ENTRIES
  return { rows, total: Math.max(pages.total, rows.length), next: isEnd ? null : nextOf(page) }
}
