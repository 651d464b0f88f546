import type { Call, Schemas } from '../../../lib/types.ts'
import { Fact, Facts } from '../../parts/facts.tsx'
import { Empty, Show } from '../../parts/feedback.tsx'
import { useKeys } from '../../parts/keys.ts'
import { Split } from '../../parts/split.tsx'
import { Status } from '../../parts/status.tsx'
import { visible } from '../../parts/text.tsx'
import { attempt, notify } from '../../parts/toasts.tsx'
import { dateTimeOf, distanceOf } from '../../words/time.ts'
import { type Address, formatAddress, numberIn } from '../../world/address.ts'
import { change, orNull, read } from '../../world/client.ts'
import { worldNow } from '../../world/clock.ts'
import { useLoad } from '../../world/load.ts'
import { canChange } from '../../world/role.ts'
import { onEvents } from '../../world/stream.ts'
import { words } from '../words.ts'
import { Attempts, type Status as DeliveryStatus, readSubscriptions, type Subscription, TONES } from './deliveries.tsx'
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
  const { id, resource, application_id, user_id, received, waits_for, cause } = delivery
  const w = words().webhooks
  const name = subscription?.application.name
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
      {waits_for && (
        <Fact name={w.waitsFor}>
          <Wait {...waits_for} />
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

/** What a pending delivery waits for, and until when. */
function Wait({ reason, until, behind }: NonNullable<Delivery['waits_for']>) {
  const now = worldNow.value
  const text = words().webhooks[`wait_${reason}`]
  if (behind !== null) return <a href={formatAddress('webhooks', [behind])}>{`${text} ${behind}`}</a>
  if (until === null) return <>{text}</>
  return (
    <>
      {text}{' '}
      <a href={formatAddress('clock')}>
        <time>{dateTimeOf(until)}</time>
      </a>{' '}
      {now !== undefined && <span class="muted">{distanceOf(Math.max(now, Date.parse(until)), now)}</span>}
    </>
  )
}

/** Says how the next attempt of a delivery ends. Returns what stops this. */
function announceOutcome({ id, attempts }: Delivery): () => void {
  const stop = onEvents((events) => {
    for (const event of events) {
      if (event.type !== 'attempt' || event.delivery_id !== id || event.n <= attempts) continue
      const { n, http_code, error } = event
      const isFailed = http_code !== 200 || error !== null
      notify(
        <>
          <a href={formatAddress('webhooks', [id])}>{words().webhooks.outcome(id, n)}</a> <Status code={http_code} />{' '}
          <span class={isFailed ? 'bad' : 'good'}>
            {error === null ? words().webhooks[isFailed ? 'failed' : 'delivered'] : visible(error)}
          </span>
        </>,
      )
      stop()
      return
    }
  })
  return stop
}

type Action = 'resend' | 'hold' | 'release' | 'drop'

/** The key of each action, and the states in which the server accepts it. */
const ACTIONS: Record<Action, { keys: string; states?: DeliveryStatus[] }> = {
  resend: { keys: 's' },
  hold: { keys: 'h', states: ['pending'] },
  release: { keys: 'h', states: ['held'] },
  drop: { keys: 'x', states: ['pending', 'held'] },
}

function Actions({ delivery, again }: { delivery: Delivery; again(): void }) {
  const { id, status } = delivery
  const w = words().webhooks
  const run = async (action: Action) => {
    const stop = action === 'resend' ? announceOutcome(delivery) : undefined
    try {
      await attempt(() => change(w[action], `POST /deliveries/{id}/${action}` satisfies Call, { path: { id } }))
      notify(action === 'resend' ? w.resent(id) : w.done(id))
    } catch {
      stop?.()
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
