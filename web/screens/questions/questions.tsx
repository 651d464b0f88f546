import type { ComponentChildren } from 'preact'
import { Found } from '../../parts/feedback.tsx'
import { Split } from '../../parts/split.tsx'
import { Badge, FactList, foreign, visible } from '../../parts/values.tsx'
import { money } from '../../words/money.ts'
import { dateTimeOf } from '../../words/time.ts'
import { type Address, formatAddress, numberIn } from '../../world/address.ts'
import { orNull, read } from '../../world/client.ts'
import { useLoad } from '../../world/load.ts'
import { canChange } from '../../world/role.ts'
import { wordsOf } from '../words.ts'
import { AnswerForm } from './forms.tsx'
import { Age, Badges, type Question, QuestionList } from './list.tsx'
import { type Context, Moderation } from './moderation.tsx'

const w = wordsOf('questions')

export default function Questions({ path: [id], query }: Address) {
  const open = id === undefined ? undefined : numberIn(id)
  return (
    <Split
      list={<QuestionList query={query} open={open} />}
      title={String(open)}
      detail={open !== undefined && <QuestionDetail key={open} id={open} />}
    />
  )
}

async function readContext(id: number, signal: AbortSignal): Promise<Context | null> {
  const question = await orNull(read('GET /questions/{id}', { path: { id }, signal }))
  if (question === null) return null
  const readUser = (id: number) => read('GET /users/{id}', { path: { id }, signal })
  const [item, seller, buyer] = await Promise.all([
    read('GET /items/{id}', { path: { id: question.item_id }, signal }),
    readUser(question.seller_id),
    orNull(readUser(question.from.id)),
  ])
  return { question, item, seller, buyer }
}

function QuestionDetail({ id }: { id: number }) {
  const loaded = useLoad((signal) => readContext(id, signal), {
    refreshOn: (event) =>
      (event.type === 'fact' && event.resource === `/questions/${id}`) ||
      (event.type === 'control' && /\/(questions|items)/.test(event.path)),
  })
  return (
    <Found loaded={loaded} gone={w.gone(id)} why={w.goneWhy}>
      {(context) => <Loaded {...context} again={loaded.again} />}
    </Found>
  )
}

function Loaded({ again, ...context }: Context & { again(): void }) {
  const { question, seller } = context
  const { id, status } = question
  const isOpen = question.answer === null && (status === 'UNANSWERED' || status === 'UNDER_REVIEW')
  return (
    <article class="stack">
      <header class="detail-head">
        <h2>
          {w.question} {id}
        </h2>
        <p class="muted">
          <time>{dateTimeOf(question.date_created)}</time> · <Age question={question} />
        </p>
        <p class="row">
          <Badges question={question} />
        </p>
      </header>
      <Thread {...context} />
      {isOpen && canChange.value && <AnswerForm id={id} seller={seller.nickname} />}
      <People {...context} />
      {canChange.value && <Moderation {...context} again={again} />}
      <OtherQuestions question={question} />
    </article>
  )
}

function People({ question, item, seller, buyer }: Context) {
  const { id, from } = question
  const filterBy = (name: string, value: string | number) => formatAddress('questions', [id], { [name]: String(value) })
  const person = (name: string, user: number, nickname: string) => (
    <>
      <a href={filterBy(name, user)}>{foreign(nickname)}</a> <span class="mono muted">{user}</span>
    </>
  )
  return (
    <FactList
      of={[
        [
          w.listing,
          <>
            <a class="mono" href={filterBy('item', item.id)}>
              {item.id}
            </a>{' '}
            <a href={formatAddress('listings', [item.id])}>{foreign(item.title)}</a>{' '}
            {money(item.price, item.currency_id, item.id)}
          </>,
        ],
        [w.buyer, person('from', from.id, buyer?.nickname ?? w.guestName)],
        [w.seller, person('seller', seller.id, seller.nickname)],
        [
          w.webhooks,
          <a key="webhooks" class="mono" href={formatAddress('webhooks', [], { resource: `/questions/${id}` })}>
            /questions/{id}
          </a>,
        ],
      ]}
    />
  )
}

/** What was asked and answered, as a conversation. */
const Thread = ({ question: { text, answer, date_created }, seller, buyer }: Context) => (
  <div class="stack">
    <Bubble side="buyer" text={text} by={buyer?.nickname ?? w.guestName} at={date_created} />
    {answer && (
      <Bubble side="seller" text={answer.text} by={seller.nickname} at={answer.date_created}>
        {answer.status !== 'ACTIVE' && <Badge tone="bad">{w[`answerStatus${answer.status}`]}</Badge>}
      </Bubble>
    )}
  </div>
)

interface BubbleProps {
  side: 'buyer' | 'seller'
  text: string | null
  by: string
  at: string
  children?: ComponentChildren
}

const Bubble = ({ side, text, by, at, children }: BubbleProps) => (
  <div class="bubble" data-side={side}>
    {text ? foreign(text) : <span class="muted">{w.erased}</span>}
    <footer>
      {foreign(by)} · <time>{dateTimeOf(at)}</time> {children}
    </footer>
  </div>
)

const MAX_SHOWN = 20

/** What else this buyer has asked this seller. */
function OtherQuestions({ question: { id, from, seller_id } }: { question: Question }) {
  const { data } = useLoad(async (signal) => {
    const query = { from: from.id, seller_id, limit: MAX_SHOWN + 1 }
    const { results } = await read('GET /questions', { query, signal })
    return results.filter((one) => one.id !== id).slice(0, MAX_SHOWN)
  })
  if (!data || data.length === 0) return null
  return (
    <section>
      <h3>{w.others}</h3>
      <ul class="other-questions">
        {data.map((one) => (
          <li key={one.id}>
            <a href={formatAddress('questions', [one.id])}>
              <bdi>{one.text ? visible(one.text.slice(0, 200)) : w.erased}</bdi>
            </a>{' '}
            <span class="muted">
              {w[one.status]} · <time>{dateTimeOf(one.date_created)}</time>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
