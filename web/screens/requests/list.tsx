import { useRef } from 'preact/hooks'
import type { AnswerOf } from '../../../lib/types.ts'
import { Empty, ErrorPanel, Skeleton } from '../../parts/feedback.tsx'
import { Choices } from '../../parts/fields.tsx'
import { useKeys } from '../../parts/keys.ts'
import { Method, Status } from '../../parts/status.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { visible } from '../../parts/text.ts'
import { words as common } from '../../words/index.ts'
import { durationOf, timeOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { formatAddress } from '../../world/address.ts'
import { baseUrl, read } from '../../world/client.ts'
import { setQuery } from '../../world/navigation.ts'
import { usePages } from '../../world/use_pages.ts'
import { words } from './words.ts'

const PAGE = 50

type Row = AnswerOf<'GET /requests'>['results'][number]

interface ListProps {
  query: Record<string, string>
  open: number | undefined
}

export function RequestList({ query, open }: ListProps) {
  const w = words()
  const filters = { status: query.status, q: query.q }
  const pages = usePages<Row>({
    key: JSON.stringify(filters),
    idOf: ({ id }) => id,
    refreshOn: ({ type }) => type === 'request',
    load: (before, signal) =>
      read('GET /requests', {
        query: { ...filters, before, bodies: 'false', order: 'desc', limit: PAGE },
        ...(signal && { signal }),
      }),
  })
  const { data, error, again, waiting, onEnd, setHolding } = pages
  return (
    <>
      <Filters query={query} />
      {error && <ErrorPanel error={error} again={again} />}
      {data === undefined ? (
        !error && <Skeleton />
      ) : data.rows.length === 0 ? (
        <NoRequests isFiltered={Object.values(filters).some(Boolean)} />
      ) : (
        <Table
          label={w.title}
          columns={columns()}
          rows={data.rows}
          total={data.total}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => formatAddress('requests', [id], query)}
          openKey={open}
          onEnd={onEnd}
          onScrolledAway={setHolding}
          waiting={waiting}
        />
      )}
    </>
  )
}

function columns(): Column<Row>[] {
  const w = words()
  return [
    {
      title: w.address,
      width: 'minmax(9rem, 1fr)',
      cell: ({ method, path, query }) => (
        <span class="mono">
          <Method name={method} /> <bdi>{visible(path + searchOf(query))}</bdi>
        </span>
      ),
    },
    { title: w.status, width: '3.5rem', cell: ({ response }) => <Status code={response.status} /> },
    {
      title: w.user,
      width: '7rem',
      isWide: true,
      cell: ({ user_id }) => <span class="mono muted">{user_id ?? '–'}</span>,
    },
    { title: w.duration, width: '4rem', isNumber: true, isWide: true, cell: ({ response }) => durationOf(response.ms) },
    { title: w.time, width: '4.5rem', isNumber: true, cell: ({ world_time }) => <time>{timeOf(world_time)}</time> },
  ]
}

/** The query as it is read, not as it is escaped. */
const searchOf = (query: Row['query']): string => {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => `${name}=${one}`))
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function Filters({ query }: { query: Record<string, string> }) {
  const search = useRef<HTMLInputElement>(null)
  const w = words()
  useKeys([{ keys: '/', title: common().filter, run: () => search.current?.focus() }])
  return (
    <div class="filters">
      <p class="page-title" aria-hidden="true">
        {w.title}
      </p>
      <Choices
        label={w.status}
        value={query.status ?? ''}
        options={[
          ['', common().all],
          ['2xx', '2xx'],
          ['4xx', '4xx'],
          ['5xx', '5xx'],
          ['0', w.noStatus],
        ]}
        onValue={(status) => setQuery({ status })}
      />
      <input
        ref={search}
        type="search"
        aria-label={w.searchHere}
        placeholder={w.searchHere}
        value={query.q ?? ''}
        onInput={({ currentTarget }) => setQuery({ q: currentTarget.value })}
      />
    </div>
  )
}

function NoRequests({ isFiltered }: { isFiltered: boolean }) {
  const w = words()
  if (!isFiltered)
    return (
      <Empty icon="requests" title={w.noCalls} command={`curl ${baseUrl}/currencies`}>
        <p>{w.noCallsWhy}</p>
      </Empty>
    )
  return (
    <Empty icon="search" title={w.noMatch}>
      <button type="button" onClick={() => setQuery({ status: undefined, q: undefined })}>
        {common().clearFilters}
      </button>
    </Empty>
  )
}

export const droppedText = (dropped: number): string => words().dropped(number(dropped))
