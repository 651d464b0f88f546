import type { Operations, Schemas } from '../../../lib/types.ts'
import { DialogButton } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/feedback.tsx'
import { FilterBar, NoMatch, RemovableFilter, SearchField, SelectFilter, UserFilter } from '../../parts/filters.tsx'
import { TwoLines } from '../../parts/page.tsx'
import { ListTable } from '../../parts/rows.tsx'
import type { Column } from '../../parts/table.tsx'
import { Badge, foreign, type Tone, visible } from '../../parts/values.tsx'
import { mercadito } from '../../snippets/call.ts'
import { distanceOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { filtersOf } from '../../world/address.ts'
import { baseUrl, read } from '../../world/client.ts'
import { worldNow } from '../../world/clock.ts'
import { useOverview } from '../../world/overview.ts'
import { usePages } from '../../world/use_pages.ts'
import { wordsOf } from '../words.ts'
import { Ask } from './forms.tsx'

const w = wordsOf('questions')

/** Members of the address that filter the list. */
const FILTERS = ['status', 'seller', 'item', 'from', 'q', 'age']
/** Characters of a row. */
const MAX_TEXT = 200

interface ListProps {
  query: Record<string, string>
  open: number | undefined
}

export function QuestionList({ query, open }: ListProps) {
  const list = usePages({
    filters: filtersOf<Operations['GET /questions']['query'] & { age?: string }>(query, FILTERS),
    refreshOn: (event) =>
      (event.type === 'fact' && event.topic === 'questions') ||
      (event.type === 'control' && /\/(questions|items)/.test(event.path)),
    load: async ({ age, ...query }, signal) =>
      read('GET /questions', {
        query: { ...query, until: age ? await instantBefore(AGES[age] ?? 0) : undefined },
        signal,
      }),
  })
  const ask = (style: string, keys?: string) => (
    <DialogButton class={style} title={w.ask} keys={keys}>
      <Ask item={query.item} />
    </DialogButton>
  )
  const counts = useOverview()?.questions.by_status
  // They are those of all questions.
  const hasCounts = FILTERS.every((name) => name === 'status' || !query[name])
  const titleOf = (one: Status) => (counts && hasCounts ? `${w[one]} (${number(counts[one])})` : w[one])
  return (
    <>
      <FilterBar>
        {ask('primary small', 'a')}
        <SelectFilter
          label={w.status}
          name="status"
          all={w.allFeminine}
          options={STATUSES.map((one) => [one, titleOf(one)] as const)}
        />
        <UserFilter label={w.seller} name="seller" />
        <SelectFilter
          label={w.age}
          name="age"
          all={w.any}
          options={Object.keys(AGES).map((one) => [one, w.olderThan[one as '1h']] as const)}
        />
        <SearchField label={w.search} maxLength={100} />
        <RemovableFilter name="item" label={w.listing} />
        <RemovableFilter name="from" label={w.buyer} />
      </FilterBar>
      <ListTable
        list={list}
        empty={
          <NoMatch title={w.noMatch} filters={FILTERS}>
            <Empty icon="questions" title={w.none} command={mercadito("ask MLA1400000001 '¿Tiene garantía?'", baseUrl)}>
              <p>{w.noneWhy}</p>
              {ask('primary')}
            </Empty>
          </NoMatch>
        }
        columns={columns()}
        openKey={open}
        isTall
        countOf={w.count}
      />
    </>
  )
}

/** Of the world: its clock may not have been read yet. */
const instantBefore = async (ms: number): Promise<string> =>
  new Date(Date.parse((await read('GET /clock')).now) - ms).toISOString()

type Row = Schemas['ListedQuestion']

const columns = (): Column<Row>[] => [
  { title: w.question, width: 'minmax(8rem, 1fr)', cell: (row) => <RowText {...row} /> },
  {
    title: w.seller,
    width: '12rem',
    class: 'wide',
    cell: ({ seller_nickname, seller_id }) => foreign(seller_nickname ?? String(seller_id)),
  },
  {
    title: w.buyer,
    width: '12rem',
    class: 'wide',
    cell: ({ buyer_nickname }) => <bdi>{buyer_nickname === null ? w.guestName : visible(buyer_nickname)}</bdi>,
  },
  { title: w.age, width: '6rem', class: 'number', cell: (row) => <Age question={row} /> },
]

function RowText(question: Row) {
  const { text, item_id, item_title } = question
  return (
    <TwoLines first={text ? foreign(text.slice(0, MAX_TEXT)) : <span class="muted">{w.erased}</span>}>
      <Badges question={question} />
      {foreign(item_title ?? item_id, 'muted')}
    </TwoLines>
  )
}

/** The state of a question, and its flags. */
export function Badges({ question }: { question: Question }) {
  const { status } = question
  return (
    <>
      <Badge tone={TONES[status]}>{w[status]}</Badge>
      {FLAGS.filter((flag) => question[flag]).map((flag) => (
        <Badge key={flag}>{w[flag]}</Badge>
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

export type Question = Schemas['AnyQuestion']
export type Status = Question['status']

/** In the order of the filter, with the colour of the badge. */
const TONES: Record<Status, Tone> = {
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
