/** Entries of one list in memory; older ones are loaded again when a person returns to them. */
export const MAX_ENTRIES = 2000

/** A list of the server, newest first, as far as it was loaded. */
export interface Pages<Row> {
  rows: Row[]
  /** Rows on the server. */
  total: number
  /** The last row of the server is loaded. */
  isWhole: boolean
}

export interface Page<Row> {
  paging: { total: number; limit: number }
  results: Row[]
}

type IdOf<Row> = (row: Row) => number

/** The list after its newest page was read again: new rows, changed rows, and without those that left the list. */
export function withNewest<Row>(
  pages: Pages<Row> | undefined,
  { paging, results }: Page<Row>,
  idOf: IdOf<Row>,
): Pages<Row> {
  const isWhole = results.length < paging.limit
  const oldest = results.at(-1)
  const hasOverlap = oldest !== undefined && pages?.rows[0] !== undefined && idOf(oldest) <= idOf(pages.rows[0])
  if (isWhole || !hasOverlap) return { rows: results, total: paging.total, isWhole }
  const older = pages!.rows.filter((row) => idOf(row) < idOf(oldest))
  const rows = [...results, ...older].slice(0, MAX_ENTRIES)
  return { rows, total: paging.total, isWhole: pages!.isWhole && rows.length === results.length + older.length }
}

/** The list with its next page, which was read with `before` the last row. */
export function withOlder<Row>(pages: Pages<Row>, { paging, results }: Page<Row>, idOf: IdOf<Row>): Pages<Row> {
  const last = pages.rows.at(-1)
  // A server that does not know `before` answers its first page again.
  const older = results.filter((row) => last === undefined || idOf(row) < idOf(last))
  const isWhole = older.length < paging.limit || pages.rows.length + older.length >= MAX_ENTRIES
  return { ...pages, rows: [...pages.rows, ...older], isWhole }
}
