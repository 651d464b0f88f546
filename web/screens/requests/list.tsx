import { signal } from '@preact/signals'
import { useRef, useState } from 'preact/hooks'
import type { AnswerOf } from '../../../lib/types.ts'
import { Confirm } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/feedback.tsx'
import { NoMatch } from '../../parts/filters.tsx'
import { Method, Status } from '../../parts/status.tsx'
import { type Column, PagedTable } from '../../parts/table.tsx'
import { visible } from '../../parts/text.tsx'
import { attempt, notify } from '../../parts/toasts.tsx'
import { durationOf, timeOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { formatAddress } from '../../world/address.ts'
import { baseUrl, change, read, worldId } from '../../world/client.ts'
import { download } from '../../world/files.ts'
import { openDetail } from '../../world/navigation.ts'
import { canChange } from '../../world/role.ts'
import { epoch, worldState } from '../../world/stream.ts'
import { usePages } from '../../world/use_pages.ts'
import { words } from '../words.ts'
import { FILTERS, Filters, filtersOf, type Grouped, groupRefusals, type Row } from './filters.tsx'

const PAGE = 50

interface ListProps {
  query: Record<string, string>
  open: number | undefined
}

export function RequestList({ query, open }: ListProps) {
  const w = words().requests
  const filters = filtersOf(query)
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
  const shown = query.group && data ? { ...pages, data: { ...data, rows: groupRefusals(data.rows) } } : pages
  return (
    <>
      <Filters query={query} />
      <Pins query={query} />
      <PagedTable
        pages={shown}
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

/** Calls that stay on top, until the page is loaded again. */
export const pins = signal<{ state: string | undefined; row: Row }[]>([])
export const pinned = () => pins.value.filter(({ state }) => state === worldState.value).map(({ row }) => row)

function Pins({ query }: { query: Record<string, string> }) {
  const rows = pinned()
  if (rows.length === 0) return null
  return (
    <ul class="pins" aria-label={words().requests.pinned}>
      {rows.map(({ id, method, path, query: sent, response }) => (
        <li key={id}>
          <a class="mono" href={formatAddress('requests', [id], query)}>
            #{id} <Method name={method} /> <bdi>{visible(path + searchOf(sent))}</bdi>
          </a>
          <Status code={response.status} />
        </li>
      ))}
    </ul>
  )
}

function columns(): Column<Grouped>[] {
  const w = words().requests
  return [
    {
      title: w.address,
      width: 'minmax(9rem, 1fr)',
      cell: ({ method, path, query, times = 1 }) => (
        <span class="mono">
          {times > 1 && <b>{number(times)} × </b>}
          <Method name={method} /> <bdi>{visible(path)}</bdi>
          <bdi class="muted">{visible(searchOf(query))}</bdi>
        </span>
      ),
    },
    { title: w.status, width: '3.5rem', cell: ({ response }) => <Status code={response.status} /> },
    {
      title: w.error,
      width: 'minmax(0, 14rem)',
      isWide: true,
      cell: ({ error }) => error && <span class="mono">{visible(error)}</span>,
    },
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
  return <NoMatch title={w.noMatch} filters={FILTERS} />
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
