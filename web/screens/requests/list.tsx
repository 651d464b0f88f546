import { signal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { AnswerOf } from '../../../lib/types.ts'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/feedback.tsx'
import { NoMatch } from '../../parts/filters.tsx'
import { ActionButtons } from '../../parts/page.tsx'
import { ListTable } from '../../parts/rows.tsx'
import type { Column } from '../../parts/table.tsx'
import { notify } from '../../parts/toasts.tsx'
import { foreign, Method, Status, visible } from '../../parts/values.tsx'
import { durationOf, minuteOf, timeOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { formatAddress, searchOf } from '../../world/address.ts'
import { baseUrl, change, read, worldId } from '../../world/client.ts'
import { download } from '../../world/files.ts'
import { openDetail } from '../../world/navigation.ts'
import { epoch, worldState } from '../../world/stream.ts'
import { usePages } from '../../world/use_pages.ts'
import { wordsOf } from '../words.ts'
import { FILTERS, Filters, filtersOf, type Grouped, groupRefusals, type Row } from './filters.tsx'

const w = wordsOf('requests')

interface ListProps {
  query: Record<string, string>
  open: number | undefined
}

export function RequestList({ query, open }: ListProps) {
  const more = useRef<PageInfo>({ dropped: 0, marks: [] })
  const pages = usePages({
    filters: { ...filtersOf(query), bodies: 'false' as const, order: 'desc' as const },
    refreshOn: ['request'],
    async load(query, signal) {
      const page = await read('GET /requests', { query, signal })
      more.current = page
      return page
    },
  })
  const { data } = pages
  const { marks } = more.current
  const rows = data && withMarks(query.group ? groupRefusals(data.rows) : data.rows, marks)
  const shown = { ...pages, data: data && { ...data, rows: rows! } }
  return (
    <>
      <Filters query={query} />
      <Pins query={query} />
      <ListTable
        list={shown}
        empty={
          <NoMatch title={w.noMatch} filters={FILTERS}>
            <NoRequests mark={marks.at(-1)} />
          </NoMatch>
        }
        columns={columns()}
        hrefOf={(row) => ('change' in row ? undefined : formatAddress('requests', [row.id], query))}
        openKey={open}
      />
      {data && data.rows.length > 0 && <Footer total={data.total} dropped={more.current.dropped} />}
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
    <ul class="pins" aria-label={w.pinned}>
      {rows.map(({ id, method, path, query: sent, response }) => (
        <li key={id}>
          <a class="mono" href={formatAddress('requests', [id], query)}>
            #{id} <Method name={method} /> {foreign(path + searchOf(sent))}
          </a>
          <Status code={response.status} />
        </li>
      ))}
    </ul>
  )
}

type Mark = AnswerOf<'GET /requests'>['marks'][number]
/** A mark has a number between those of the calls around it. */
type Shown = Grouped | (Mark & { id: number })

/** The calls, newest first, with the changes of the world's state between them. */
function withMarks(rows: Grouped[], marks: Mark[]): Shown[] {
  const last = rows.at(-1)?.id ?? Number.POSITIVE_INFINITY
  const numbered = marks.map((mark, n) => ({ ...mark, id: mark.after + (n + 1) / (marks.length + 1) }))
  return [...rows, ...numbered.filter(({ id }) => id > last)].sort((a, b) => b.id - a.id)
}

/** What replaced the state of the world, who did it, and when. */
const MarkText = ({ change, name, by, real_at }: Mark) => (
  <>
    {w[change]}
    {name && <bdi> «{visible(name)}»</bdi>}
    {by && <> · {foreign(by, 'mono')}</>} · <time dateTime={real_at}>{minuteOf(real_at)}</time>
  </>
)

const columns = (): Column<Shown>[] =>
  callColumns().map((column, n) => ({
    ...column,
    cell: (row) => ('change' in row ? n === 0 && <MarkText {...row} /> : column.cell(row)),
  }))

const callColumns = (): Column<Grouped>[] => [
  {
    title: w.address,
    width: 'minmax(9rem, 1fr)',
    cell: ({ method, path, query, times = 1 }) => (
      <span class="mono">
        {times > 1 && <b>{number(times)} × </b>}
        <Method name={method} /> {foreign(path)}
        {foreign(searchOf(query), 'muted')}
      </span>
    ),
  },
  { title: w.status, width: '3.5rem', cell: ({ response }) => <Status code={response.status} /> },
  {
    title: w.error,
    width: 'minmax(0, 14rem)',
    class: 'wide',
    cell: ({ error }) => error && <span class="mono">{visible(error)}</span>,
  },
  {
    title: w.user,
    width: '7rem',
    class: 'wide',
    cell: ({ user_id }) => <span class="mono muted">{user_id ?? '–'}</span>,
  },
  { title: w.duration, width: '4rem', class: 'wide number', cell: ({ response }) => durationOf(response.ms) },
  { title: w.time, width: '4.5rem', class: 'number', cell: ({ world_time }) => <time>{timeOf(world_time)}</time> },
]

const NoRequests = ({ mark }: { mark: Mark | undefined }) => (
  <Empty icon="requests" title={w.noCalls} command={`curl ${baseUrl}/currencies`}>
    {mark && (
      <p>
        <MarkText {...mark} /> · <a href={formatAddress('worlds')}>{w.earlierStates}</a>
      </p>
    )}
    <p>{w.noCallsWhy}</p>
  </Empty>
)

interface PageInfo {
  /** Earlier calls that are no longer stored. */
  dropped: number
  /** Changes of the world's state after which the list went on, or began. */
  marks: Mark[]
}

/** How many there are, and how many are no longer stored. */
function Footer({ total, dropped }: Pick<PageInfo, 'dropped'> & { total: number }) {
  const clear = async () => {
    await change(w.clear, 'DELETE /requests')
    notify(w.cleared)
    openDetail()
    epoch.value++
  }
  const save = () => download('GET /recording', `mercadito-${worldId}.jsonl`)
  return (
    <p class="list-footer">
      <span>
        {w.count(total)}
        {dropped > 0 && ` · ${w.dropped(number(dropped))}`}
      </span>
      <a href={formatAddress('requests', ['coverage'])}>{w.coverage}</a>
      <ActionButtons class="small plain" of={[{ title: w.recording, run: save }]} />
      <ConfirmButton class="small plain" title={w.clear} heading={w.clearTitle} onSubmit={clear}>
        <p>{w.clearWhy}</p>
      </ConfirmButton>
    </p>
  )
}
