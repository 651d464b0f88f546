import { Empty } from '../../parts/feedback.tsx'
import { NoMatch } from '../../parts/filters.tsx'
import { PagedTable } from '../../parts/paged_table.tsx'
import type { Column } from '../../parts/table.tsx'
import { visible } from '../../parts/text.ts'
import { mercadito } from '../../snippets/curl.ts'
import { distanceOf } from '../../words/time.ts'
import { formatAddress } from '../../world/address.ts'
import { baseUrl, read } from '../../world/client.ts'
import { worldNow } from '../../world/clock.ts'
import { canChange } from '../../world/role.ts'
import { usePages } from '../../world/use_pages.ts'
import { words } from '../words.ts'
import { FILTERS, Filters } from './filters.tsx'
import { AGES, FLAGS, type Question, type Status, TONES, toneOfAge } from './states.ts'

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
  const pages = usePages<Question>({
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
      />
    </>
  )
}

const numberOf = (text: string | undefined) => (text ? Number(text) : undefined)

/** Of the world: its clock may not have been read yet. */
const instantBefore = async (ms: number): Promise<string> =>
  new Date(Date.parse((await read('GET /clock')).now) - ms).toISOString()

function columns(): Column<Question>[] {
  const w = words().questions
  return [
    { title: w.question, width: 'minmax(8rem, 1fr)', cell: (row) => <RowText {...row} /> },
    { title: w.age, width: '6rem', isNumber: true, cell: (row) => <Age question={row} /> },
  ]
}

function RowText(question: Question) {
  const { text, status, item_id } = question
  const w = words().questions
  return (
    <span class="two-lines">
      {text ? <bdi>{visible(text.slice(0, MAX_TEXT))}</bdi> : <span class="muted">{w.erased}</span>}
      <span class="second-line">
        <span class="badge" data-tone={TONES[status]}>
          {w[status]}
        </span>
        {FLAGS.filter((flag) => question[flag]).map((flag) => (
          <span key={flag} class="badge">
            {w[flag]}
          </span>
        ))}
        <span class="mono muted">{item_id}</span>
      </span>
    </span>
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
