import t from 'tap'
import { billingInfoId, billingOf } from '../../domains/orders/billing.ts'
import type { UserRow } from '../../domains/users/queries.ts'
import { DAY, NOW, type Person, start } from '../support/app.ts'
import { badRequest, errorBody, expectAnswer, FOREIGN, notFound, questionFixtures } from '../support/questions.ts'

const app = await start(t)
const { call, control } = app
const { createParties, createUser, setClock } = questionFixtures(app)

const AT_NOW = '2026-03-07T11:00:00.000-04:00'
const put = (who: Person, url: string, body: unknown) =>
  call({ method: 'PUT', url, headers: { authorization: `Bearer ${who.token}` }, payload: JSON.stringify(body) })
const NOT_OWNED = errorBody(403, 'not_owned_order', 'The user has not access to the order')

/** A sale of a new seller to a new buyer. */
async function createSale(body: object = {}) {
  const parties = await createParties()
  const {
    status,
    text,
    body: bought,
  } = await control('POST /orders', {
    ...{ item_id: parties.item, buyer: parties.buyer.id },
    ...body,
  })
  if (status !== 201) throw new Error(text)
  return { ...parties, id: bought.order.id as number }
}
type Sale = Awaited<ReturnType<typeof createSale>>

t.test('billing data have two forms, and documents follow from the buyer', async (t) => {
  const { seller, buyer, id } = await createSale()
  await control(`PATCH /users/${buyer.id}`, {
    ...{ first_name: 'Ana', last_name: 'Paz' },
    address: { address: 'Av. Corrientes 1234', city: 'Rosario', state: 'AR-S', zip_code: '2000' },
  })
  const { number, type, taxpayer_type } = billingOf({ ...person(buyer.id, 'MLA') })
  const url = `/orders/${id}/billing_info`
  const list = (await seller.get(url)).body.buyer.billing_info
  expectAnswer(t, await seller.get(url), 200, {
    buyer: {
      billing_info: {
        doc_type: type,
        doc_number: number,
        additional_info: [
          { type: 'FIRST_NAME', value: 'Ana' },
          { type: 'LAST_NAME', value: 'Paz' },
          { type: 'DOC_TYPE', value: type },
          { type: 'DOC_NUMBER', value: number },
          { type: 'STREET_NAME', value: 'Av. Corrientes' },
          { type: 'STREET_NUMBER', value: '1234' },
          { type: 'CITY_NAME', value: 'Rosario' },
          { type: 'STATE_NAME', value: 'Santa Fe' },
          { type: 'ZIP_CODE', value: '2000' },
          { type: 'COMMENT', value: '' },
          { type: 'NEIGHBORHOOD', value: '' },
          { type: 'TAXPAYER_TYPE_ID', value: taxpayer_type!.description },
        ],
      },
    },
  })
  t.strictSame((await buyer.get(url)).body.buyer.billing_info, list, 'the buyer reads the same')
  const newer = {
    site_id: 'MLA',
    buyer: {
      cust_id: buyer.id,
      billing_info: {
        name: 'Ana',
        last_name: 'Paz',
        identification: { type, number },
        taxes: { taxpayer_type },
        address: {
          street_name: 'Av. Corrientes',
          street_number: '1234',
          city_name: 'Rosario',
          comment: '',
          neighborhood: '',
          state: { code: 'AR-S', name: 'Santa Fe' },
          zip_code: '2000',
          country_id: 'AR',
        },
        attributes: { is_normalized: true, cust_type: type === 'CUIT' ? 'BU' : 'CO', doc_type_number: number },
      },
    },
    seller: { cust_id: seller.id },
  }
  expectAnswer(t, await seller.get(url, { headers: { 'x-version': '2' } }), 200, newer)
  const billing_info_id = (await seller.get(`/orders/${id}`)).body.buyer.billing_info.id
  t.match(billing_info_id, /^\d{18}$/)
  expectAnswer(t, await seller.get(`/orders/billing-info/MLA/${billing_info_id}`), 200, newer)

  const unknown = `1${billing_info_id.slice(1)}`.replace(/^1./, '09')
  const missing = notFound(`Billing info with id ${unknown} not found`)
  expectAnswer(t, await seller.get(`/orders/billing-info/MLA/${unknown}`), 404, missing)
  const otherSite = notFound(`Billing info with id ${billing_info_id} not found`)
  expectAnswer(t, await seller.get(`/orders/billing-info/MLB/${billing_info_id}`), 404, otherSite)
  expectAnswer(t, await (await createUser()).get(`/orders/billing-info/MLA/${billing_info_id}`), 403, NOT_OWNED)
  expectAnswer(t, await (await createUser()).get(url), 403, NOT_OWNED)
})

