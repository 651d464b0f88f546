import { useEffect, useState } from 'preact/hooks'
import { Empty } from '../../parts/feedback.tsx'
import { ChoicesFilter, FilterBar, NoMatch, RemovableFilter, SearchField, SelectFilter } from '../../parts/filters.tsx'
import { titled } from '../../parts/form.tsx'
import { TwoLines } from '../../parts/page.tsx'
import { ListTable } from '../../parts/rows.tsx'
import type { Column } from '../../parts/table.tsx'
import { attempt, notify } from '../../parts/toasts.tsx'
import { Badge, foreign, visible } from '../../parts/values.tsx'
import { mercadito } from '../../snippets/call.ts'
import { distanceOf, timeOf } from '../../words/time.ts'
import { filtersOf } from '../../world/address.ts'
import { baseUrl, read, send } from '../../world/client.ts'
import { worldNow } from '../../world/clock.ts'
import type { Loaded } from '../../world/load.ts'
import { canChange } from '../../world/role.ts'
import { epoch } from '../../world/stream.ts'
import { usePages } from '../../world/use_pages.ts'
import { wordsOf } from '../words.ts'
import {
  type Attempt,
  AttemptBar,
  type Delivery,
  FILTERS,
  type Query,
  STATUSES,
  type Subscription,
  TONES,
  TOPICS,
} from './deliveries.tsx'
import { InboxLink } from './inbox.tsx'
import { ResendMissed } from './resend_missed.tsx'
import { Subscriptions } from './subscriptions.tsx'

const w = wordsOf('webhooks')

interface ListProps {
  query: Record<string, string>
  open: number
  subscriptions: Loaded<Subscription[]>
}

export function DeliveryList({ query, open, subscriptions }: ListProps) {
  const list = usePages({
    filters: filtersOf<Query>(query, FILTERS),
    refreshOn: ['fact', 'attempt', 'control', 'clock'],
    load: (query, signal) => read('GET /deliveries', { query, signal }),
  })
  return (
    <>
      <Filters query={query} subscriptions={subscriptions.data ?? []} />
      <Subscriptions loaded={subscriptions} app={query.app} />
      <ListTable
        list={list}
        empty={
          <NoMatch title={w.noMatch} filters={FILTERS}>
            <Empty icon="webhooks" title={w.none} command={mercadito('notify http://127.0.0.1:3000/hook', baseUrl)}>
              <p>{w.noneWhy}</p>
            </Empty>
          </NoMatch>
        }
        columns={columns(subscriptions.data ?? [])}
        openKey={open}
        isTall
      />
    </>
  )
}

function columns(subscriptions: Subscription[]): Column<Delivery>[] {
  const limitOf = (id: number) =>
    subscriptions.find(({ application }) => application.id === id)?.setting?.numbers.limit_ms
  return [
    { title: w.resource, width: 'minmax(8rem, 1fr)', cell: (row) => <RowText {...row} /> },
    {
      title: w.lastAttempt,
      width: '15rem',
      class: 'wide',
      cell: (row) => <LastAttempt delivery={row} limitMs={limitOf(row.application_id)} />,
    },
    { title: w.time, width: '8rem', class: 'number', cell: (row) => <When {...row} /> },
  ]
}

function RowText({ id, resource, status, topic, user_id, attempts }: Delivery) {
  const first = (
    <span class="mono">
      <span class="muted">{id}</span> {foreign(resource)}
    </span>
  )
  return (
    <TwoLines first={first}>
      <Badge tone={TONES[status]}>{w[status]}</Badge>
      <span class="muted">
        {topic} → {user_id}
        {attempts > 1 && ` · ${w.attempt(attempts)}`}
      </span>
    </TwoLines>
  )
}

function LastAttempt({ delivery, limitMs }: { delivery: Delivery; limitMs: number | undefined }) {
  const attempt = useLastAttempt(delivery)
  return attempt ? <AttemptBar attempt={attempt} limitMs={limitMs} /> : <span class="muted">–</span>
}

function When({ next_at, received }: Delivery) {
  const now = worldNow.value
  if (next_at === null || now === undefined) return <time dateTime={received}>{timeOf(received)}</time>
  return <time dateTime={next_at}>{distanceOf(Math.max(now, Date.parse(next_at)), now)}</time>
}

interface FiltersProps {
  query: Record<string, string>
  subscriptions: Subscription[]
}

function Filters({ query, subscriptions }: FiltersProps) {
  const applications = subscriptions.map(({ application: { id, name } }) => [String(id), visible(name)] as const)
  return (
    <FilterBar>
      {canChange.value && <Settle />}
      {canChange.value && <ResendMissed query={query} />}
      <InboxLink />
      <ChoicesFilter label={w.status} name="status" all={w.allFeminine} options={titled(STATUSES, w)} />
      {applications.length > 1 && (
        <SelectFilter label={w.application} name="app" all={w.anyApplication} options={applications} />
      )}
      <SelectFilter label={w.topic} name="topic" all={w.anyTopic} options={TOPICS} />
      <SearchField label={w.search} maxLength={100} />
      <RemovableFilter name="resource" />
    </FilterBar>
  )
}

/** It changes nothing by itself, so that it needs no snapshot. */
function Settle() {
  const [isBusy, setBusy] = useState(false)
  const settle = async () => {
    setBusy(true)
    try {
      await attempt(() => send('POST /settle'))
      notify(w.settled)
    } catch {
      // The call has reported its error.
    }
    setBusy(false)
  }
  return (
    <button type="button" class="small" title={w.settleWhy} disabled={isBusy} onClick={settle}>
      {w.settle}
    </button>
  )
}

/** Ms that a row must be in sight: scrolling quickly reads nothing. */
const DELAY_MS = 100
const MAX_ENTRIES = 2000
/** Finished attempts do not change; another state of the world has another epoch. */
const cache = new Map<string, Attempt | undefined>()

/** The last attempt of a delivery, which lists leave out. */
function useLastAttempt({ id, attempts }: Delivery): Attempt | undefined {
  const key = `${epoch.value}:${id}:${attempts}`
  const [, render] = useState({})
  useEffect(() => {
    if (attempts === 0 || cache.has(key)) return
    const controller = new AbortController()
    const load = async () => {
      const { tries } = await read('GET /deliveries/{id}', { path: { id }, signal: controller.signal })
      if (cache.size >= MAX_ENTRIES) cache.clear()
      cache.set(key, tries.at(-1))
      render({})
    }
    // A row without its bar is no error: opening it shows one.
    const timer = setTimeout(() => void load().catch(() => {}), DELAY_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [key])
  return cache.get(key)
}
