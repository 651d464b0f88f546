import { Badge, foreign, type Tone } from '../../parts/values.tsx'
import { dateTimeOf, distanceOf, minuteOf, shortDayOf } from '../../words/time.ts'
import { worldNow } from '../../world/clock.ts'
import { wordsOf } from '../words.ts'
import { amountOf, type Order, type Sale, SHIPMENT_TONES, stateOf, TONES } from './sale.ts'

const w = wordsOf('orders')

interface Step {
  at: string
  /** Whose step it is. */
  of: string
  tone?: Tone | undefined
  what: string
}

/** Everything that happened to a sale, and what the clock will bring, in the order of time. */
export function History({ sale }: { sale: Sale }) {
  const { order, shipments, messages, claims } = sale
  const steps: Step[] = [
    ...orderSteps(order),
    ...shipments.flatMap(({ type, steps: own }) =>
      own.map(({ at, ...state }) => ({
        ...{ at, of: type === 'return' ? w.back : w.shipment, what: stateOf(state) },
        tone: SHIPMENT_TONES[state.status as 'pending'],
      })),
    ),
    ...messages.toReversed().map(({ from, text, status, message_date }) => ({
      ...{ at: message_date.created, of: from.user_id === order.seller.id ? w.seller : w.buyer, what: text },
      tone: status === 'available' ? undefined : ('bad' as const),
    })),
    ...claims.flatMap(claimSteps),
  ]
  const now = worldNow.value ?? Number.POSITIVE_INFINITY
  return (
    <section class="stack" aria-label={w.history}>
      <h3>{w.history}</h3>
      <ul class="rows sale-history">
        {steps
          .map(({ at, ...step }) => ({ ...step, at: Date.parse(at) }))
          .sort((a, b) => a.at - b.at)
          .map(({ at, of, tone, what }) => (
            <li key={`${at} ${of} ${what}`} class={at > now ? 'muted' : undefined}>
              <Badge tone={at > now ? undefined : tone}>{of}</Badge>
              {foreign(what)}
              <time class="muted" title={dateTimeOf(at)}>
                {at > now ? distanceOf(at, now) : `${shortDayOf(at)} ${minuteOf(at)}`}
              </time>
            </li>
          ))}
      </ul>
    </section>
  )
}

function orderSteps(order: Order): Step[] {
  const steps: Step[] = [{ at: order.date_created, of: w.order, what: w.made }]
  for (const { id, total_paid_amount, transaction_amount_refunded: back, ...payment } of order.payments) {
    const add = (at: string, what: string, tone: Tone) => steps.push({ at, of: w.money, what, tone })
    if (payment.date_approved) add(payment.date_approved, w.payment(amountOf(order, total_paid_amount), id), 'good')
    if (back > 0) add(payment.date_last_modified, w.refunded(amountOf(order, back)), 'info')
  }
  const { cancel_detail } = order
  if (cancel_detail)
    steps.push({
      at: cancel_detail.date,
      of: w.order,
      what: w.cancelledBy(cancel_detail.description),
      tone: TONES.cancelled,
    })
  return steps
}

function claimSteps({ messages, ...claim }: Sale['claims'][number]): Step[] {
  const { id, date_created, reason_id, stage, last_updated, status, resolution } = claim
  const step = (at: string, what: string, tone: Tone) => ({ at, of: w.claim, what, tone })
  const players = { complainant: w.buyer, respondent: w.seller, mediator: w.mediations }
  return [
    step(date_created, w.claimed(w.reasons[reason_id as 'PDD9944'] ?? reason_id, id), 'bad'),
    ...messages.map(({ sender_role, message, date_created: at }) => ({
      ...{ at, of: w.claim, what: `${players[sender_role as 'mediator']}: ${message}` },
    })),
    ...(stage === 'dispute' && status === 'opened' ? [step(last_updated, w.disputed, 'bad')] : []),
    ...(resolution ? [step(resolution.date_created, w.resolved(resolution.reason.replaceAll('_', ' ')), 'good')] : []),
  ]
}
