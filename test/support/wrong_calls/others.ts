import { eq } from 'drizzle-orm'
import { STATISTIC_KINDS } from '../../../domains/contacts/tables.ts'
import { item_description, item as itemTable } from '../../../domains/items/tables.ts'
import { adoptAccessToken, issueCode, recordGrant } from '../../../domains/oauth/operations.ts'
import { tokenByText } from '../../../domains/oauth/queries.ts'
import { NOW, type TestApp } from '../app.ts'
import { leadFixtures } from '../credits.ts'
import { questionFixtures } from '../questions.ts'
import { type Draft, scanWithOffset, type WrongCalls } from './draft.ts'

const NO_ITEM = 'MLA9999999999'
const NO_USER = 999
const NO_LEAD = '00000000-0000-0000-0000-000000000000'

/** The routes of contacts, credits, items, users, currencies, sites, notifications and OAuth. */
export async function otherCalls(app: TestApp): Promise<WrongCalls[]> {
  const stall = await questionFixtures(app).createParties()
  return [
    ...contactCalls(stall),
    ...(await creditCalls(app, stall)),
    ...(await itemCalls(app, stall)),
    ...(await commonCalls(app, stall)),
    ...(await oauthCalls(app, stall)),
  ]
}

type Stall = Awaited<ReturnType<ReturnType<typeof questionFixtures>['createParties']>>

function contactCalls({ seller, buyer, item }: Stall): WrongCalls[] {
  const exclusive = {
    'param item_id': 'an id that is none names no listing',
    'param user_id': 'an id that is none names no user',
    'query ids': 'ids that are too many, or unknown, name no listings of others',
    token: 'a call without a valid token has no caller who could be another one',
  }
  // Needs the assumption `contacts.owner_only`.
  const notOwner = (field: string) => (call: Draft) => {
    call.uses(field)
    call.setCaller(buyer)
  }
  const totals = STATISTIC_KINDS.flatMap((kind) =>
    (['item_id', 'user_id'] as const).map((subject): WrongCalls => {
      const path = subject === 'item_id' ? '/items/:item_id' : '/users/:user_id'
      return {
        route: `GET ${path}/contacts/${kind}`,
        caller: seller,
        params: subject === 'item_id' ? { item_id: item } : { user_id: seller.id },
        query: { date_from: '2026-01-01', date_to: '2026-02-01' },
        breaks: {
          range: (call) => call.setQuery('date_to', 'x'),
          subject_exists: (call) => call.setParam(subject, subject === 'item_id' ? NO_ITEM : NO_USER),
          own_subject: notOwner(`param ${subject}`),
        },
        exclusive,
      }
    }),
  )
  const window = { last: 2, unit: 'day' }
  const ending = (call: Draft) => call.setQuery('ending', 'x')
  const windows = STATISTIC_KINDS.flatMap((kind): WrongCalls[] => [
    {
      route: `GET /items/:item_id/contacts/${kind}/time_window`,
      caller: seller,
      params: { item_id: item },
      query: window,
      breaks: {
        ids: (call) => {
          call.uses('param item_id')
          call.setQuery('ids', Array(51).fill(item).join())
        },
        ending,
        subject_exists: (call) => {
          call.uses('query ids')
          call.setParam('item_id', NO_ITEM)
        },
        own_subject: notOwner('param item_id'),
      },
      exclusive,
    },
    {
      route: `GET /users/:user_id/contacts/${kind}/time_window`,
      caller: seller,
      params: { user_id: seller.id },
      query: window,
      breaks: {
        ending,
        subject_exists: (call) => call.setParam('user_id', NO_USER),
        own_subject: notOwner('param user_id'),
      },
      exclusive,
    },
    {
      route: `GET /items/contacts/${kind}/time_window`,
      caller: seller,
      query: { ...window, ids: item },
      breaks: {
        ids: (call) => call.setQuery('ids', Array(51).fill(item).join()),
        ending,
        subject_exists: (call) => call.setQuery('ids', NO_ITEM),
        own_subject: notOwner('query ids'),
      },
      exclusive,
    },
  ])
  return [...totals, ...windows]
}