const person = (id: number, site_id: string) => ({ id, site_id, address: '{"address":""}' }) as UserRow

t.test('documents have the form of their site, with check digits, and some belong to companies', async (t) => {
  const FORMS: Record<string, [person: RegExp, company: RegExp]> = {
    MLA: [/^DNI \d{8}$/, /^CUIT 30\d{9}$/],
    MLB: [/^CPF \d{11}$/, /^CNPJ \d{8}0001\d{2}$/],
    MLM: [/^RFC XEXX\d{9}$/, /^RFC XEX\d{9}$/],
    MLC: [/^RUT 1\d{7}-[\dK]$/, /^RUT 76\d{6}-[\dK]$/],
    MCO: [/^CC \d{10}$/, /^NIT 90\d{7}$/],
    MLU: [/^CI \d{8}$/, /^RUT \d{12}$/],
    MPE: [/^DNI \d{8}$/, /^RUC 20\d{9}$/],
    MEC: [/^CI \d{10}$/, /^RUC \d{13}$/],
  }
  for (const [site, forms] of Object.entries(FORMS)) {
    const all = Array.from({ length: 80 }, (_, n) => billingOf(person(2_500_001_000 + n, site)))
    const companies = all.filter(({ isCompany }) => isCompany)
    t.ok(companies.length > 2 && companies.length < 25, `${site}: ${companies.length} companies`)
    const wrong = all.filter(({ type, number, isCompany }) => !forms[isCompany ? 1 : 0].test(`${type} ${number}`))
    t.strictSame(wrong, [], site)
  }
  const isCpf = (digits: string) =>
    [9, 10].every((length) => {
      const sum = [...digits.slice(0, length)].reduce((sum, digit, n) => sum + Number(digit) * (length + 1 - n), 0)
      return ((sum * 10) % 11) % 10 === Number(digits[length])
    })
  const persons = Array.from({ length: 50 }, (_, n) => billingOf(person(n, 'MLB'))).filter((one) => !one.isCompany)
  t.strictSame(
    persons.filter(({ number }) => !isCpf(number)),
    [],
  )
  t.equal(billingInfoId(2_000_010_000_000_001).length, 18)
})

t.test('seller and buyer say how a sale went, once each, and the other side replies', async (t) => {
  const { seller, buyer, item, id } = await createSale()
  const url = `/orders/${id}/feedback`
  expectAnswer(t, await seller.get(url), 200, { sale: null, purchase: null })
  const given = await seller.post(url, { fulfilled: true, rating: 'positive', message: 'Buen comprador' })
  const sale = {
    id: given.body.id,
    order_id: id,
    site_id: 'MLA',
    role: 'seller',
    from: { id: seller.id, nickname: seller.nickname, status: 'active', points: 0 },
    to: { id: buyer.id, nickname: buyer.nickname, status: 'active', points: 0 },
    item: { id: item, title: 'Silla', price: 1000, currency_id: 'ARS' },
    fulfilled: true,
    rating: 'positive',
    reason: null,
    message: 'Buen comprador',
    restock_item: false,
    reply: null as string | null,
    status: 'active',
    date_created: AT_NOW,
    visibility_date: AT_NOW,
    modified: AT_NOW,
    extended_feedback: [],
    has_seller_refunded_money: false,
    app_id: null,
  }
  expectAnswer(t, given, 201, sale)
  t.ok(given.body.id >= 9_040_000_000_001)
  const twice = errorBody(400, 'feedback_already_exists', 'The user has already given feedback on the order')
  expectAnswer(t, await seller.post(url, { fulfilled: true }), 400, twice)
  t.match((await seller.get(`/orders/${id}`)).body, {
    fulfilled: true,
    status: 'paid',
    feedback: { buyer: null, seller: { id: sale.id } },
  })

  const purchase = (await buyer.post(url, { fulfilled: true, rating: 'neutral' })).body
  t.match(purchase, { role: 'buyer', from: { id: buyer.id }, to: { id: seller.id }, rating: 'neutral', message: null })
  expectAnswer(t, await buyer.get(url), 200, { sale, purchase })
  expectAnswer(t, await buyer.get(`/feedback/${sale.id}`), 200, sale)

  const reply = `/feedback/${sale.id}/reply`
  const foreign = errorBody(403, 'not_owned_feedback', 'The user has not access to the feedback')
  expectAnswer(t, await seller.post(reply, { reply: 'Gracias' }), 403, foreign)
  expectAnswer(t, await buyer.post(reply, { reply: 'Gracias' }), 200, { ...sale, reply: 'Gracias' })
  const replied = errorBody(400, 'reply_already_exists', 'The feedback has already a reply')
  expectAnswer(t, await buyer.post(reply, { reply: 'Gracias' }), 400, replied)
  t.teardown(() => setClock(NOW))
  setClock(NOW + 14 * DAY + 1)
  const late = errorBody(400, 'reply_time_expired', 'The time to reply has expired')
  expectAnswer(t, await seller.post(`/feedback/${purchase.id}/reply`, { reply: 'Gracias' }), 400, late)

  const changed = await put(buyer, `/feedback/${purchase.id}`, { rating: 'negative' })
  t.match(changed, { status: 200, body: { rating: 'negative', fulfilled: true, modified: /^2026-03-21/ } })
  t.equal((await seller.get(`/orders/${id}`)).body.fulfilled, false)
  expectAnswer(t, await put(seller, `/feedback/${purchase.id}`, { rating: 'positive' }), 403, foreign)
})

