import { Fact, Facts } from '../../parts/facts.tsx'
import { Empty, Show } from '../../parts/feedback.tsx'
import { visible } from '../../parts/text.ts'
import { dateTimeOf } from '../../words/time.ts'
import { formatAddress } from '../../world/address.ts'
import { read } from '../../world/client.ts'
import { useLoad } from '../../world/load.ts'
import { orNull } from '../../world/missing.ts'
import { canChange } from '../../world/role.ts'
import { words } from '../words.ts'
import { AnswerForm } from './answer_form.tsx'
import { Age } from './list.tsx'
import { Moderation } from './moderation.tsx'
import { OtherQuestions } from './other_questions.tsx'
import { type Context, FLAGS, TONES } from './states.ts'
import { Thread } from './thread.tsx'

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

export function QuestionDetail({ id }: { id: number }) {
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
          <span class="badge" data-tone={TONES[status]}>
            {w[status]}
          </span>
          {FLAGS.filter((flag) => question[flag]).map((flag) => (
            <span key={flag} class="badge">
              {w[flag]}
            </span>
          ))}
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
        <bdi>{visible(item.title)}</bdi>
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
