import type { Call, Schemas } from '../../../lib/types.ts'
import { Fact, Facts } from '../../parts/facts.tsx'
import { Empty, Show } from '../../parts/feedback.tsx'
import { useKeys } from '../../parts/keys.ts'
import { Split } from '../../parts/split.tsx'
import { visible } from '../../parts/text.tsx'
import { attempt, notify } from '../../parts/toasts.tsx'
import { dateTimeOf, distanceOf } from '../../words/time.ts'
import { type Address, formatAddress, numberIn } from '../../world/address.ts'
import { change, orNull, read } from '../../world/client.ts'
import { worldNow } from '../../world/clock.ts'
import { useLoad } from '../../world/load.ts'
import { canChange } from '../../world/role.ts'
import { words } from '../words.ts'
import { Attempts, readSubscriptions, type Status, type Subscription, TONES } from './deliveries.tsx'
import { Inbox } from './inbox.tsx'
import { DeliveryList } from './list.tsx'

/** In the address, in place of the number of a delivery. */
const INBOX = 'inbox'

export default function Webhooks({ path: [open], query }: Address) {
  const w = words().webhooks
  const subscriptions = useLoad(readSubscriptions, {
    refreshOn: (event) =>
      event.type === 'topic_off' || (event.type === 'control' && event.path.includes('/applications')),
  })
  return (
    <Split
      heading={w.title}
      list={<DeliveryList query={query} open={numberIn(open ?? '')} subscriptions={subscriptions} />}
      title={open === INBOX ? w.inbox : String(open)}
      detail={
        open === undefined ? undefined : open === INBOX ? (
          <Inbox />
        ) : (
          <DeliveryDetail key={open} id={numberIn(open)} subscriptions={subscriptions.data} />
        )
      }
    />
  )
}

type Delivery = Schemas['Delivery']

/** A delivery that is due for longer waits for another. */
const LATE_MS = 2000

interface DetailProps {
  id: number
  subscriptions: Subscription[] | undefined
}

function DeliveryDetail({ id, subscriptions }: DetailProps) {
  const w = words().webhooks
  const loaded = useLoad((signal) => orNull(read('GET /deliveries/{id}', { path: { id }, signal })), {
    refreshOn: (event) =>
      (event.type === 'attempt' && event.delivery_id === id) || event.type === 'control' || event.type === 'clock',
  })
  return (
    <Show loaded={loaded}>
      {(delivery) =>
        delivery ? (
          <Loaded delivery={delivery} subscriptions={subscriptions ?? []} again={loaded.again} />
        ) : (
          <Empty icon="webhooks" title={w.gone(id)}>
            <p>{w.goneWhy}</p>
          </Empty>
        )
      }
    </Show>
  )
}

interface LoadedProps {
  delivery: Delivery
  subscriptions: Subscription[]
  again(): void
}

function Loaded({ delivery, subscriptions, again }: LoadedProps) {
  const { id, status, topic, application_id } = delivery
  const w = words().webhooks
  const subscription = subscriptions.find(({ application }) => application.id === application_id)
  return (
    <article class="stack">
      <header class="detail-head">
        <h2>
          {w.delivery} {id}
        </h2>
        <p class="row">
          <span class="badge" data-tone={TONES[status]}>
            {w[status]}
          </span>
          <span class="muted">{topic}</span>
        </p>
      </header>
      {canChange.value && <Actions delivery={delivery} again={again} />}
      <About delivery={delivery} subscription={subscription} />
      <Attempts delivery={delivery} numbers={subscription?.setting?.numbers} />
    </article>
  )
}

function About({ delivery, subscription }: { delivery: Delivery; subscription: Subscription | undefined }) {
  const { id, resource, application_id, user_id, received, next_at, cause } = delivery
  const w = words().webhooks
  const name = subscription?.application.name
  const now = worldNow.value
  const isBehind =
    subscription?.setting?.numbers.in_order === true && now !== undefined && Date.parse(next_at ?? '') < now - LATE_MS
  const question = /^\/questions\/(\d+)$/.exec(resource)?.[1]
  return (
    <Facts>
      <Fact name={w.resource}>
        <bdi class="mono">
          {question ? <a href={formatAddress('questions', [question])}>{resource}</a> : visible(resource)}
        </bdi>
      </Fact>
      <Fact name={w.application}>
        {name !== undefined && <bdi>{visible(name)}</bdi>} <span class="mono muted">{application_id}</span>
      </Fact>
      <Fact name={w.user}>
        <span class="mono">{user_id}</span>
      </Fact>
      <Fact name={w.received}>
        <time>{dateTimeOf(received)}</time>
      </Fact>
      {next_at !== null && (
        <Fact name={w.nextAttempt}>
          <a href={formatAddress('clock')}>
            <time>{dateTimeOf(next_at)}</time>
          </a>{' '}
          {now !== undefined && (
            <span class="muted">{isBehind ? w.inOrder : distanceOf(Math.max(now, Date.parse(next_at)), now)}</span>
          )}
        </Fact>
      )}
      <Fact name={w.cause}>
        {cause?.id != null &&
          (cause.kind === 'request' ? (
            <a href={formatAddress('requests', [cause.id])}>{w.request(cause.id)}</a>
          ) : (
            w.control(cause.id)
          ))}{' '}
        <a href={formatAddress('live', [], { pick: `d${id}` })}>{w.chain}</a>
      </Fact>
    </Facts>
  )
}

type Action = 'resend' | 'hold' | 'release' | 'drop'

/** The key of each action, and the states in which the server accepts it. */
const ACTIONS: Record<Action, { keys: string; states?: Status[] }> = {
  resend: { keys: 's' },
  hold: { keys: 'h', states: ['pending'] },
  release: { keys: 'h', states: ['held'] },
  drop: { keys: 'x', states: ['pending', 'held'] },
}

function Actions({ delivery: { id, status }, again }: { delivery: Delivery; again(): void }) {
  const w = words().webhooks
  const run = async (action: Action) => {
    try {
      await attempt(() => change(w[action], `POST /deliveries/{id}/${action}` satisfies Call, { path: { id } }))
      notify(w.done(id))
    } catch {
      // The call has reported its error.
    }
    again()
  }
  const actions = (Object.keys(ACTIONS) as Action[]).filter((one) => ACTIONS[one].states?.includes(status) ?? true)
  useKeys(actions.map((one) => ({ keys: ACTIONS[one].keys, title: w[one], run: () => void run(one) })))
  return (
    <p class="row">
      {actions.map((one) => (
        <button key={one} type="button" class="small" onClick={() => void run(one)}>
          {w[one]} <kbd>{ACTIONS[one].keys}</kbd>
        </button>
      ))}
    </p>
  )
}
