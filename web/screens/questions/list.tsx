import type { Schemas } from '../../../lib/types.ts'
import { Empty } from '../../parts/feedback.tsx'
import { FilterBar, NoMatch, RemovableFilter, SearchField, UserFilter } from '../../parts/filters.tsx'
import { Select } from '../../parts/form.tsx'
import { type Column, PagedTable } from '../../parts/table.tsx'
import { visible } from '../../parts/text.tsx'
import { mercadito } from '../../snippets/call.ts'
import { distanceOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { formatAddress } from '../../world/address.ts'
import { baseUrl, read } from '../../world/client.ts'
import { worldNow } from '../../world/clock.ts'
import { setQuery } from '../../world/navigation.ts'
import { useOverview } from '../../world/overview.ts'
import { canChange } from '../../world/role.ts'
import { usePages } from '../../world/use_pages.ts'
import { words } from '../words.ts'

const PAGE = 50
/** In px, for two lines. */
const ROW_HEIGHT = 56
/** Characters of a row. */
const MAX_TEXT = 200

interface ListProps {
  query: Record<string, string>
  open: number | undefined
  ask(): void
}

export function QuestionList({ query, open, ask }: ListProps) {
  const { status, seller, item, from, q, age } = query
  const pages = usePages<Row>({
    key: JSON.stringify([status, seller, item, from, q, age]),
    idOf: ({ id }) => id,
    refreshOn: (event) =>
      (event.type === 'fact' && event.topic === 'questions') ||
      (event.type === 'control' && /\/(questions|items)/.test(event.path)),
    load: async (before, signal) =>
      read('GET /questions', {
        query: {
          ...{ status: status as Status | undefined, seller_id: numberOf(seller), item_id: item, from: numberOf(from) },
          until: age ? await instantBefore(AGES[age] ?? 0) : undefined,
          ...{ q, before, limit: PAGE },
        },
        ...(signal && { signal }),
      }),
  })
  return (
    <>
      <Filters query={query} ask={ask} />
      <PagedTable
        pages={pages}
        empty={<NoQuestions isFiltered={FILTERS.some((name) => query[name])} ask={ask} />}
        label={words().questions.title}
        columns={columns()}
        hrefOf={({ id }) => formatAddress('questions', [id], query)}
        openKey={open}
        rowHeight={ROW_HEIGHT}
        countOf={words().questions.count}
      />
    </>
  )
}

const numberOf = (text: string | undefined) => (text ? Number(text) : undefined)

/** Of the world: its clock may not have been read yet. */
const instantBefore = async (ms: number): Promise<string> =>
  new Date(Date.parse((await read('GET /clock')).now) - ms).toISOString()

type Row = Schemas['ListedQuestion']

function columns(): Column<Row>[] {
  const w = words().questions
  return [
    { title: w.question, width: 'minmax(8rem, 1fr)', cell: (row) => <RowText {...row} /> },
    {
      title: w.seller,
      width: '12rem',
      isWide: true,
      cell: ({ seller_nickname, seller_id }) => <bdi>{visible(seller_nickname ?? String(seller_id))}</bdi>,
    },
    {
      title: w.buyer,
      width: '12rem',
      isWide: true,
      cell: ({ buyer_nickname }) => <bdi>{buyer_nickname === null ? w.guestName : visible(buyer_nickname)}</bdi>,
    },
    { title: w.age, width: '6rem', isNumber: true, cell: (row) => <Age question={row} /> },
  ]
}

function RowText(question: Row) {
  const { text, item_id, item_title } = question
  const w = words().questions
  return (
    <span class="two-lines">
      {text ? <bdi>{visible(text.slice(0, MAX_TEXT))}</bdi> : <span class="muted">{w.erased}</span>}
      <span class="second-line">
        <Badges question={question} />
        <bdi class="muted">{visible(item_title ?? item_id)}</bdi>
      </span>
    </span>
  )
}

/** The state of a question, and its flags. */
export function Badges({ question }: { question: Question }) {
  const { status } = question
  const w = words().questions
  return (
    <>
      <span class="badge" data-tone={TONES[status]}>
        {w[status]}
      </span>
      {FLAGS.filter((flag) => question[flag]).map((flag) => (
        <span key={flag} class="badge">
          {w[flag]}
        </span>
      ))}
    </>
  )
}

export function Age({ question }: { question: Question }) {
  const now = worldNow.value
  if (now === undefined) return null
  const asked = Date.parse(question.date_created)
  return (
    <time dateTime={question.date_created} data-tone={toneOfAge(question, now - asked)}>
      {distanceOf(asked, now)}
    </time>
  )
}

function NoQuestions({ isFiltered, ask }: { isFiltered: boolean; ask(): void }) {
  const w = words().questions
  if (isFiltered) return <NoMatch title={w.noMatch} filters={FILTERS} />
  return (
    <Empty icon="questions" title={w.none} command={mercadito("ask MLA1400000001 '¿Tiene garantía?'", baseUrl)}>
      <p>{w.noneWhy}</p>
      {canChange.value && (
        <button type="button" class="primary" aria-haspopup="dialog" onClick={ask}>
          {w.ask}
        </button>
      )}
    </Empty>
  )
}

/** Members of the address that filter the list. */
const FILTERS = ['status', 'seller', 'item', 'from', 'q', 'age']

function Filters({ query, ask }: { query: Record<string, string>; ask(): void }) {
  const w = words().questions
  const counts = useOverview()?.questions.by_status
  // They are those of all questions.
  const hasCounts = FILTERS.every((name) => name === 'status' || !query[name])
  const titleOf = (status: Status) => (counts && hasCounts ? `${w[status]} (${number(counts[status])})` : w[status])
  return (
    <FilterBar title={w.title}>
      {canChange.value && (
        <button type="button" class="primary small" aria-haspopup="dialog" onClick={ask}>
          {w.ask} <kbd>a</kbd>
        </button>
      )}
      <Select
        label={w.status}
        value={query.status ?? ''}
        options={[['', w.all], ...STATUSES.map((status) => [status, titleOf(status)] as const)]}
        onValue={(status) => setQuery({ status })}
      />
      <UserFilter label={w.seller} name="seller" value={query.seller} />
      <Select
        label={w.age}
        value={query.age ?? ''}
        options={[
          ['', w.anyAge],
          ['1h', w.olderThan1h],
          ['1d', w.olderThan1d],
          ['7d', w.olderThan7d],
        ]}
        onValue={(age) => setQuery({ age })}
      />
      <SearchField label={w.search} value={query.q} maxLength={100} />
      <RemovableFilter name="item" title={w.item} value={query.item} />
      <RemovableFilter name="from" title={w.buyer} value={query.from} />
    </FilterBar>
  )
}

export type Question = Schemas['AnyQuestion']
export type Status = Question['status']

/** In the order of the filter, with the colour of the badge. */
const TONES: Record<Status, 'warn' | 'good' | 'info' | 'bad' | 'plain'> = {
  UNANSWERED: 'warn',
  ANSWERED: 'good',
  UNDER_REVIEW: 'info',
  BANNED: 'bad',
  CLOSED_UNANSWERED: 'plain',
  DELETED: 'plain',
  DISABLED: 'plain',
}
export const STATUSES = Object.keys(TONES) as Status[]

export const FLAGS = ['hidden', 'hold', 'suspected_spam', 'deleted_from_listing'] as const

const HOUR = 3_600_000
/** Minimum ages of the filter, in ms. */
const AGES: Record<string, number> = { '1h': HOUR, '1d': 24 * HOUR, '7d': 7 * 24 * HOUR }

/** How urgent an unanswered question is: its age lowers the seller's response time. */
function toneOfAge({ status }: Question, ageMs: number): 'bad' | 'warn' | 'plain' {
  if (status !== 'UNANSWERED') return 'plain'
  return ageMs >= AGES['1d']! ? 'bad' : ageMs >= AGES['1h']! ? 'warn' : 'plain'
}
