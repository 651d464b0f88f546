import type { AnyEvent } from '../../../lib/types.ts'
import { CopyCurl } from '../../parts/copy_as.tsx'
import { DialogButton } from '../../parts/dialog.tsx'
import { FactList } from '../../parts/facts.tsx'
import { Empty, Show } from '../../parts/feedback.tsx'
import { useKeys } from '../../parts/keys.ts'
import { visible } from '../../parts/text.tsx'
import { attempt } from '../../parts/toasts.tsx'
import { dateTimeOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { formatAddress } from '../../world/address.ts'
import { change, orNull, read } from '../../world/client.ts'
import { useLoad } from '../../world/load.ts'
import { canChange } from '../../world/role.ts'
import { words } from '../words.ts'
import { CancelForm, RefundForm } from './forms.tsx'
import { amountOf, isPaid, isUnpaid, type Order, TONES, totalOf } from './sale.ts'

/** Orders change by calls, control calls and time. */
export const changesOrders = (event: AnyEvent): boolean =>
  (event.type === 'fact' && /^(orders|payments)/.test(event.topic)) ||
  (event.type === 'control' && /^\/(orders|items)/.test(event.path)) ||
  event.type === 'clock'

export const Status = ({ order: { status } }: { order: Order }) => (
  <span class="badge" data-tone={TONES[status]}>
    {words().orders[status]}
  </span>
)

export function OpenedOrder({ id }: { id: number }) {
  const w = words().orders
  const loaded = useLoad((signal) => orNull(read('GET /orders/{id}', { path: { id }, signal })), {
    refreshOn: changesOrders,
  })
  return (
    <Show loaded={loaded}>
      {(order) => (order ? <Detail order={order} again={loaded.again} /> : <Empty icon="orders" title={w.gone(id)} />)}
    </Show>
  )
}

function Detail({ order, again }: { order: Order; again(): void }) {
  const w = words().orders
  const { id, pack_id, seller, buyer, tags, feedback } = order
  const { item, quantity, unit_price, sale_fee } = order.order_items[0]!
  const person = ({ id: user, nickname }: { id: number; nickname: string }) => (
    <a key={user} href={formatAddress('users', [user])}>
      <bdi>{visible(nickname)}</bdi> {user}
    </a>
  )
  const opinions = [
    feedback.seller && `${w.seller}: ${feedback.seller.id}`,
    feedback.buyer && `${w.buyer}: ${feedback.buyer.id}`,
  ]
  return (
    <article class="stack">
      <header class="detail-head">
        <h2>
          <bdi>{visible(item.title)}</bdi>
        </h2>
        <p class="row">
          <span class="mono muted">{id}</span> <Status order={order} />
        </p>
        <Actions order={order} again={again} />
      </header>
      <FactList
        of={[
          [w.total, totalOf(order)],
          [w.units, `${number(quantity)} × ${amountOf(order, unit_price)}`],
          [
            w.listing,
            <a key="item" class="mono" href={formatAddress('listings', [item.id])}>
              {item.id}
            </a>,
          ],
          [w.seller, person(seller)],
          [w.buyer, person(buyer)],
          [w.fee, amountOf(order, sale_fee * quantity)],
          [w.pack, pack_id === null ? null : String(pack_id)],
          [w.tags, tags.join(', ')],
          [w.opinions, opinions.filter(Boolean).join(', ') || null],
        ]}
      />
      <History order={order} />
      <p class="row">
        <a href={formatAddress('requests', [], { q: String(id) })}>{w.calls}</a>
        <a href={formatAddress('live', [], { q: String(id) })}>{w.live}</a>
        <a href={formatAddress('webhooks', [], { resource: `/orders/${id}` })}>{w.webhooks}</a>
      </p>
    </article>
  )
}

function Actions({ order, again }: { order: Order; again(): void }) {
  const w = words().orders
  const { id } = order
  const pay = () => void attempt(() => change(w.pay, 'POST /orders/{id}/pay', { path: { id } })).then(again, () => {})
  const canPay = canChange.value && isUnpaid(order)
  useKeys(canPay ? [{ keys: 'y', title: w.pay, run: pay }] : [])
  const dialogs = [
    ...(isPaid(order) || isUnpaid(order) ? [{ keys: 'x', title: w.cancel, Form: CancelForm }] : []),
    ...(isPaid(order) ? [{ keys: 'r', title: w.refund, Form: RefundForm }] : []),
  ]
  return (
    <div class="actions">
      {canPay && (
        <button type="button" class="primary" onClick={pay}>
          {w.pay} <kbd>y</kbd>
        </button>
      )}
      {dialogs.map(({ keys, title, Form }) => (
        <DialogButton
          key={keys}
          title={title}
          keys={keys}
          dialog={(close) => <Form order={order} onClose={close} again={again} />}
        />
      ))}
      <CopyCurl call={{ call: 'GET /orders/{id}', input: { path: { id } } }} />
    </div>
  )
}

/** What happened to the order and its payments, in the order of time. */
function History({ order }: { order: Order }) {
  const w = words().orders
  const steps: [at: string, what: string][] = [[order.date_created, w.made]]
  for (const { id, total_paid_amount, transaction_amount_refunded: back, ...payment } of order.payments) {
    if (payment.date_approved) steps.push([payment.date_approved, w.payment(amountOf(order, total_paid_amount), id)])
    if (back > 0) steps.push([payment.date_last_modified, w.refunded(amountOf(order, back))])
  }
  const { cancel_detail } = order
  if (cancel_detail) steps.push([cancel_detail.date, w.cancelledBy(visible(cancel_detail.description))])
  return (
    <section class="stack" aria-label={w.history}>
      <h3>{w.history}</h3>
      <ul class="rows">
        {steps
          .map(([at, what]) => ({ at: Date.parse(at), what }))
          .sort((a, b) => a.at - b.at)
          .map(({ at, what }) => (
            <li key={what}>
              <span class="row">
                <time class="muted">{dateTimeOf(at)}</time>
                <bdi>{what}</bdi>
              </span>
            </li>
          ))}
      </ul>
    </section>
  )
}