async function creditCalls(app: TestApp, stall: Stall): Promise<WrongCalls[]> {
  const { seller, buyer } = stall
  const lead = await leadFixtures(app).addLead(stall)
  const expired = await leadFixtures(app).addLead(stall, { date_created: Date.UTC(2026, 0, 1) })
  const query = (name: string, value: unknown) => (call: Draft) => call.setQuery(name, value)
  const seller_id = query('seller_id', buyer.id)
  return [
    {
      route: 'GET /vis/loans/search',
      caller: seller,
      query: { seller_id: seller.id, date_from: '2026-02-01T00:00:00', date_to: '2026-03-01T00:00:00' },
      breaks: {
        seller_id,
        date_from: query('date_from', 'x'),
        date_to: query('date_to', 'x'),
        date_order: (call) => {
          call.uses('query date_to')
          call.setQuery('date_from', '2026-03-02T00:00:00')
        },
        range: (call) => {
          call.uses('query date_to')
          call.setQuery('date_from', '2025-11-01T00:00:00')
        },
        item_id: query('item_id', 'x'),
        status: query('status', 'x'),
        financial_entity_id: query('financial_entity_id', 'x'),
        limit: query('limit', '101'),
        offset: query('offset', 'x'),
      },
      exclusive: {
        'query date_from': 'a date that is none is neither too late nor too early',
        'query date_to': 'a date that is none is neither too late nor too early',
      },
    },
    {
      route: 'GET /vis/loans/:credit_id',
      caller: seller,
      params: { credit_id: lead.id },
      query: { seller_id: seller.id },
      breaks: {
        seller_id,
        credit_id: (call) => call.setParam('credit_id', 'x'),
        lead_exists: (call) => call.setParam('credit_id', NO_LEAD),
        lead_current: (call) => call.setParam('credit_id', expired.id),
      },
      exclusive: { 'param credit_id': 'a lead that does not exist has not expired' },
    },
  ]
}

async function itemCalls(app: TestApp, { seller, buyer, item }: Stall): Promise<WrongCalls[]> {
  const fixtures = questionFixtures(app)
  const whole = await fixtures.createListing(seller)
  await app.world.tx(async (q) => {
    const [variation] = [{ id: 7, price: 5, available_quantity: 1, sold_quantity: 0, picture_ids: [] }]
    const details = JSON.stringify({ variations: [{ ...variation, attribute_combinations: [] }] })
    q.db.update(itemTable).set({ details }).where(eq(itemTable.id, whole)).run()
    q.db.insert(item_description).values({ item_id: whole, plain_text: 'x', date_created: 0, last_updated: 0 }).run()
  })
  const exclusive = {
    'param item_id': 'an id that is none names no listing',
    'param user_id': 'a user who does not exist is not another one',
    'query ids': 'without ids there are not too many',
    'query scroll_id': 'a search with scroll_id is a scan, which has no depth',
  }
  const many: WrongCalls[] = ['GET', 'PUT'].map((method) => ({
    route: `${method} /items`,
    caller: null,
    query: { ids: item },
    breaks: { ids: (call) => call.setQuery('ids', Array(21).fill(item).join()) },
    exclusive,
  }))
  return [
    ...many,
    ...['', '/description', '/descriptions', '/variations', '/variations/:variation_id', '/prices', '/sale_price'].map(
      (part): WrongCalls => ({
        route: `GET /items/:item_id${part}`,
        caller: null,
        params: { item_id: whole, ...(part.includes(':') && { variation_id: 7 }) },
        breaks: {
          listing_exists: (call) => call.setParam('item_id', NO_ITEM),
          has_description: (call) => call.setParam('item_id', item),
          variation_exists: (call) => call.setParam('variation_id', 8),
        },
        exclusive: { ...exclusive, 'param variation_id': 'an id that is none names no variation' },
      }),
    ),
    {
      route: 'GET /users/:user_id/items/search',
      caller: seller,
      params: { user_id: seller.id },
      breaks: {
        user_exists: (call) => call.setParam('user_id', NO_USER),
        own_listings: (call) => call.setParam('user_id', buyer.id),
        scan_offset: scanWithOffset,
        depth: (call) => {
          call.uses('query scroll_id')
          call.setQuery('offset', 1000)
        },
        scroll_id: (call) => call.setQuery('scroll_id', 'x'),
      },
      exclusive,
    },
  ]
}

