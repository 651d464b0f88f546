import { Empty } from '../../parts/feedback.tsx'
import { NoMatch } from '../../parts/filters.tsx'
import { PagedTable } from '../../parts/paged_table.tsx'
import type { Column } from '../../parts/table.tsx'
import { visible } from '../../parts/text.ts'
import { mercadito } from '../../snippets/curl.ts'
import { distanceOf, timeOf } from '../../words/time.ts'
import { formatAddress } from '../../world/address.ts'
import { baseUrl, read } from '../../world/client.ts'
import { worldNow } from '../../world/clock.ts'
import type { Loaded } from '../../world/load.ts'
import { usePages } from '../../world/use_pages.ts'
import { words } from '../words.ts'
import { AttemptBar } from './attempt_bar.tsx'
import { type Delivery, type Status, type Subscription, TONES, type Topic } from './deliveries.ts'
import { FILTERS, Filters } from './filters.tsx'
import { useLastAttempt } from './last_attempt.ts'
import { Subscriptions } from './subscriptions.tsx'

const PAGE = 50
/** In px, for two lines. */
const ROW_HEIGHT = 56

interface ListProps {
  query: Record<string, string>
  open: number
  subscriptions: Loaded<Subscription[]>
}

export function DeliveryList({ query, open, subscriptions }: ListProps) {
  const { status, app, topic, resource, q } = query
  const pages = usePages<Delivery>({
    key: JSON.stringify([status, app, topic, resource, q]),
    idOf: ({ id }) => id,
    refreshOn: ({ type }) => type === 'fact' || type === 'attempt' || type === 'control' || type === 'clock',
    load: (before, signal) =>
      read('GET /deliveries', {
        query: {
          ...{ status: status as Status | undefined, topic: topic as Topic | undefined, resource, q, before },
          ...{ application_id: app ? Number(app) : undefined, limit: PAGE },
        },
        ...(signal && { signal }),
      }),
  })
  return (
    <>
      <Filters query={query} subscriptions={subscriptions.data ?? []} again={pages.again} />
      <Subscriptions loaded={subscriptions} app={app} />
      <PagedTable
        pages={pages}
        empty={<NoDeliveries isFiltered={FILTERS.some((name) => query[name])} />}
        label={words().webhooks.title}
        columns={columns(subscriptions.data ?? [])}
        hrefOf={({ id }) => formatAddress('webhooks', [id], query)}
        openKey={open}
        rowHeight={ROW_HEIGHT}
      />
    </>
  )
}

function columns(subscriptions: Subscription[]): Column<Delivery>[] {
  const w = words().webhooks
  const limitOf = (id: number) =>
    subscriptions.find(({ application }) => application.id === id)?.setting?.numbers.limit_ms
  return [
    { title: w.resource, width: 'minmax(8rem, 1fr)', cell: (row) => <RowText {...row} /> },
    {
      title: w.lastAttempt,
      width: '15rem',
      isWide: true,
      cell: (row) => <LastAttempt delivery={row} limitMs={limitOf(row.application_id)} />,
    },
    { title: w.time, width: '8rem', isNumber: true, cell: (row) => <When {...row} /> },
  ]
}

function RowText({ id, resource, status, topic, user_id, attempts }: Delivery) {
  const w = words().webhooks
  return (
    <span class="two-lines">
      <span class="mono">
        <span class="muted">{id}</span> <bdi>{visible(resource)}</bdi>
      </span>
      <span class="second-line">
        <span class="badge" data-tone={TONES[status]}>
          {w[status]}
        </span>
        <span class="muted">
          {topic} → {user_id}
          {attempts > 1 && ` · ${w.attempt(attempts)}`}
        </span>
      </span>
    </span>
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

function NoDeliveries({ isFiltered }: { isFiltered: boolean }) {
  const w = words().webhooks
  if (isFiltered) return <NoMatch title={w.noMatch} filters={FILTERS} />
  return (
    <Empty icon="webhooks" title={w.none} command={mercadito('notify http://127.0.0.1:3000/hook', baseUrl)}>
      <p>{w.noneWhy}</p>
    </Empty>
  )
}
