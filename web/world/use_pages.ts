import { useRef, useState } from 'preact/hooks'
import { type Loaded, type RefreshOn, useLoad } from './load.ts'
import { type Numbered, type Page, type Pages, withNewest, withOlder } from './pages.ts'
import { worldState } from './stream.ts'

interface PagesOptions<Row> {
  /** Reads a page, newest first; only rows older than `before` if it is given. */
  load(before: number | undefined, signal?: AbortSignal): Promise<Page<Row>>
  /** The filters: another key is another list. */
  key: string
  refreshOn: RefreshOn
}

export interface ShownPages<Row> extends Loaded<Pages<Row>> {
  /** Loads the next page. */
  onEnd(): void
  /** New rows that wait, because the person has scrolled or has paused. */
  waiting: number
  setHolding(isHolding: boolean): void
}

interface KnownPages<Row> {
  key: string
  /** The state of the world that they belong to: rows of another state may have the same numbers. */
  state: string | undefined
  pages: Pages<Row> | undefined
}

/** A list of the server, newest first, that follows events and loads older rows when it is scrolled. */
export function usePages<Row extends Numbered>({ load, key, refreshOn }: PagesOptions<Row>): ShownPages<Row> {
  const state = worldState.value
  const known = useRef<KnownPages<Row>>({ key, state, pages: undefined })
  const isLoadingOlder = useRef(false)
  const [held, setHeld] = useState<{ state: string | undefined; at: number } | undefined>(undefined)
  const [, render] = useState({})
  if (known.current.key !== key) known.current = { key, state, pages: undefined }

  const loaded = useLoad(
    async (signal) => {
      const page = await loadFound(load, undefined, signal)
      if (signal.aborted) return
      const { current } = known
      const pages = withNewest(current.state === state ? current.pages : undefined, page)
      known.current = { key, state, pages }
    },
    { key, refreshOn },
  )
  const { pages } = known.current

  const onEnd = async () => {
    if (isLoadingOlder.current || !pages || pages.next === null) return
    isLoadingOlder.current = true
    try {
      const page = await loadFound(load, pages.next)
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
  return {
    ...loaded,
    data: pages && { ...pages, rows: shown! },
    onEnd: () => void onEnd(),
    waiting: pages ? pages.rows.length - shown!.length : 0,
    setHolding(isWanted) {
      const newest = pages?.rows[0]
      if (isWanted !== isHolding) setHeld(isWanted && newest !== undefined ? { state, at: newest.id } : undefined)
    },
  }
}

/** The next page with rows: a search reads some of the list at a time, and may have found nothing there. */
async function loadFound<Row>(
  load: PagesOptions<Row>['load'],
  before: number | undefined,
  signal?: AbortSignal,
): Promise<Page<Row>> {
  const page = await load(before, signal)
  const { next_before: next } = page.paging
  return page.results.length === 0 && next != null ? loadFound(load, next, signal) : page
}