t.test('feedback is refused', async (t) => {
  const { seller, buyer, id } = await createSale()
  const url = `/orders/${id}/feedback`
  const fulfilled = errorBody(400, 'invalid_fulfilled', 'fulfilled must be true, or false with a reason')
  const message = errorBody(400, 'invalid_message', 'The text must be a string of at most 160 characters')
  for (const [body, expected] of [
    [{}, fulfilled],
    [{ fulfilled: 'yes' }, fulfilled],
    [{ fulfilled: false }, fulfilled],
    [{ fulfilled: true, message: 'x'.repeat(161) }, message],
    [{ fulfilled: true, rating: 'good' }, badRequest('rating: must be one of positive, neutral, negative')],
  ] as const)
    expectAnswer(t, await seller.post(url, body), 400, expected, JSON.stringify(body))
  expectAnswer(t, await (await createUser()).post(url, { fulfilled: true }), 403, NOT_OWNED)
  const unknown = errorBody(404, 'feedback_not_found', 'Feedback not found')
  for (const one of ['9040000999999', 'x']) expectAnswer(t, await seller.get(`/feedback/${one}`), 404, unknown)
  const { body: mine } = await buyer.post(url, { fulfilled: true })
  const foreign = errorBody(403, 'not_owned_feedback', 'The user has not access to the feedback')
  expectAnswer(t, await (await createUser()).get(`/feedback/${mine.id}`), 403, foreign)
  t.teardown(() => setClock(NOW))
  setClock(NOW + 21 * DAY + 1)
  const expired = errorBody(
    400,
    'not_fulfilled_feedback_in_order_expired',
    "You can't submit a not fulfilled feedback after order has expired.",
  )
  expectAnswer(t, await seller.post(url, { fulfilled: false, reason: 'OTHER' }), 400, expired)
  t.equal((await seller.post(url, { fulfilled: true })).status, 201)
})

const itemOf = async ({ item }: Sale) => (await control(`GET /items/${item}`)).body.available_quantity

t.test('a seller who says that a sale did not take place cancels it, with or without its units', async (t) => {
  for (const restock_item of [false, true]) {
    const sale = await createSale()
    const before = await itemOf(sale)
    const given = await sale.seller.post(`/orders/${sale.id}/feedback`, {
      ...{ fulfilled: false, rating: 'neutral', reason: 'SELLER_OUT_OF_STOCK', restock_item },
    })
    t.match(given, { status: 201, body: { fulfilled: false, has_seller_refunded_money: true, restock_item } })
    t.match((await sale.seller.get(`/orders/${sale.id}`)).body, {
      status: 'cancelled',
      fulfilled: false,
      cancel_detail: { group: 'seller', description: 'SELLER_OUT_OF_STOCK' },
      payments: [{ status: 'refunded' }],
    })
    t.equal((await itemOf(sale)) - before, restock_item ? 1 : 0)
  }
  const { buyer, seller, id } = await createSale()
  await buyer.post(`/orders/${id}/feedback`, { fulfilled: false, reason: 'OTHER' })
  t.match((await seller.get(`/orders/${id}`)).body, { status: 'paid', fulfilled: false }, 'a buyer does not cancel')
})

