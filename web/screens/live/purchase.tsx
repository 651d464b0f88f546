import { Show } from '../../parts/feedback.tsx'
import { Icon } from '../../parts/icons.tsx'
import { formatAddress } from '../../world/address.ts'
import { change } from '../../world/client.ts'
import { useLoad } from '../../world/load.ts'
import { setQuery } from '../../world/navigation.ts'
import { canChange } from '../../world/role.ts'
import { ShipmentBadge, Status } from '../orders/order.tsx'
import { changesSales, loadSale, type Sale } from '../orders/sale.ts'
import { wordsOf } from '../words.ts'
import { Bubble, Thread, WriteForm } from './thread.tsx'

const w = wordsOf('live')

/** What a buyer sees of a purchase: where it is, and what was written about it. */
export const Purchase = ({ id }: { id: number }) => (
  <Show loaded={useLoad((signal) => loadSale(id, signal), { refreshOn: changesSales })}>
    {(sale) => sale && <Bought sale={sale} />}
  </Show>
)

function Bought({ sale: { order, shipments, messages } }: { sale: Sale }) {
  const { id, pack_id, buyer, seller } = order
  const send = (text: string) =>
    change(w.write, 'POST /messages', { body: { pack_id: pack_id ?? id, seller_id: seller.id, from: 'buyer', text } })
  return (
    <>
      <p class="row">
        <a href={formatAddress('orders', [id])}>
          {w.purchase} …{String(id).slice(-4)}
        </a>
        <Status order={order} />
        {shipments.map((shipment) => (
          <ShipmentBadge key={shipment.id} shipment={shipment} />
        ))}
        <button type="button" class="plain small" onClick={() => setQuery({ order: undefined })} title={w.toQuestions}>
          <Icon name="close" />
          <span class="hidden">{w.toQuestions}</span>
        </button>
      </p>
      <Thread none={w.noMessages}>
        {messages
          .filter(({ from, status }) => status === 'available' || from.user_id === buyer.id)
          .map((message) => (
            <li key={message.id}>
              <Bubble text={message.text} isReply={message.from.user_id !== buyer.id} />
            </li>
          ))}
      </Thread>
      {canChange.value && <WriteForm action={w.write} label={w.yourMessage} keys="a" onSend={send} />}
    </>
  )
}
