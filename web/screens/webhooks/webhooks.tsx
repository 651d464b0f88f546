import type { Call, Schemas } from '../../../lib/types.ts'
import { Found } from '../../parts/feedback.tsx'
import { type Action, ActionButtons, DetailHead } from '../../parts/page.tsx'
import { Split } from '../../parts/split.tsx'
import { notify } from '../../parts/toasts.tsx'
import { Badge, FactList, foreign, Status, visible } from '../../parts/values.tsx'
import { dateTimeOf, distanceOf } from '../../words/time.ts'
import { type Address, formatAddress, numberIn } from '../../world/address.ts'
import { change } from '../../world/client.ts'
import { worldNow } from '../../world/clock.ts'
import { useFound, useLoad } from '../../world/load.ts'
import { onEvents } from '../../world/stream.ts'
import { wordsOf } from '../words.ts'
import { Attempts, readSubscriptions, type Subscription, TONES } from './deliveries.tsx'
import { Inbox } from './inbox.tsx'
import { DeliveryList } from './list.tsx'

const w = wordsOf('webhooks')

/** In the address, in place of the number of a delivery. */
const INBOX = 'inbox'

export default function Webhooks({ path: [open], query }: Address) {
  const subscriptions = useLoad(readSubscriptions, {
    refreshOn: (event) =>
      event.type === 'topic_off' || (event.type === 'control' && event.path.includes('/applications')),
  })
  return (
    <Split
      list={<DeliveryList query={query} open={numberIn(open ?? '')} subscriptions={subscriptions} />}
      title={open === INBOX ? w.inbox : String(open)}
      detail={
        open === INBOX ? (
          <Inbox />
        ) : (
          open !== undefined && (
            <DeliveryDetail key={open} id={numberIn(open)} subscriptions={subscriptions.data ?? []} />
          )
        )
      }
    />
  )
}

type Delivery = Schemas['Delivery']

interface DetailProps {
  id: number
  subscriptions: Subscription[]
}

function DeliveryDetail({ id, subscriptions }: DetailProps) {
  const loaded = useFound(
    'GET /deliveries/{id}',
    { path: { id } },
    {
      refreshOn: (event) =>
        (event.type === 'attempt' && event.delivery_id === id) || event.type === 'control' || event.type === 'clock',
    },
  )
  return (
    <Found loaded={loaded} gone={w.gone(id)} why={w.goneWhy}>
      {(delivery) => {
        const { status, topic, application_id } = delivery
        const subscription = subscriptions.find(({ application }) => application.id === application_id)
        const badges = [
          <Badge key="status" tone={TONES[status]}>
            {w[status]}
          </Badge>,
          <span key="topic" class="muted">
            {topic}
          </span>,
        ]
        return (
          <article class="stack">
            <DetailHead title={`${w.delivery} ${id}`} badges={badges} />
            <p class="row">
              <ActionButtons class="small" of={actionsOf(delivery)} />
            </p>
            <About delivery={delivery} subscription={subscription} />
            <Attempts delivery={delivery} numbers={subscription?.setting?.numbers} />
          </article>
        )
      }}
    </Found>
  )
}

function About({ delivery, subscription }: { delivery: Delivery; subscription: Subscription | undefined }) {
  const { id, resource, application_id, user_id, received, waits_for, cause } = delivery
  const name = subscription?.application.name
  const question = /^\/questions\/(\d+)$/.exec(resource)?.[1]
  return (
    <FactList
      of={[
        [
          w.resource,
          <bdi key="resource" class="mono">
            {question ? <a href={formatAddress('questions', [question])}>{resource}</a> : visible(resource)}
          </bdi>,
        ],
        [
          w.application,
          <>
            {name !== undefined && foreign(name)} <span class="mono muted">{application_id}</span>
          </>,
        ],
        [w.user, user_id],
        [w.received, <time key="received">{dateTimeOf(received)}</time>],
        [w.waitsFor, waits_for && <Wait key="wait" {...waits_for} />],
        [
          w.cause,
          <>
            {cause?.id != null &&
              (cause.kind === 'request' ? (
                <a href={formatAddress('requests', [cause.id])}>{w.request(cause.id)}</a>
              ) : (
                w.control(cause.id)
              ))}{' '}
            <a href={formatAddress('live', [], { pick: `d${id}` })}>{w.chain}</a>
          </>,
        ],
      ]}
    />
  )
}

/** What a pending delivery waits for, and until when. */
function Wait({ reason, until, behind }: NonNullable<Delivery['waits_for']>) {
  const now = worldNow.value
  const text = w[`wait_${reason}`]
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
          <a href={formatAddress('webhooks', [id])}>{w.outcome(id, n)}</a> <Status code={http_code} />{' '}
          <span class={isFailed ? 'bad' : 'good'}>
            {error === null ? w[isFailed ? 'failed' : 'delivered'] : visible(error)}
          </span>
        </>,
      )
      stop()
      return
    }
  })
  return stop
}

/** The key of each action, and the states in which the server accepts it. */
const ACTIONS = [
  ['resend', 's', ['pending', 'delivered', 'missed', 'held', 'dropped', 'silenced']],
  ['hold', 'h', ['pending']],
  ['release', 'h', ['held']],
  ['drop', 'x', ['pending', 'held']],
] as const satisfies [action: string, keys: string, states: Delivery['status'][]][]

function actionsOf(delivery: Delivery): Action[] {
  const { id, status } = delivery
  const run = async (action: (typeof ACTIONS)[number][0]) => {
    const stop = action === 'resend' ? announceOutcome(delivery) : () => {}
    await change(w[action], `POST /deliveries/{id}/${action}` satisfies Call, { path: { id } }).catch((error) => {
      stop()
      throw error
    })
  }
  return ACTIONS.filter(([, , states]) => (states as readonly string[]).includes(status)).map(([action, keys]) => ({
    ...{ keys, title: w[action], run: () => run(action), said: action === 'resend' ? w.resent(id) : w.done(id) },
  }))
}
