import type { TargetedEvent } from 'preact'
import type { AnyEvent, Schemas } from '../../../lib/types.ts'
import { Show } from '../../parts/feedback.tsx'
import { Input, valuesOf } from '../../parts/form.tsx'
import { Value } from '../../parts/json.tsx'
import { ActionButtons } from '../../parts/page.tsx'
import { act } from '../../parts/toasts.tsx'
import { Status } from '../../parts/values.tsx'
import { preciseTimeOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { formatAddress } from '../../world/address.ts'
import { change } from '../../world/client.ts'
import { useCall } from '../../world/load.ts'
import { canChange } from '../../world/role.ts'
import { wordsOf } from '../words.ts'

const w = wordsOf('webhooks')

const PAGE = 50

const useInbox = (limit: number) => useCall('GET /inbox', { query: { limit } }, { refreshOn: isInboxEvent })
const isInboxEvent = (event: AnyEvent): boolean =>
  event.type === 'attempt' || (event.type === 'control' && event.path.includes('/inbox'))

export const InboxLink = () => (
  <a class="button small" href={formatAddress('webhooks', ['inbox'])}>
    {w.inbox}
  </a>
)

/** The receiver inside the server: what it got, and how it answers. */
export function Inbox() {
  const loaded = useInbox(PAGE)
  return (
    <article class="stack">
      <header class="detail-head">
        <h2>{w.inbox}</h2>
        <p class="muted">{w.inboxWhy}</p>
      </header>
      <Show loaded={loaded}>
        {({ answer, results }) => (
          <>
            {canChange.value && <AnswerForm key={JSON.stringify(answer)} answer={answer} />}
            {results.length === 0 && <p class="muted">{w.inboxNone}</p>}
            <ol class="attempts">
              {results.map((received) => (
                <ReceivedItem key={received.id} {...received} />
              ))}
            </ol>
            <p>
              <ActionButtons
                class="small"
                of={results.length > 0 ? [{ title: w.clear, run: () => change(w.clear, 'DELETE /inbox') }] : []}
              />
            </p>
          </>
        )}
      </Show>
    </article>
  )
}

const ReceivedItem = ({ delivery_id, at, status, ms, body }: Schemas['ReceivedNotification']) => (
  <li class="card">
    <p class="row">
      <a href={formatAddress('webhooks', [delivery_id])}>
        {w.delivery} {delivery_id}
      </a>
      <time>{preciseTimeOf(at)}</time>
      <Status code={status} />
      <span class="muted">{number(ms)} ms</span>
    </p>
    <div class="json">
      <Value value={body} depth={2} />
    </div>
  </li>
)

/** From the next attempt on. */
function AnswerForm({ answer: { status, ms } }: { answer: Schemas['InboxAnswer'] }) {
  const save = (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault()
    const body = valuesOf<Schemas['InboxAnswer']>(event.currentTarget)
    act(() => change(w.answersWith, 'PUT /inbox', { body }), w.saved)
  }
  return (
    <form class="inbox-form" onSubmit={save}>
      <Input label={w.answersWith} name="status" value={status} type="number" required min={200} max={599} />
      <Input label={w.answerMs} name="ms" value={ms} type="number" required min={0} max={120_000} />
      <button type="submit">{w.save}</button>
    </form>
  )
}