async function commonCalls(app: TestApp, { seller, buyer }: Stall): Promise<WrongCalls[]> {
  const { application, control } = app
  const granter = await questionFixtures(app).createUser()
  const grant = { application_id: application.id, user_id: granter.id }
  const { body: foreign } = await control('POST /applications', { redirect_uri: 'http://localhost/' })
  const APPLICATION_REASONS = { 'param application_id': 'an application has one id' }
  const unknownId = (call: Draft) => call.setParam('id', 'X')
  return [
    // The owner of a token cannot be missing.
    { route: 'GET /users/me', caller: seller, breaks: {}, unreachable: ['user_exists'] },
    ...['', '/reputation'].map(
      (part): WrongCalls => ({
        route: `GET /users/:user_id${part}`,
        caller: null,
        params: { user_id: seller.id },
        breaks: { user_exists: (call) => call.setParam('user_id', NO_USER) },
        exclusive: { 'param user_id': 'an id that is none names no user' },
      }),
    ),
    {
      route: 'POST /users/test_user',
      caller: null,
      body: { site_id: 'MLA' },
      breaks: { site_exists: (call) => call.setMember('site_id', 'XXX') },
      exclusive: { 'member site_id': 'what is no text names no site' },
    },
    {
      route: 'GET /sites/:site_id/search',
      caller: null,
      params: { site_id: 'MLA' },
      breaks: {
        site_exists: (call) => call.setParam('site_id', 'XXX'),
        site_depth: (call) => call.setQuery('offset', 1000),
      },
      // The world of these calls has opened it.
      unreachable: ['search_open'],
    },
    {
      route: 'GET /applications/:application_id',
      caller: seller,
      params: { application_id: application.id },
      breaks: {
        application_exists: (call) => call.setParam('application_id', NO_USER),
        own_application: (call) => call.setParam('application_id', foreign.id),
      },
      exclusive: APPLICATION_REASONS,
    },
    ...['GET', 'DELETE'].map(
      (method): WrongCalls => ({
        route: `${method} /users/:user_id/applications/:application_id`,
        caller: granter,
        // A call that works ends the grant and the token.
        async prepare() {
          await app.world.tx(async (q) => {
            await recordGrant(q, grant, NOW)
            if (!(await tokenByText(q, granter.token)))
              await adoptAccessToken(q, { token: granter.token, ...grant, expires_at: null })
          })
        },
        params: { user_id: granter.id, application_id: application.id },
        breaks: {
          user_exists: (call) => call.setParam('user_id', NO_USER),
          own_grant: (call) => call.setParam('user_id', buyer.id),
          application_exists: (call) => call.setParam('application_id', NO_USER),
        },
        exclusive: { ...APPLICATION_REASONS, 'param user_id': 'an id that is none names no user' },
      }),
    ),
    { route: 'GET /currencies', caller: null, breaks: {} },
    { route: 'GET /currencies/:id', caller: null, params: { id: 'ARS' }, breaks: { currency_exists: unknownId } },
    { route: 'GET /currency_conversions/search', caller: null, query: { from: 'USD', to: 'ARS' }, breaks: {} },
    { route: 'GET /sites', caller: null, breaks: {} },
    { route: 'GET /sites/:id', caller: null, params: { id: 'MLA' }, breaks: { site_exists: unknownId } },
    ...['GET /missed_feeds', 'GET /myfeeds'].map(
      (route): WrongCalls => ({
        route,
        caller: seller,
        query: { app_id: application.id },
        breaks: { own_application: (call) => call.setQuery('app_id', 5) },
      }),
    ),
  ]
}

