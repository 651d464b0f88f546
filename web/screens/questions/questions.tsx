import { useState } from 'preact/hooks'
import { Fact, Facts } from '../../parts/facts.tsx'
import { Empty, Show } from '../../parts/feedback.tsx'
import { useKeys } from '../../parts/keys.ts'
import { Split } from '../../parts/split.tsx'
import { visible } from '../../parts/text.tsx'
import { money } from '../../words/money.ts'
import { dateTimeOf } from '../../words/time.ts'
import { type Address, formatAddress, numberIn } from '../../world/address.ts'
import { orNull, read } from '../../world/client.ts'
import { useLoad } from '../../world/load.ts'
import { openDetail } from '../../world/navigation.ts'
import { canChange } from '../../world/role.ts'
import { words } from '../words.ts'
import { AnswerForm, Ask } from './forms.tsx'
import { Age, Badges, type Question, QuestionList } from './list.tsx'
import { type Context, Moderation } from './moderation.tsx'

export default function Questions({ path: [id], query }: Address) {
  const [isAsking, setAsking] = useState(false)
  const open = id === undefined ? undefined : numberIn(id)
  const w = words().questions
  const ask = () => setAsking(true)
  useKeys(canChange.value ? [{ keys: 'a', title: w.ask, run: ask }] : [])
  return (
    <>
      <Split
        heading={w.title}
        list={<QuestionList query={query} open={open} ask={ask} />}
        title={String(open)}
        detail={open === undefined ? undefined : <QuestionDetail key={open} id={open} />}
      />
      {isAsking && <Ask item={query.item} onAsked={openDetail} onClose={() => setAsking(false)} />}
    </>
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
  const w = words().questions
  const loaded = useLoad((signal) => readContext(id, signal), {
    refreshOn: (event) =>
      (event.type === 'fact' && event.resource === `/questions/${id}`) ||
      (event.type === 'control' && /\/(questions|items)/.test(event.path)),
  })
  return (
    <Show loaded={loaded}>
      {(context) =>
        context ? (
          <Loaded {...context} again={loaded.again} />
        ) : (
          <Empty icon="questions" title={w.gone(id)}>
            <p>{w.goneWhy}</p>
          </Empty>
        )
      }
    </Show>
  )
}

function Loaded({ again, ...context }: Context & { again(): void }) {
  const { question, seller } = context
  const { id, status } = question
  const w = words().questions
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
      {isOpen && canChange.value && <AnswerForm question={question} seller={seller.nickname} again={again} />}
      <People {...context} />
      {canChange.value && <Moderation {...context} again={again} />}
      <OtherQuestions question={question} />
    </article>
  )
}

function People({ question, item, seller, buyer }: Context) {
  const w = words().questions
  const filterBy = (name: string, value: string | number) =>
    formatAddress('questions', [question.id], { [name]: String(value) })
  return (
    <Facts>
      <Fact name={w.item}>
        <a class="mono" href={filterBy('item', item.id)}>
          {item.id}
        </a>{' '}
        <a href={formatAddress('listings', [item.id])}>
          <bdi>{visible(item.title)}</bdi>
        </a>{' '}
        {money(item.price, item.currency_id, item.id)}
      </Fact>
      <Fact name={w.buyer}>
        <a href={filterBy('from', question.from.id)}>
          <bdi>{buyer ? visible(buyer.nickname) : w.guestName}</bdi>
        </a>{' '}
        <span class="mono muted">{question.from.id}</span>
      </Fact>
      <Fact name={w.seller}>
        <a href={filterBy('seller', seller.id)}>
          <bdi>{visible(seller.nickname)}</bdi>
        </a>{' '}
        <span class="mono muted">{seller.id}</span>
      </Fact>
      <Fact name={w.webhooks}>
        <a class="mono" href={formatAddress('webhooks', [], { resource: `/questions/${question.id}` })}>
          /questions/{question.id}
        </a>
      </Fact>
    </Facts>
  )
}

/** What was asked and answered, as a conversation. */
function Thread({ question: { text, answer, date_created }, seller, buyer }: Context) {
  const w = words().questions
  return (
    <div class="thread">
      <div class="bubble" data-side="buyer">
        {text ? <bdi>{visible(text)}</bdi> : <span class="muted">{w.erased}</span>}
        <footer>
          <bdi>{buyer ? visible(buyer.nickname) : w.guestName}</bdi> · <time>{dateTimeOf(date_created)}</time>
        </footer>
      </div>
      {answer && (
        <div class="bubble" data-side="seller">
          {answer.text ? <bdi>{visible(answer.text)}</bdi> : <span class="muted">{w.erased}</span>}
          <footer>
            <bdi>{visible(seller.nickname)}</bdi> · <time>{dateTimeOf(answer.date_created)}</time>
            {answer.status !== 'ACTIVE' && (
              <>
                {' '}
                <span class="badge" data-tone="bad">
                  {w[`answerStatus${answer.status}`]}
                </span>
              </>
            )}
          </footer>
        </div>
      )}
    </div>
  )
}

const MAX_SHOWN = 20

/** What else this buyer has asked this seller. */
function OtherQuestions({ question: { id, from, seller_id } }: { question: Question }) {
  const { data } = useLoad(async (signal) => {
    const query = { from: from.id, seller_id, limit: MAX_SHOWN + 1 }
    const { results } = await read('GET /questions', { query, signal })
    return results.filter((one) => one.id !== id).slice(0, MAX_SHOWN)
  })
  const w = words().questions
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
