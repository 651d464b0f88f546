import { useRef, useState } from 'preact/hooks'
import type { AnswerOf } from '../../../lib/types.ts'
import { Confirm } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/feedback.tsx'
import { FilterBar, NoMatch, SearchField } from '../../parts/filters.tsx'
import { Choices } from '../../parts/form.tsx'
import { Method, Status } from '../../parts/status.tsx'
import { type Column, PagedTable } from '../../parts/table.tsx'
import { visible } from '../../parts/text.tsx'
import { attempt, notify } from '../../parts/toasts.tsx'
import { words as common } from '../../words/index.ts'
import { durationOf, timeOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { formatAddress } from '../../world/address.ts'
import { baseUrl, change, read, worldId } from '../../world/client.ts'
import { download } from '../../world/files.ts'
import { openDetail, setQuery } from '../../world/navigation.ts'
import { canChange } from '../../world/role.ts'
import { epoch } from '../../world/stream.ts'
import { usePages } from '../../world/use_pages.ts'
import { words } from '../words.ts'

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

function Filters({ query }: { query: Record<string, string> }) {
  const w = words().requests
  return (
    <FilterBar title={w.title}>
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
      <SearchField label={w.searchHere} value={query.q} />
    </FilterBar>
  )
}

interface PageInfo {
  /** Earlier calls that are no longer stored. */
  dropped: number
  /** The latest change of the world's state after which the list went on. */
  mark: AnswerOf<'GET /requests'>['marks'][number] | undefined
}

/** How many there are, how many are no longer stored, and since when they belong to the present state. */
function Footer({ total, dropped, mark }: PageInfo & { total: number }) {
  const [isAsking, setAsking] = useState(false)
  const w = words().requests
  const clear = async () => {
    await change(w.clear, 'DELETE /requests')
    notify(w.cleared)
    openDetail()
    epoch.value++
  }
  // An error is reported.
  const save = () => void attempt(() => download('GET /recording', `mercadito-${worldId}.jsonl`)).catch(() => {})
  return (
    <p class="list-footer">
      <span>
        {w.count(total)}
        {dropped > 0 && ` · ${w.dropped(number(dropped))}`}
        {mark && ` · ${w.markAfter(w[mark.change], mark.after)}`}
      </span>
      <a href={formatAddress('requests', ['coverage'])}>{w.coverage}</a>
      {canChange.value && (
        <>
          <button type="button" class="small plain" onClick={save}>
            {w.recording}
          </button>
          <button type="button" class="small plain" aria-haspopup="dialog" onClick={() => setAsking(true)}>
            {w.clear}
          </button>
        </>
      )}
      {isAsking && (
        <Confirm title={w.clearTitle} action={w.clear} onConfirm={clear} onClose={() => setAsking(false)}>
          <p>{w.clearWhy}</p>
        </Confirm>
      )}
    </p>
  )
}
