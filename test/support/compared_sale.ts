import type { TestApp } from './app.ts'
import type { ReadCall } from './compared_calls.ts'
import type { Send } from './compared_server.ts'

const json = (body: unknown) => JSON.stringify(body)
const OF_SHIPMENT = ['items', 'costs', 'payments', 'lead_time', 'sla', 'delays', 'history', 'carrier']
const OF_CLAIM = ['detail', 'messages', 'actions', 'expected-resolutions', 'status-history', 'affects-reputation']

/** A program that lists something, sells it twice, and takes both back. Buyers act by control calls, `wait` after each. */
export const sell =
  ({ sellers, buyers, control }: TestApp, wait: () => void) =>
  async (send: Send): Promise<void> => {
    const [seller, buyer] = [sellers[0]!, buyers[0]!]
    const read = async (...paths: string[]) => {
      for (const path of paths) await send({ path })
    }
    const post = async (path: string, body?: unknown) => {
      const answer = await send({ path, method: 'POST', ...(body !== undefined && { body: json(body) }) })
      return JSON.parse(answer)
    }
    const happens = async (call: string, body?: unknown) => {
      wait()
      return (await control(`POST ${call}`, body)).body
    }
    const { id: item_id } = await post('/items', {
      ...{ title: 'Mate de calabaza', category_id: 'MLA3530', price: 1500, currency_id: 'ARS', available_quantity: 9 },
      ...{ buying_mode: 'buy_it_now', condition: 'new', listing_type_id: 'gold_special', shipping: { mode: 'me2' } },
      pictures: [{ source: 'https://example.com/mate.jpg' }],
      attributes: [
        { id: 'BRAND', value_name: 'Genérica' },
        { id: 'MODEL', value_name: 'Único' },
      ],
    })
    for (const end of ['refund', 'allow-return']) {
      const { order, payments, shipment } = await happens('/orders', { item_id, quantity: 2, buyer: buyer.id })
      const [ofOrder, ofShipment] = [`/orders/${order.id}`, `/shipments/${shipment.id}`]
      const talk = `/messages/packs/${order.pack_id}/sellers/${seller.id}?tag=post_sale`
      const sale = [ofOrder, `/packs/${order.pack_id}`, `/collections/${payments[0].id}`]
      sale.push(`/v1/payments/${payments[0].id}`, ofShipment, `${ofOrder}/shipments`, talk)
      await read(...sale, ...OF_SHIPMENT.map((part) => `${ofShipment}/${part}`))
      await send({ path: ofShipment, headers: { 'x-format-new': 'true' } })
      await read(`/shipment_labels?shipment_ids=${shipment.id}`, ofShipment, `${ofShipment}/history`)
      await happens(`${ofShipment}/advance`, { to: 'delivered' })
      const message = { from: { user_id: seller.id }, to: { user_id: buyer.id }, text: 'Hola.' }
      await post(talk, message)
      await happens('/messages', { pack_id: order.pack_id, from: 'buyer', text: '¿Cuándo llega?' })
      await read('/messages/unread?role=seller&tag=post_sale', ...sale)
      const sent = await post(talk, message)
      await read(talk, `/messages/${sent.id}?tag=post_sale`)
      const { id } = await happens('/claims', { order_id: order.id, reason_id: 'PDD9944', message: 'Llegó roto.' })
      const ofClaim = `/post-purchase/v1/claims/${id}`
      const claim = [ofClaim, ...OF_CLAIM.map((part) => `${ofClaim}/${part}`)]
      await read('/post-purchase/v1/claims/search?status=opened', ...claim, ofOrder, talk)
      await post(`${ofClaim}/actions/send-message`, { receiver_role: 'complainant', message: 'Lo siento.' })
      await post(`${ofClaim}/expected-resolutions/${end}`)
      await read(...claim, `/post-purchase/v2/claims/${id}/returns`, ...sale)
      await post(`${ofOrder}/notes`, { note: 'Devuelto' })
      await post(`${ofOrder}/feedback`, { fulfilled: true, rating: 'neutral', message: 'Bien' })
      await read(`${ofOrder}/notes`, `${ofOrder}/feedback`, `${ofOrder}/billing_info`, '/users/me')
    }
  }

/** What can be read of a sale that came back. */
export async function readsOfSale(seller: TestApp['sellers'][0]): Promise<ReadCall[]> {
  const players = `players.role=respondent&players.user_id=${seller.id}`
  const claims = (await seller.get(`/post-purchase/v1/claims/search?${players}`)).body.data
  const claim = claims.find(({ related_entities: all }: { related_entities: string[] }) => all.length > 0)
  const order = (await seller.get(`/orders/${claim.resource_id}`)).body
  const [pack, payment] = [order.pack_id ?? order.id, order.payments[0].id]
  const [ofOrder, ofShipment] = [`/orders/${order.id}`, `/shipments/${order.shipping.id}`]
  const ofClaim = `/post-purchase/v1/claims/${claim.id}`
  const paths = [ofOrder, `/packs/${pack}`, `/collections/${payment}`, ofShipment]
  paths.push(`/messages/packs/${pack}/sellers/${seller.id}`, ofClaim, `/post-purchase/v2/claims/${claim.id}/returns`)
  paths.push(`/v1/payments/${payment}`, `${ofOrder}/shipments`, `${ofOrder}/feedback`, `${ofOrder}/notes`)
  paths.push(...OF_SHIPMENT.map((part) => `${ofShipment}/${part}`), ...OF_CLAIM.map((part) => `${ofClaim}/${part}`))
  return [...paths.map((path) => ({ path })), { path: ofShipment, headers: { 'x-format-new': 'true' } }]
}
