import { useEffect, useState } from 'preact/hooks'
import type { AnyEvent, Schemas } from '../../../lib/types.ts'
import { Show } from '../../parts/feedback.tsx'
import { TextField } from '../../parts/form.tsx'
import { Value } from '../../parts/json.tsx'
import { Status } from '../../parts/status.tsx'
import { attempt, notify } from '../../parts/toasts.tsx'
import { preciseTimeOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { formatAddress } from '../../world/address.ts'
import { change } from '../../world/client.ts'
import { useCall } from '../../world/load.ts'
import { canChange } from '../../world/role.ts'
import { words } from '../words.ts'

const PAGE = 50

type Answer = Schemas['InboxAnswer']

const useInbox = (limit: number) => useCall('GET /inbox', { query: { limit } }, { refreshOn: isInboxEvent })
const isInboxEvent = (event: AnyEvent): boolean =>
  event.type === 'attempt' || (event.type === 'control' && event.path.includes('/inbox'))

export const InboxLink = () => (
  <a class="button small" href={formatAddress('webhooks', ['inbox'])}>
    {words().webhooks.inbox}
  </a>
)

/** The receiver inside the server: what it got, and how it answers. */
export function Inbox() {
  const loaded = useInbox(PAGE)
  const w = words().webhooks
  const clear = async () => {
    await attempt(() => change(w.clear, 'DELETE /inbox'))
    loaded.again()
  }
  return (
    <article class="stack">
      <header class="detail-head">
        <h2>{w.inbox}</h2>
        <p class="muted">{w.inboxWhy}</p>
      </header>
      <Show loaded={loaded}>
        {(inbox) => (
          <>
            {canChange.value && <AnswerForm answer={inbox.answer} again={loaded.again} />}
            {inbox.results.length === 0 && <p class="muted">{w.inboxNone}</p>}
            <ol class="attempts">
              {inbox.results.map((received) => (
                <ReceivedItem key={received.id} {...received} />
              ))}
            </ol>
            {canChange.value && inbox.results.length > 0 && (
              <p>
                <button type="button" class="small" onClick={() => void clear().catch(() => {})}>
                  {w.clear}
                </button>
              </p>
            )}
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
        {words().webhooks.delivery} {delivery_id}
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
function AnswerForm({ answer, again }: { answer: Answer; again(): void }) {
  const [status, setStatus] = useState(String(answer.status))
  const [ms, setMs] = useState(String(answer.ms))
  const w = words().webhooks
  useEffect(() => {
    setStatus(String(answer.status))
    setMs(String(answer.ms))
  }, [answer.status, answer.ms])
  const save = async (event: Event) => {
    event.preventDefault()
    const body = { status: Number(status), ms: Number(ms) }
    try {
      await attempt(() => change(w.answersWith, 'PUT /inbox', { body }))
      notify(w.saved)
    } catch {
      // The call has reported its error.
    }
    again()
  }
  const limits = { type: 'number', required: true } as const
  return (
    <form class="inbox-form" onSubmit={(event) => void save(event)}>
      <TextField
        label={w.answersWith}
        value={status}
        onValue={setStatus}
        attributes={{ ...limits, min: 200, max: 599 }}
      />
      <TextField label={w.answerMs} value={ms} onValue={setMs} attributes={{ ...limits, min: 0, max: 120_000 }} />
      <button type="submit">{w.save}</button>
    </form>
  )
}
