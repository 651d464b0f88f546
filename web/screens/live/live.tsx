import { useEffect, useState } from 'preact/hooks'
import { Empty, Skeleton } from '../../parts/feedback.tsx'
import { NoMatch, SearchField } from '../../parts/filters.tsx'
import { Icon } from '../../parts/icons.tsx'
import { useKeys } from '../../parts/keys.ts'
import { localMinuteOf } from '../../words/time.ts'
import type { Address } from '../../world/address.ts'
import { type Lane, replacementOf } from '../../world/entries.ts'
import { FILTERS, select } from '../../world/selection.ts'
import {
  chain,
  counts,
  entries,
  isLoaded,
  isPaused,
  rows,
  startTimeline,
  togglePause,
  waiting,
} from '../../world/timeline.ts'
import { titleOf } from '../index.ts'
import { wordsOf } from '../words.ts'
import { byOf } from './cells.tsx'
import { Filters } from './filters.tsx'
import { Panel, WhatNow } from './panel.tsx'
import { Phone } from './phone.tsx'
import { newsText, Timeline } from './timeline.tsx'

const w = wordsOf('live')

export default function Live({ query }: Address) {
  const { pick, item, order } = query
  useEffect(startTimeline, [])
  useKeys([{ keys: 'p', title: isPaused.value ? w.resume : w.pause, run: togglePause }])
  return (
    <div class="live">
      <NewsTitle />
      <div class="filters">
        <h1>{titleOf('live')}</h1>
        <SearchField label={w.filter} />
        <button type="button" class="small" aria-pressed={isPaused.value} onClick={togglePause}>
          <Icon name={isPaused.value ? 'play' : 'pause'} />
          {isPaused.value ? `${w.resume} · ${w.waiting(waiting.value)}` : w.pause}
        </button>
        <Filters query={query} />
      </div>
      <div class="live-panes" data-picked={pick !== undefined}>
        <Entries query={query} />
        <Phone item={item} order={order ? Number(order) : undefined} />
        {pick !== undefined && isLoaded.value && <Panel pick={pick} query={query} />}
      </div>
      <Log />
    </div>
  )
}

/** What has happened, or why there is nothing. */
function Entries({ query }: { query: Record<string, string> }) {
  if (!isLoaded.value && entries.value.length === 0) return <Skeleton />
  const last = entries.value.at(-1)
  const replacement = last && replacementOf(last)
  if (replacement && entries.value.every(replacementOf)) {
    const by = byOf(last.event)
    const what = by ? w.replacedBy(w[replacement], by) : w[replacement]
    return (
      <Empty icon="live" title={`${what}, ${localMinuteOf(last.realAt)}`}>
        <WhatNow />
      </Empty>
    )
  }
  if (!last)
    return (
      <Empty icon="live" title={w.nothing}>
        <p>{w.nothingWhy}</p>
      </Empty>
    )
  const shown = select(rows.value, query)
  if (shown.length === 0) return <NoMatch title={w.noMatch} filters={FILTERS} />
  const picked = query.pick === undefined ? undefined : new Set(chain(query.pick).map(({ key }) => key))
  return <Timeline rows={shown} query={query} picked={picked} />
}

/** The title of the tab says what a person misses in it. */
function NewsTitle() {
  const text = newsText()
  const title = titleOf('live')
  useEffect(() => {
    document.title = `${text && `${text} · `}${title} · mercadito`
  }, [text, title])
  return null
}

/** Ms between two announcements: a screen reader must be able to keep up. */
const EVERY_MS = 5000

/** Says to screen readers how much has happened; the lines can be read in the table. */
function Log() {
  const [text, setText] = useState('')
  useEffect(() => {
    let before = counts.peek()
    const timer = setInterval(() => {
      const now = counts.peek()
      const former = before
      const since = (lane: Lane) => now[lane] - former[lane]
      before = now
      const [calls, changes, webhooks] = [since('calls'), since('changes'), since('webhooks')]
      if (calls + changes + webhooks > 0) setText(w.summary(calls, changes, webhooks))
    }, EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <div class="hidden" role="log">
      {text}
    </div>
  )
}
