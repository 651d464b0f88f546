import { cityIdOf } from '../../domains/users/sites.ts'
import type { TestApp } from '../support/app.ts'
import { leadFixtures } from '../support/credits.ts'
import {
  collectClaims,
  collectListings,
  collectMessages,
  collectSales,
  collectShipments,
  enough,
  type Places,
} from './demo_sales.ts'
import { words } from './values.ts'

/** Values of the demo world from which calls are built. */
export interface DemoValues {
  worldId: number
  /** Mostly of the seller whose data `known` holds. */
  tokens: string[]
  secrets: string[]
  /** Existing values by the name of the parameter or member. */
  values: Record<string, unknown[]>
  places?: Places
}

/** Prepared codes and refresh tokens, because each works once. */
const GRANTS = enough(40)

/** New questions that can be answered or deleted once. */
const NEW_QUESTIONS = enough(300)

const TEXTS = ['¿Tiene garantía?', 'a', '😀'.repeat(2000), 'one\u2028two\u2029three', '<b>&amp;"\'\\', 'é\u0301 \ud800']

const SINCE = [
  ...words('2026-01-01T00:00:00.000-04:00 2026-01-05 2026-02-01T10:00:00Z 2026-03-07t14:59:59,5z'),
  // The only form that credits accept.
  ...words('2025-12-07T15:00:00 2026-02-28T23:59:59'),
]
const UNTIL = [
  ...words('2026-03-07T15:00:00.000-04:00 2026-03-08 2026-03-01T00:00:00+0100 2026-03-07T15:00:00'),
  '2026-03-07 15:00:00 03:00',
]

/** Ranges that both services accept. */
const RANGES = [10, 12, 14].map((from) => ({ from, to: from + 2, capacity: 30, cutoff: 12 }))

/** Shipments of the first seller: on an open route, delivered, without a driver. */
const SHIPMENTS = [1, 2, 3, 6, 7, 12].map((n) => 43_000_000_000 + n)

