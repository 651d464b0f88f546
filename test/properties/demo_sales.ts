import type { Person, TestApp } from '../support/app.ts'
import { JPG, MULTIPART_TYPE, multipart, PNG } from '../support/multipart.ts'
import { runs } from '../support/property.ts'

/** Segments of a path that belong together, as a variation and its listing, by the path. */
export type Places = Record<string, Record<string, unknown>[]>

/** Of what calls use up; fewer calls need fewer of them. */
export const enough = (all: number): number => Math.min(all, runs(all))

interface Sold {
  id: number
  pack_id: number | null
  payments: { id: number }[]
  buyer: { id: number; billing_info: { id: string } }
}

/** New listings, because each gets a description, or continues, once. */
const NEW_LISTINGS = enough(20)
const VARIATIONS = enough(40)
const NOTES = enough(40)
const PARCELS = enough(25)

const LISTING = {
  ...{ title: 'Mate de calabaza', category_id: 'MLA3530', price: 12999, currency_id: 'ARS', available_quantity: 5 },
  ...{
    buying_mode: 'buy_it_now',
    listing_type_id: 'gold_special',
    pictures: [{ source: 'https://example.com/a.jpg' }],
  },
}

/** Creates listings and pictures of a seller as a client would. */
export async function collectListings(seller: Person) {
  const create = async (more = {}): Promise<{ id: string; variations: { id: number }[] }> =>
    (await seller.post('/items', { ...LISTING, ...more })).body
  const created: { item_id: string }[] = []
  for (let n = 0; n < 2 * NEW_LISTINGS; n++) created.push({ item_id: (await create()).id })
  const [open, closed] = [created.slice(NEW_LISTINGS), created.slice(0, NEW_LISTINGS)]
  for (const { item_id } of closed) await seller.post(`/items/${item_id}`, { status: 'closed' }, { method: 'PUT' })
  const colors = Array.from({ length: VARIATIONS }, (_, n) => ({
    ...{ price: 12999, available_quantity: 3 },
    attribute_combinations: [{ id: 'COLOR', value_name: `Color ${n}` }],
  }))
  const { id: item_id, variations } = await create({ variations: colors })
  const picture = (await seller.post('/pictures', LISTING.pictures[0])).body as { id: string }
  // Each of its own, because it is in Flex or not for both.
  const ofFlex: Places = {}
  for (const path of [
    '/sites/{site_id}/shipping/selfservice/items/{item_id}',
    '/flex/sites/{site_id}/items/{item_id}/v2',
  ])
    ofFlex[path] = [{ site_id: 'MLA', item_id: (await create({ shipping: { mode: 'me2' } })).id }]
  const places: Places = {
    ...ofFlex,
    '/items/{item_id}': [...open.slice(0, 2), { item_id }],
    '/items/{item_id}/description': open,
    '/items/{item_id}/relist': closed,
    '/items/{item_id}/variations/{variation_id}': variations.map(({ id }) => ({ item_id, variation_id: id })),
  }
  return { places, values: { picture_id: [picture.id], file: [JPG, PNG].map((head) => head.toString('latin1')) } }
}

/** Collects orders of a seller, and writes notes and feedback on them as clients would. */
export async function collectSales(seller: Person, buyers: readonly Person[]) {
  const orders = (await seller.get('/orders/search?seller=me&sort=date_desc&limit=50')).body.results as Sold[]
  const sold = orders.slice(0, 10)
  const feedback_ids: number[] = []
  for (const { id, buyer } of orders) {
    const person = buyers.find((one) => one.id === buyer.id)
    if (person)
      feedback_ids.push((await person.post(`/orders/${id}/feedback`, { fulfilled: true, rating: 'positive' })).body.id)
  }
  // Of the seller, who makes most of the calls.
  for (const { id } of orders.slice(10, 20)) {
    const { status, body } = await seller.post(`/orders/${id}/feedback`, { fulfilled: true, rating: 'positive' })
    if (status === 201) feedback_ids.push(body.id)
  }
  const [{ id: order_id }] = sold as [Sold]
  const notes: { order_id: number; note_id: string }[] = []
  for (let n = 0; n < NOTES; n++) {
    const { body } = await seller.post(`/orders/${order_id}/notes`, { note: 'Entregar por la tarde.' })
    notes.push({ order_id, note_id: body.note.id })
  }
  const filters = ['stage=claim', 'stage=dispute', 'type=return', 'status=closed']
  const claims: number[] = []
  for (const filter of filters) {
    const { body } = await seller.get(`/post-purchase/v1/claims/search?${filter}`)
    claims.push(...body.data.map(({ id }: { id: number }) => id))
  }
  return {
    places: { '/orders/{order_id}/notes/{note_id}': notes } as Places,
    values: {
      order_id: sold.map(({ id }) => id),
      pack_id: sold.map(({ pack_id, id }) => pack_id ?? id),
      payment_id: sold.flatMap(({ payments }) => payments.map(({ id }) => id)),
      billing_info_id: sold.map(({ buyer }) => buyer.billing_info.id),
      feedback_id: feedback_ids,
      claim_id: claims,
      receiver_role: ['complainant', 'mediator'],
      range: ['date_created:after:2020-01-01T00:00:00.000-04:00', 'last_updated:before:2026-03-01'],
      seller: [String(seller.id), 'me', '1'],
      buyer: [String(seller.id), 'me', '1'],
      'order.status': ['paid', 'cancelled'],
    },
  }
}

