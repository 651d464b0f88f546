import { Found } from '../../parts/feedback.tsx'
import { DetailHead } from '../../parts/page.tsx'
import { Badge, FactList } from '../../parts/values.tsx'
import { number } from '../../words/words.ts'
import { formatAddress } from '../../world/address.ts'
import { useLoad } from '../../world/load.ts'
import { titleOf } from '../index.ts'
import { UserLink } from '../subjects.tsx'
import { wordsOf } from '../words.ts'
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

const w = wordsOf('orders')

export const Status = ({ order: { status } }: { order: Order }) => <Badge tone={TONES[status]}>{w[status]}</Badge>

export const ShipmentBadge = ({ shipment }: { shipment: Pick<Shipment, 'status' | 'substatus'> }) => (
  <Badge tone={SHIPMENT_TONES[shipment.status as 'pending']}>{stateOf(shipment)}</Badge>
)

export const OpenedOrder = ({ id }: { id: number }) => (
  <Found loaded={useLoad((signal) => loadSale(id, signal), { refreshOn: changesSales })} gone={w.gone(id)}>
    {(sale) => <Detail sale={sale} />}
  </Found>
)

function Detail({ sale }: { sale: Sale }) {
  const { order, shipments, claims } = sale
  const { id, pack_id, seller, buyer, tags, feedback } = order
  const { item, quantity, unit_price, sale_fee } = order.order_items[0]!
  const opinions = [
    feedback.seller && `${w.seller}: ${feedback.seller.id}`,
    feedback.buyer && `${w.buyer}: ${feedback.buyer.id}`,
  ]
  const badges = [
    <Status key="order" order={order} />,
    ...shipments.map((shipment) => <ShipmentBadge key={shipment.id} shipment={shipment} />),
    claims.some(({ status }) => status === 'opened') && (
      <Badge key="claim" tone="bad">
        {w.claim}
      </Badge>
    ),
  ]
  return (
    <article class="stack">
      <DetailHead title={item.title} id={id} badges={badges}>
        <Actions sale={sale} />
      </DetailHead>
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
          [w.seller, <UserLink key="seller" {...seller} />],
          [w.buyer, <UserLink key="buyer" {...buyer} />],
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
        <a href={formatAddress('live', [], { q: String(id) })}>{titleOf('live')}</a>
        <a href={formatAddress('webhooks', [], { resource: `/orders/${id}` })}>{titleOf('webhooks')}</a>
      </p>
    </article>
  )
}

/** How it is sent, and with which numbers. */
const parcelOf = ({ id, logistic_type, tracking_number }: Shipment): string =>
  [id, logistic_type, tracking_number].filter(Boolean).join(' · ')