/** Collects values over the API as a client would; leads are created by the fixtures. */
export async function collectDemoValues(app: TestApp): Promise<DemoValues> {
  const { server, world, sellers, buyers, application } = app
  const [seller, other] = sellers as [(typeof sellers)[0], (typeof sellers)[0]]
  const [buyer, second] = buyers as [(typeof buyers)[0], (typeof buyers)[0]]
  const search = async (query: string) =>
    (await seller.get(`/questions/search?${query}`)).body as {
      questions: { id: number; item_id: string }[]
      scroll_id?: string
    }
  const unanswered = (await search('limit=100&status=unanswered')).questions
  const answered = (await search('limit=20&status=answered')).questions
  const { scroll_id } = await search('limit=5&search_type=scan')
  const otherQuestions = (await other.get('/questions/search?limit=2')).body.questions as typeof unanswered
  const ids: number[] = []
  for (const n of Array(NEW_QUESTIONS).keys()) {
    const { item_id } = unanswered[n % unanswered.length]!
    const { status, body } = await [buyer, second][n % 2]!.post('/questions', {
      item_id,
      text: TEXTS[n % TEXTS.length],
    })
    if (status === 201) ids.push(body.id)
  }
  const items = [...new Set([...unanswered, ...answered, ...otherQuestions].map(({ item_id }) => item_id))]
  const questions = [...ids, ...[...unanswered, ...answered.slice(0, 5), ...otherQuestions].map(({ id }) => id)]
  const userIds = [seller, seller, seller, other, buyer, second].map(({ id }) => id)

  const subscriptions = (await seller.get(`/shipping/flex/sites/MLA/users/${seller.id}/subscriptions/v1`)).body
  const services = (subscriptions as { service_id: number }[]).map(({ service_id }) => service_id)
  const queries = services.flatMap((service_id) => [
    `{ configuration(user_id: ${seller.id}, service_id: ${service_id}) { delivery_window radius zones { id } } }`,
    `query Q($user_id: Int!, $service_id: Int = ${service_id}) {
      a: configuration(user_id: $user_id, service_id: $service_id) { ...F } } fragment F on Configuration { is_moderated }`,
  ])
  const { addLead: lead } = leadFixtures(app)
  const leads: { id: string }[] = []
  for (const item of items.slice(0, 3)) leads.push(await lead({ seller, buyer, item }))
  leads.push(await lead({ seller, buyer, item: items[0]! }, { date_created: Date.UTC(2026, 0, 7) }))
  const dates = 'date_from=2026-02-01T00:00:00&date_to=2026-03-07T15:00:00'
  const testLeads = { headers: { 'x-sandbox': 'true' } }
  const leadSearch = await seller.get(`/vis/loans/search?seller_id=${seller.id}&status=all&${dates}`, testLeads)
  leads.push(...leadSearch.body.results.slice(0, 4))

  const listings = await collectListings(seller)
  const sales = await collectSales(seller, [buyer, second])
  const messages = await collectMessages(app, seller, buyer, sales.values.pack_id)
  const shipments = await collectShipments(app, seller, buyer)

  const { id: client_id, secret: client_secret, redirect_uri } = application
  const form = (fields: object) => new URLSearchParams(fields as Record<string, string>).toString()
  const codes: string[] = []
  for (let n = 0; n < 2 * GRANTS; n++) {
    const parameters = { response_type: 'code', client_id, redirect_uri, user_id: seller.id }
    const { headers } = await server.inject({ method: 'POST', url: '/authorization', payload: form(parameters) })
    codes.push(new URL(String(headers.location)).searchParams.get('code')!)
  }
  const refresh_tokens: string[] = []
  for (const code of codes.splice(0, GRANTS)) {
    const parameters = { grant_type: 'authorization_code', client_id, client_secret, code, redirect_uri }
    const { body } = await buyer.post('/oauth/token', form(parameters))
    refresh_tokens.push(body.refresh_token)
  }

  const catalogued = (await seller.get('/items/MLA1400000005')).body
  const me = (await seller.get('/users/me')).body
  const tokens = [seller, buyer, second, other].map(({ token }) => token)
  return {
    worldId: world.id,
    tokens,
    secrets: [...[...sellers, ...buyers].map(({ token }) => token), client_secret, ...codes, ...refresh_tokens],
    places: {
      ...listings.places,
      ...sales.places,
      ...shipments.places,
      ...messages.places,
      ...(await collectClaims(app, seller, buyer)),
      '/countries/{country_id}/zip_codes/{zip_code}': [{ country_id: 'AR', zip_code: me.address.zip_code }],
      '/items/{item_id}/price_to_win': [{ item_id: catalogued.id }],
    },
    values: {
      item_id: items,
      item: items,
      ids: items,
      // POST /questions/{question_id} takes a listing id there.
      question_id: [...questions, ...items],
      question_ids: questions,
      questions_ids: questions,
      seller_id: userIds,
      user_id: userIds,
      buyer_id: [buyer.id, second.id],
      // An object is the sender of a message.
      from: [buyer.id, second.id, seller.id, { user_id: seller.id }, 'USD', 'BRL'],
      id: ['ARS', 'BRL', 'PYG', 'MLA', 'MLB'],
      last: [1, 2, 7, 24, 30, 1000],
      offset: [0, 1, 50, 900],
      'date_created.from': SINCE,
      'date_created.to': UNTIL,
      date_from: SINCE,
      date_to: UNTIL,
      ending: [...SINCE, ...UNTIL],
      sort_fields: ['item_id', 'from_id', 'date_created', 'seller_id'],
      sort_types: ['ASC', 'desc'],
      scroll_id: [scroll_id],
      text: TEXTS,
      response_type: ['code', 'pdf', 'zpl2'],
      grant_type: ['authorization_code', 'refresh_token'],
      client_id: [client_id],
      client_secret: [client_secret],
      redirect_uri: [redirect_uri],
      code: codes,
      refresh_token: refresh_tokens,
      code_challenge_method: ['S256', 'plain'],
      site_id: ['MLA'],
      category_id: ['MLA7001', 'MLA3530', 'MLB1000'],
      listing_type_id: ['gold_special', 'gold_pro', 'free'],
      product_id: [catalogued.catalog_product_id],
      country_id: ['AR', 'BR'],
      state_id: ['AR-C', 'BR-SP'],
      city_id: [cityIdOf('MLA', 'Buenos Aires')],
      domain_id: ['MLA-SPEAKERS', 'MLB-LAMPS'],
      service_id: services,
      query: queries,
      operationName: [''],
      variables: [{ user_id: seller.id }],
      delivery_ranges: [{ week: RANGES }, { week: RANGES, saturday: null, sunday: [] }],
      zones: [{ id: 'CABA' }, { id: 'CABA_Sur' }, { id: 'GBA_Norte' }],
      shipment_id: SHIPMENTS,
      ...listings.values,
      ...sales.values,
      ...shipments.values,
      ...messages.values,
      to: [...messages.values.to, 'USD', 'ARS'],
      'order.date_created.from': SINCE,
      'order.date_created.to': UNTIL,
      credit_id: leads.map(({ id }) => id),
      application_id: [client_id],
    },
  }
}