t.test('feedback publishes one event of its own and one of the order', async (t) => {
  const { seller, id } = await createSale()
  const eventsOf = async (resource: string) =>
    (await control(`GET /facts?resource=${resource}`)).body.results.map(({ topic }: { topic: string }) => topic)
  const before = (await eventsOf(`/orders/${id}`)).length
  await seller.post(`/orders/${id}/feedback`, { fulfilled: false, reason: 'OTHER' })
  t.strictSame(await eventsOf(`/orders/${id}/feedback`), ['orders_feedback'])
  t.equal((await eventsOf(`/orders/${id}`)).length - before, 1)
})

t.test('a seller writes, changes and deletes notes', async (t) => {
  const { seller, buyer, id } = await createSale()
  const url = `/orders/${id}/notes`
  expectAnswer(t, await seller.get(url), 200, [{ results: [], order_id: id }])
  const written = await seller.post(url, { note: 'Entregar por la tarde' })
  const note = {
    id: written.body.note.id,
    note: 'Entregar por la tarde',
    date_created: AT_NOW,
    date_last_updated: AT_NOW,
  }
  t.match(note.id, /^[0-9a-f]{24}$/)
  expectAnswer(t, written, 201, { note })
  expectAnswer(t, await seller.get(url), 200, [{ results: [note], order_id: id }])
  const changed = { ...note, note: 'Mañana' }
  expectAnswer(t, await put(seller, `${url}/${note.id}`, { note: 'Mañana' }), 200, { note: changed })
  expectAnswer(t, await buyer.get(url), 403, NOT_OWNED)
  const tooLong = badRequest('note: must be a string of at most 300 characters, not blank, without U+0000')
  expectAnswer(t, await seller.post(url, { note: 'x'.repeat(301) }), 400, tooLong)
  const other = await createSale()
  const missing = notFound(`Note ${note.id} not found`)
  expectAnswer(t, await other.seller.delete(`/orders/${other.id}/notes/${note.id}`), 404, missing)
  expectAnswer(t, await seller.delete(`${url}/${note.id}`), 200, { note: changed })
  expectAnswer(t, await put(seller, `${url}/${note.id}`, { note: 'x' }), 404, missing)
  expectAnswer(t, await seller.delete(`${url}/x`), 404, notFound('Note x not found'))
})

t.test('a blocked buyer cannot buy', async (t) => {
  const { seller, buyer, item } = await createSale()
  const url = `/users/${seller.id}/order_blacklist`
  expectAnswer(t, await seller.post(url, { user_id: buyer.id }), 200, { user_id: buyer.id })
  const page = { total: 1, offset: 0, limit: 50 }
  expectAnswer(t, await seller.get(url), 200, { paging: page, users: [{ id: buyer.id }] })
  await control(`PATCH /items/${item}`, { available_quantity: 5 })
  const purchase = { item_id: item, buyer: buyer.id }
  t.match(await control('POST /orders', purchase), {
    status: 409,
    body: { message: `the seller has blocked buyer ${buyer.id}` },
  })
  expectAnswer(t, await buyer.get(url), 403, FOREIGN)
  expectAnswer(t, await seller.post(url, { user_id: 999 }), 404, notFound('User with id 999 not found'))
  expectAnswer(t, await seller.delete(`${url}/${buyer.id}`), 200, { user_id: buyer.id })
  t.equal((await control('POST /orders', purchase)).status, 201)
})

t.test('an order has no attributes of its product, and no discounts', async (t) => {
  const { seller, id } = await createSale()
  expectAnswer(t, await seller.get(`/orders/${id}/product`), 200, { attributes: [] })
  expectAnswer(t, await seller.get(`/orders/${id}/discounts`), 200, { details: [] })
})
