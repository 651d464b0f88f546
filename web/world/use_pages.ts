import { useRef, useState } from 'preact/hooks'
import type { AnswerOf, Call, Operations } from '../../lib/types.ts'
import { type Loaded, type LoadOptions, useCall, useLoad } from './load.ts'
import { MAX_ENTRIES, type Numbered, type Page, type Pages, withNewest, withOlder } from './pages.ts'
import { worldState } from './stream.ts'

/** Rows of a page. */
const PAGE = 50
/** Rows that are loaded to find the open one, and of a list that has no pages. */
const MAX_SOUGHT = 1000
/** Rows of such a list that are read at first, or next if it begins with fewer. */
const MANY_ROWS = 100

interface ListOptions<Query, Row> extends Pick<LoadOptions, 'refreshOn' | 'refreshMs'> {
  /** Of the call; with others it is another list. */
  filters: Query
  load(query: Query & { limit: number; before?: number | undefined }, signal?: AbortSignal): Promise<Page<Row>>
}

/** A list of the server as far as it was loaded, for a `ListTable` or `ListRows`. */
export interface ShownList<Row> extends Loaded<{ rows: Row[]; total: number }> {
  /** Loads more rows; undefined if there are no more, or the page has as many as it may have. */
  onMore: (() => void) | undefined
  /** Whether the row with this id may be among those that were not loaded. */
  mayFollow(id: string | number): boolean
  /** New rows that wait, because the person has scrolled or has paused. */
  waiting?: number
  setHolding?(isHolding: boolean): void
}

interface KnownPages<Row> {
  key: string
  /** The state of the world that they belong to: rows of another state may have the same numbers. */
  state: string | undefined
  pages: Pages<Row> | undefined
}

/** A list of the server, newest first, that follows events and loads older rows when it is scrolled. */
export function usePages<Query, Row extends Numbered>({ filters, load, ...options }: ListOptions<Query, Row>) {
  const key = JSON.stringify(filters)
  const loadPage = (before: number | undefined, signal?: AbortSignal) =>
    load({ ...filters, before, limit: PAGE }, signal)
  const state = worldState.value
  const known = useRef<KnownPages<Row>>({ key, state, pages: undefined })
  const isLoadingOlder = useRef(false)
  const [held, setHeld] = useState<{ state: string | undefined; at: number } | undefined>(undefined)
  const [, render] = useState({})
  if (known.current.key !== key) known.current = { key, state, pages: undefined }

  const loaded = useLoad(
    async (signal) => {
      const page = await loadFound(loadPage, undefined, signal)
      if (signal.aborted) return
      const { current } = known
      const pages = withNewest(current.state === state ? current.pages : undefined, page)
      known.current = { key, state, pages }
    },
    { key, ...options },
  )
  const { pages } = known.current

  const loadOlder = async () => {
    if (isLoadingOlder.current || !pages || pages.next === null) return
    isLoadingOlder.current = true
    try {
      const page = await loadFound(loadPage, pages.next)
      const { current } = known
      if (current.key === key && current.state === state && current.pages)
        current.pages = withOlder(current.pages, page)
    } catch {
      // Scrolling again tries again.
    }
    isLoadingOlder.current = false
    render({})
  }

  const isHolding = held !== undefined && held.state === state
  const shown = pages && isHolding ? pages.rows.filter(({ id }) => id <= held.at) : pages?.rows
  const list: ShownList<Row> = {
    ...loaded,
    data: pages && { ...pages, rows: shown! },
    onMore: shown && shown.length >= MAX_ENTRIES ? undefined : () => void loadOlder(),
    mayFollow: (id) => Number(id) < (shown?.at(-1)?.id ?? 0) && shown!.length < MAX_SOUGHT,
    waiting: pages ? pages.rows.length - shown!.length : 0,
    setHolding(isWanted) {
      const newest = pages?.rows[0]
      if (isWanted !== isHolding) setHeld(isWanted && newest !== undefined ? { state, at: newest.id } : undefined)
    },
  }
  return list
}

interface WholeOptions extends LoadOptions {
  /** Rows that are read at first. */
  first?: number
}
type RowOf<C extends Call> = AnswerOf<C> extends { results: (infer Row)[] } ? Row : never
type QueryOf<C extends Call> = Operations[C] extends { query: infer Query } ? Query : never

/** A list of the server without pages: its first rows, then more, then all up to a limit. */
export function useWhole<C extends Call>(
  call: C,
  filters: QueryOf<C>,
  { first = MANY_ROWS, ...options }: WholeOptions,
): ShownList<RowOf<C>> {
  const [limit, setLimit] = useState(first)
  const loaded = useCall(call, { query: { ...(filters as object), limit } } as never, options) as Loaded<Page<RowOf<C>>>
  const { paging, results: rows } = loaded.data ?? { paging: { total: 0, limit: 0 }, results: [] }
  const isPart = rows.length < paging.total
  const next = paging.limit < MANY_ROWS ? MANY_ROWS : MAX_SOUGHT
  return {
    ...loaded,
    data: loaded.data && { rows, total: paging.total },
    onMore: isPart && paging.limit < MAX_SOUGHT ? () => setLimit(next) : undefined,
    mayFollow: (id) => isPart && !rows.some((row) => (row as { id?: unknown }).id === id),
  }
}

/** The next page with rows: a search reads some of the list at a time, and may have found nothing there. */
async function loadFound<Row>(
  load: (before: number | undefined, signal?: AbortSignal) => Promise<Page<Row>>,
  before: number | undefined,
  signal?: AbortSignal,
): Promise<Page<Row>> {
  const page = await load(before, signal)
  const { next_before: next } = page.paging
  return page.results.length === 0 && next != null ? loadFound(load, next, signal) : page
}