async function oauthCalls({ world, application, control }: TestApp, { seller }: Stall): Promise<WrongCalls[]> {
  const { id: client_id, secret: client_secret, redirect_uri } = application
  const create = async (more: object) =>
    (await control('POST /applications', { redirect_uri, secret: client_secret, ...more })).body.id
  const [blocked, strict] = [await create({ blocked: true }), await create({ use_pkce: true })]
  const operator = (await control('POST /users', { site_id: 'MLA', operator: true })).body.id
  await control(`PATCH /users/${operator}`, { password: 'otra' })
  const member = (name: string, value: unknown) => (call: Draft) => call.setMember(name, value)
  const query = (name: string, value: unknown) => (call: Draft) => call.setQuery(name, value)
  const request = { response_type: 'code', client_id, redirect_uri }
  const requestBreaks = (set: typeof member) => ({
    parameters: set('redirect_uri', undefined),
    response_type: set('response_type', 'x'),
    client_id: set('client_id', 5),
    client_blocked: set('client_id', blocked),
    code_challenge: set('client_id', strict),
    code_challenge_method: set('code_challenge_method', 'x'),
  })
  const exclusive = {
    'member redirect_uri': 'an address that is missing is no other one',
    'query redirect_uri': 'an address that is missing is no other one',
    'member client_id': 'one application is missing, unknown, blocked or strict',
    'query client_id': 'one application is missing, unknown, blocked or strict',
    'member user_id': 'an unknown user is no operator',
    'member grant_type': 'an unknown grant type has no refresh token',
    'member code': 'a code that is unknown has no address and no challenge',
    text: 'a body that is no JSON has no parameters',
  }
  return [
    {
      route: 'POST /oauth/token',
      caller: null,
      body: { grant_type: 'authorization_code', client_id, client_secret, redirect_uri, code_verifier: 'abc' },
      breaks: {
        grant_type: member('grant_type', 'x'),
        parameters: member('client_id', undefined),
        client: member('client_secret', 'x'),
        client_blocked: member('client_id', blocked),
        grant: member('code', 'TG-x'),
        live_grant: (call) => {
          call.uses('member code')
          call.setMember('grant_type', 'refresh_token')
          call.setMember('refresh_token', `TG-${'0'.repeat(24)}-${operator}`)
        },
        code_with_challenge: (call) => {
          call.uses('member code')
          call.setMember('client_id', strict)
          call.state.client_id = strict
        },
        redirect_uri: (call) => {
          call.uses('member code')
          call.setMember('redirect_uri', 'https://other.example/callback')
        },
        code_verifier: (call) => {
          call.uses('member code')
          call.setMember('code_verifier', 'other')
        },
      },
      async prepare(call) {
        const isStrict = call.state.client_id !== undefined
        const grant = { application_id: isStrict ? strict : client_id, user_id: seller.id, redirect_uri }
        const challenge = isStrict
          ? { code_challenge: null, code_challenge_method: null }
          : { code_challenge: 'abc', code_challenge_method: 'plain' as const }
        call.fill('member', 'code', await world.tx((q) => issueCode(q, world, { ...grant, ...challenge }, NOW)))
      },
      exclusive,
    },
    {
      route: 'GET /authorization',
      caller: null,
      query: request,
      breaks: { ...requestBreaks(query), redirect_uri: query('redirect_uri', 'https://other.example/callback') },
      exclusive,
    },
    {
      route: 'POST /authorization',
      caller: null,
      body: { ...request, user_id: seller.id },
      breaks: {
        ...requestBreaks(member),
        redirect_uri: member('redirect_uri', 'https://other.example/callback'),
        user_id: member('user_id', NO_USER),
        not_operator: member('user_id', operator),
      },
      exclusive,
    },
  ]
}