/** Messages of a seller, files as a client would upload them, and sales of which no other call knows the orders. */
export async function collectMessages({ control }: TestApp, seller: Person, buyer: Person, sales: readonly number[]) {
  const { results } = (await seller.get('/messages/unread')).body as { results: { resource: string }[] }
  const unread = results.map(({ resource }) => Number(resource.split('/')[2]))
  const messages: { id: string }[] = []
  for (const pack_id of [...unread, ...sales]) {
    const url = `/messages/packs/${pack_id}/sellers/${seller.id}?mark_as_read=false`
    messages.push(...(await seller.get(url)).body.messages)
  }
  const active: { pack_id: number; seller_id: number }[] = []
  const { body: listing } = await seller.post('/items', LISTING)
  for (let n = 0; n < 3; n++) {
    const pack_id = (await control('POST /orders', { item_id: listing.id, buyer: buyer.id })).body.pack.id as number
    await control('POST /messages', { pack_id, from: 'buyer', text: '¿Cuándo llega?' })
    active.push({ pack_id, seller_id: seller.id })
  }
  const attachment_ids: string[] = []
  for (const filename of ['a.png', 'b.pdf']) {
    const file = { headers: { 'content-type': MULTIPART_TYPE }, payload: multipart(PNG, { filename }) }
    attachment_ids.push((await seller.post('/messages/attachments?site_id=MLA', '', file)).body.id)
  }
  return {
    places: { '/messages/packs/{pack_id}/sellers/{seller_id}': active } as Places,
    values: {
      message_id: messages.map(({ id }) => id),
      attachment_id: attachment_ids,
      attachments: attachment_ids,
      // The agent of the site.
      to: [{ user_id: 3037674934 }],
      tag: ['post_sale'],
      option_id: ['OTHER', 'REQUEST_VARIANTS', 'SEND_INVOICE_LINK'],
      pack_id: [...unread, ...sales],
    },
  }
}

const CLAIM_ACTIONS = [
  ...['actions/send-message', 'actions/open-dispute'],
  ...['refund', 'allow-return', 'partial-refund'].map((name) => `expected-resolutions/${name}`),
]

/** New claims for each action, because most end a claim or can be done once. */
export async function collectClaims({ control }: TestApp, seller: Person, buyer: Person): Promise<Places> {
  const { body: listing } = await seller.post('/items', { ...LISTING, available_quantity: 2 * CLAIM_ACTIONS.length })
  const open = async () => {
    const { order } = (await control('POST /orders', { item_id: listing.id, buyer: buyer.id })).body
    return { claim_id: (await control('POST /claims', { order_id: order.id })).body.id }
  }
  const places: Places = {}
  for (const action of CLAIM_ACTIONS)
    places[`/post-purchase/v1/claims/{claim_id}/${action}`] = [await open(), await open()]
  return places
}

/** Sales whose parcels can be made ready once, or are sent by the seller, and those of the demo. */
export async function collectShipments({ control }: TestApp, seller: Person, buyer: Person) {
  const sell = async (more: object): Promise<{ shipment_id: number }[]> => {
    const { body } = await seller.post('/items', { ...LISTING, available_quantity: PARCELS, ...more })
    const sold: { shipment_id: number }[] = []
    for (let n = 0; n < PARCELS; n++) {
      const purchase = { item_id: body.id, buyer: buyer.id }
      sold.push({ shipment_id: (await control('POST /orders', purchase)).body.shipment.id })
    }
    return sold
  }
  const [own, handling] = [await sell({ shipping: { mode: 'me1' } }), await sell({ shipping: { mode: 'me2' } })]
  const printable = await sell({ shipping: { mode: 'me2' } })
  for (const { shipment_id: id } of handling)
    await control(`PATCH /shipments/${id}`, { status: 'handling', substatus: 'waiting_for_label_generation' })
  const paths = ['', '/seller_notifications', '/payments'].map((path) => `/shipments/{shipment_id}${path}`)
  return {
    places: {
      ...Object.fromEntries(paths.map((path) => [path, own])),
      '/shipments/{shipment_id}/process/ready_to_ship': handling,
    } as Places,
    values: {
      shipment_ids: printable.map(({ shipment_id }) => shipment_id),
      zip_code: ['1675', '04101-000'],
      dimensions: ['9x17x22,462'],
      list: ['true', 'false'],
      substatus: [null, 'null'],
      'x-format-new': ['true', 'TRUE', 'false'],
    },
  }
}
