import { useRef, useState } from 'preact/hooks'
import type { AnyEvent } from '../../lib/types.ts'
import { type Loaded, useLoad } from './load.ts'
import { type Page, type Pages, withNewest, withOlder } from './pages.ts'

interface PagesOptions<Row> {
  /** Reads a page, newest first; only rows older than `before` if it is given. */
  load(before: number | undefined, signal?: AbortSignal): Promise<Page<Row>>
  idOf(row: Row): number
  /** The filters: another key is another list. */
  key: string
  refreshOn(event: AnyEvent): boolean
}

export interface ShownPages<Row> extends Loaded<Pages<Row>> {
  /** Loads the next page. */
  onEnd(): void
  /** New rows that wait, because the person has scrolled or has paused. */
  waiting: number
  setHolding(isHolding: boolean): void
}

/** A list of the server, newest first, that follows events and loads older rows when it is scrolled. */
export function usePages<Row>({ load, idOf, key, refreshOn }: PagesOptions<Row>): ShownPages<Row> {
  const known = useRef<{ key: string; pages: Pages<Row> | undefined }>({ key, pages: undefined })
  const isLoadingOlder = useRef(false)
  const [heldAt, setHeldAt] = useState<number | undefined>(undefined)
  const [, render] = useState({})
  if (known.current.key !== key) known.current = { key, pages: undefined }

  const loaded = useLoad(
    async (signal) => {
      const page = await load(undefined, signal)
      if (!signal.aborted) known.current = { key, pages: withNewest(known.current.pages, page, idOf) }
    },
    { key, refreshOn },
  )
  const { pages } = known.current

  const onEnd = async () => {
    const last = pages?.rows.at(-1)
    if (isLoadingOlder.current || !pages || pages.isWhole || last === undefined) return
    isLoadingOlder.current = true
    try {
      const page = await load(idOf(last))
      const { current } = known
      if (current.key === key && current.pages) current.pages = withOlder(current.pages, page, idOf)
    } catch {
      // Scrolling again tries again.
    }
    isLoadingOlder.current = false
    render({})
  }

  const shown = pages && heldAt !== undefined ? pages.rows.filter((row) => idOf(row) <= heldAt) : pages?.rows
  return {
    ...loaded,
    data: pages && { ...pages, rows: shown! },
    onEnd: () => void onEnd(),
    waiting: pages ? pages.rows.length - shown!.length : 0,
    setHolding(isHolding) {
      const newest = pages?.rows[0]
      if (isHolding !== (heldAt !== undefined)) setHeldAt(isHolding && newest !== undefined ? idOf(newest) : undefined)
    },
  }
}
