import { formatAddress } from '../../world/address.ts'
import { orNull, read } from '../../world/client.ts'
import { type Entry, idIn } from '../../world/entries.ts'
import { useLoad } from '../../world/load.ts'
import { type Screen, titleOf } from '../index.ts'
import { wordsOf } from '../words.ts'

const w = wordsOf('live')

/** The screens that show more of a change, by its topic. */
const SCREENS: Record<string, 'questions' | 'credits' | 'orders'> = {
  ...{ questions: 'questions', 'leads-credits': 'credits', orders_v2: 'orders', orders_feedback: 'orders' },
}

/** Opens the screen that shows more of an entry. */
export function Link({ entry: { event } }: { entry: Entry }) {
  if (event.type === 'request') return <Open screen="requests" id={event.id} />
  if (event.type === 'attempt') return <Open screen="webhooks" id={event.delivery_id} />
  if (event.type === 'delivery') return <Open screen="webhooks" id={event.id} />
  if (event.type !== 'fact') return null
  const id = idIn(event.resource)
  const screen = SCREENS[event.topic]
  if (screen) return <Open screen={screen} id={id} />
  return OF_SALES.test(event.topic) ? <SaleLink key={id} topic={event.topic} id={id} /> : null
}

const Open = ({ screen, id }: { screen: Screen['name']; id: string | number }) => (
  <p>
    <a class="button small" href={formatAddress(screen, [id])}>
      {w.openIn(titleOf(screen))}
    </a>
  </p>
)

/** What is shown on the page of its order. */
const OF_SALES = /^(payments|shipments|messages|post_purchase|claims)$/
/** Elements of lists among which it is looked for: an entry is seldom older. */
const query = { limit: 200 }

function SaleLink({ topic, id }: { topic: string; id: string }) {
  const { data: order } = useLoad((signal) => orderOf(topic, id, signal))
  return order ? <Open screen="orders" id={order} /> : null
}

async function orderOf(topic: string, id: string, signal: AbortSignal): Promise<number | null | undefined> {
  if (topic === 'shipments')
    return (await orNull(read('GET /shipments/{id}', { path: { id: Number(id) }, signal })))?.order_id
  if (topic === 'post_purchase' || topic === 'claims')
    return (await read('GET /claims', { query, signal })).results.find((claim) => claim.id === Number(id))?.resource_id
  const messages = topic === 'messages' ? (await read('GET /messages', { query, signal })).results : []
  const pack = messages.find((message) => message.id === id)?.pack_id
  const { results } = await read('GET /orders', { query, signal })
  return results.find(
    (order) => (order.pack_id ?? order.id) === pack || order.payments.some((payment) => payment.id === Number(id)),
  )?.id
}
