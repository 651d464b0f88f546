import { useEffect } from 'preact/hooks'
import { Empty, Skeleton } from '../../parts/feedback.tsx'
import { SearchField } from '../../parts/filters.tsx'
import { Icon } from '../../parts/icons.tsx'
import { useKeys } from '../../parts/keys.ts'
import { words as common } from '../../words/index.ts'
import type { Row } from '../../world/chain.ts'
import {
  chain,
  isEmpty,
  isLoaded,
  isPaused,
  links,
  rows,
  startTimeline,
  togglePause,
  waiting,
} from '../../world/timeline.ts'
import type { ScreenProps } from '../screen.ts'
import { words } from '../words.ts'
import { ChainStrip } from './chain_strip.tsx'
import { Log } from './log.tsx'
import { Phone } from './phone.tsx'
import { Timeline } from './timeline.tsx'

export default function Live({ query }: ScreenProps) {
  const w = words().live
  const { pick, item, q } = query
  useEffect(startTimeline, [])
  useKeys([{ keys: 'p', title: isPaused.value ? common().resume : common().pause, run: togglePause }])
  const picked = pick === undefined ? undefined : chain(pick)
  return (
    <div class="live">
      <div class="filters">
        <h1>{w.title}</h1>
        <SearchField label={common().filter} value={q} />
        <button type="button" class="small" aria-pressed={isPaused.value} onClick={togglePause}>
          <Icon name={isPaused.value ? 'play' : 'pause'} />
          {isPaused.value ? `${common().resume} · ${common().waiting(waiting.value)}` : common().pause}
        </button>
      </div>
      <div class="live-panes">
        <Phone item={item} />
        {isEmpty.value ? (
          isLoaded.value ? (
            <Empty icon="live" title={w.nothing}>
              <p>{w.nothingWhy}</p>
            </Empty>
          ) : (
            <Skeleton />
          )
        ) : (
          <Timeline
            rows={filtered(rows.value, q)}
            query={query}
            picked={picked && new Set(picked.map(({ key }) => key))}
          />
        )}
      </div>
      {picked && isLoaded.value && <ChainStrip chain={picked} links={links.value} pick={pick!} />}
      <Log />
    </div>
  )
}

/** Lines with the text in any of their entries. */
function filtered(all: Row[], text: string | undefined): Row[] {
  if (!text) return all
  const wanted = text.toLowerCase()
  return all.filter(({ cells }) =>
    cells.some((entry) => entry && JSON.stringify(entry.event).toLowerCase().includes(wanted)),
  )
}
