import { FactList } from '../../parts/facts.tsx'
import { Empty, Show } from '../../parts/feedback.tsx'
import { visible } from '../../parts/text.tsx'
import { number } from '../../words/words.ts'
import { formatAddress } from '../../world/address.ts'
import { useLoad } from '../../world/load.ts'
import { words } from '../words.ts'
import { Actions } from './actions.tsx'
import { History } from './history.tsx'
import {
  amountOf,
  changesSales,
  loadSale,
  type Order,
  type Sale,
  SHIPMENT_TONES,
  type Shipment,
  stateOf,
  TONES,
  totalOf,
} from './sale.ts'

export const Status = ({ order: { status } }: { order: Order }) => (
  <span class="badge" data-tone={TONES[status]}>
    {words().orders[status]}
  </span>
)

export const ShipmentBadge = ({ shipment }: { shipment: Pick<Shipment, 'status' | 'substatus'> }) => (
  <span class="badge" data-tone={SHIPMENT_TONES[shipment.status as 'pending']}>
    {stateOf(shipment)}
  </span>
)

export function OpenedOrder({ id }: { id: number }) {
  const w = words().orders
  const loaded = useLoad((signal) => loadSale(id, signal), { refreshOn: changesSales })
  return (
    <Show loaded={loaded}>
      {(sale) => (sale ? <Detail sale={sale} again={loaded.again} /> : <Empty icon="orders" title={w.gone(id)} />)}
    </Show>
  )
}

function Detail({ sale, again }: { sale: Sale; again(): void }) {
  const w = words().orders
  const { order, shipments, claims } = sale
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
          <span class="mono muted">{id}</span> <Status order={order} />{' '}
          {shipments.map((shipment) => (
            <ShipmentBadge key={shipment.id} shipment={shipment} />
          ))}{' '}
          {claims.some(({ status }) => status === 'opened') && (
            <span class="badge" data-tone="bad">
              {w.claim}
            </span>
          )}
        </p>
        <Actions sale={sale} again={again} />
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
          ...shipments.map((one) => [one.type === 'return' ? w.back : w.shipment, parcelOf(one)] as const),
          [w.tags, tags.join(', ')],
          [w.opinions, opinions.filter(Boolean).join(', ') || null],
        ]}
      />
      <History sale={sale} />
      <p class="row">
        <a href={formatAddress('requests', [], { q: String(id) })}>{w.calls}</a>
        <a href={formatAddress('live', [], { q: String(id) })}>{w.live}</a>
        <a href={formatAddress('webhooks', [], { resource: `/orders/${id}` })}>{w.webhooks}</a>
      </p>
    </article>
  )
}

/** How it is sent, and with which numbers. */
const parcelOf = ({ id, logistic_type, tracking_number }: Shipment): string =>
  [id, logistic_type, tracking_number].filter(Boolean).join(' · ')
