import { useRef } from 'preact/hooks'
import type { AnswerOf } from '../../../lib/types.ts'
import { Empty } from '../../parts/feedback.tsx'
import { NoMatch } from '../../parts/filters.tsx'
import { PagedTable } from '../../parts/paged_table.tsx'
import { Method, Status } from '../../parts/status.tsx'
import type { Column } from '../../parts/table.tsx'
import { visible } from '../../parts/text.ts'
import { durationOf, timeOf } from '../../words/time.ts'
import { formatAddress } from '../../world/address.ts'
import { baseUrl, read } from '../../world/client.ts'
import { usePages } from '../../world/use_pages.ts'
import { words } from '../words.ts'
import { Filters } from './filters.tsx'
import { Footer, type PageInfo } from './footer.tsx'

const PAGE = 50

type Row = AnswerOf<'GET /requests'>['results'][number]

interface ListProps {
  query: Record<string, string>
  open: number | undefined
}

export function RequestList({ query, open }: ListProps) {
  const w = words().requests
  const filters = { status: query.status, q: query.q }
  const more = useRef<PageInfo>({ dropped: 0, mark: undefined })
  const pages = usePages<Row>({
    key: JSON.stringify(filters),
    idOf: ({ id }) => id,
    refreshOn: ({ type }) => type === 'request',
    async load(before, signal) {
      const query = { ...filters, before, bodies: 'false' as const, order: 'desc' as const, limit: PAGE }
      const page = await read('GET /requests', { query, ...(signal && { signal }) })
      more.current = { dropped: page.dropped, mark: page.marks.at(-1) }
      return page
    },
  })
  const { data } = pages
  return (
    <>
      <Filters query={query} />
      <PagedTable
        pages={pages}
        empty={<NoRequests isFiltered={Object.values(filters).some(Boolean)} />}
        label={w.title}
        columns={columns()}
        hrefOf={({ id }) => formatAddress('requests', [id], query)}
        openKey={open}
      />
      {data && data.rows.length > 0 && <Footer total={data.total} {...more.current} />}
    </>
  )
}

function columns(): Column<Row>[] {
  const w = words().requests
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

function NoRequests({ isFiltered }: { isFiltered: boolean }) {
  const w = words().requests
  if (!isFiltered)
    return (
      <Empty icon="requests" title={w.noCalls} command={`curl ${baseUrl}/currencies`}>
        <p>{w.noCallsWhy}</p>
      </Empty>
    )
  return <NoMatch title={w.noMatch} filters={['status', 'q']} />
}
