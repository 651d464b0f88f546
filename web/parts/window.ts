/** Rows rendered above and below the visible ones, so that scrolling shows no blank. */
const OVERSCAN = 8
/** Rows of any list in the document. */
export const MAX_ROWS = 60

/** The rows of a list that are rendered: `first` inclusive, `last` exclusive. All rows have one height, in px. */
export function windowOf(
  scrollTop: number,
  height: number,
  rowHeight: number,
  count: number,
): { first: number; last: number } {
  const visible = Math.min(Math.ceil(height / rowHeight) + 1, MAX_ROWS - 2 * OVERSCAN)
  // The list may have become shorter than the position.
  const top = Math.max(0, Math.min(Math.floor(scrollTop / rowHeight), count - visible))
  return { first: Math.max(0, top - OVERSCAN), last: Math.min(count, top + visible + OVERSCAN) }
}
