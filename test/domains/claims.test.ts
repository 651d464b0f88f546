import t from 'tap'
import { DAY, HOUR, NOW, type Person, start } from '../support/app.ts'
import { takeOutbox } from '../support/outbox.ts'
import { errorBody, expectAnswer, questionFixtures } from '../support/questions.ts'

const app = await start(t)
const { world, control } = app
const { createParties, createUser, createListing, setClock } = questionFixtures(app)
t.beforeEach(() => setClock(NOW))

const AT = '2026-03-07T11:00:00.000-04:00'
const DUE = '2026-03-10T11:00:00.000-04:00'
const BASE = '/post-purchase/v1/claims'

const must = async (name: string, body?: object, status = 201) => {
  const answer = await control(name, body)
  if (answer.status !== status) throw new Error(`${name}: ${answer.status} ${answer.text}`)
  return answer.body
}
/** A sale with a claim on it. */
async function claimed(more: object = {}) {
  const parties = await createParties()
  const { order, pack, payments } = await must('POST /orders', { item_id: parties.item, buyer: parties.buyer.id })
  const { id } = await must('POST /claims', { order_id: order.id, ...more })
  return { ...parties, order, pack, payments, id: id as number, path: `${BASE}/${id}` }
}
/** The events of claims and orders since the last call. */
const takeEvents = async () =>
  (await takeOutbox(world))
    .filter(({ topic }) => ['post_purchase', 'claims', 'orders_v2'].includes(topic))
    .map(({ topic, resource, actions, user_ids }) => [
      topic,
      resource,
      actions && JSON.parse(actions),
      JSON.parse(user_ids),
    ])
const NOT_FOUND = errorBody(404, 'business_logic_error', 'Resource not found')
const FOREIGN = errorBody(403, 'forbidden_error', "You don't have permission to access the resource")
const actions = (...names: string[]) => names.map((action) => ({ action, mandatory: false, due_date: DUE }))
const namesOf = (body: { players: { role: string; available_actions: { action: string }[] }[] }) =>
  Object.fromEntries(
    body.players.map(({ role, available_actions }) => [role, available_actions.map(({ action }) => action)]),
  )

t.test(
  'a claim: every answer about it [spec: claims.read, claims.actions, claims.due_date, claims.events, claims.topics]',
  async (t) => {
    const parties = await createParties()
    const { seller, buyer, item } = parties
    const { order } = await must('POST /orders', { item_id: item, buyer: buyer.id, quantity: 1 })
    await takeEvents()
    const { id } = await must('POST /claims', { order_id: order.id, message: 'No enciende.' })
    const resource = `/post-purchase/v1/claims/${id}`
    const users = [seller.id, buyer.id]
    t.strictSame(
      await takeEvents(),
      ['post_purchase', 'claims'].map((topic) => [topic, resource, ['claims'], users]),
    )
    const whole = {
      id,
      resource_id: order.id,
      status: 'opened',
      type: 'mediations',
      stage: 'claim',
      parent_id: null,
      resource: 'order',
      reason_id: 'PDD9944',
      fulfilled: true,
      quantity_type: 'total',
      claimed_quantity: 1,
      claim_version: 2,
      players: [
        {
          role: 'complainant',
          type: 'buyer',
          user_id: buyer.id,
          available_actions: actions('send_message_to_respondent', 'open_dispute'),
        },
        {
          role: 'respondent',
          type: 'seller',
          user_id: seller.id,
          available_actions: actions(
            'send_message_to_complainant',
            'refund',
            'allow_partial_refund',
            'allow_return',
            'open_dispute',
          ),
        },
      ],
      resolution: null,
      site_id: 'MLA',
      date_created: AT,
      last_updated: AT,
      related_entities: [],
    }
    const path = `${BASE}/${id}`
    for (const person of [seller, buyer]) expectAnswer(t, await person.get(path), 200, whole)
    expectAnswer(t, await seller.get(`${path}/detail`), 200, {
      due_date: DUE,
      action_responsible: 'seller',
      title: 'Tienes que responder un reclamo',
      description: 'El comprador espera tu respuesta.',
      problem: 'No funciona bien',
    })
    expectAnswer(t, await seller.get(`${path}/messages`), 200, [
      {
        sender_role: 'complainant',
        receiver_role: 'respondent',
        message: 'No enciende.',
        translated_message: null,
        date_created: AT,
        last_updated: AT,
        message_date: AT,
        date_read: null,
        attachments: [],
        status: 'available',
        stage: 'claim',
        message_moderation: { status: 'clean', reason: '', source: 'online', date_moderated: AT },
        repeated: false,
      },
    ])
    expectAnswer(t, await seller.get(`${path}/expected-resolutions`), 200, [
      {
        player_role: 'complainant',
        user_id: buyer.id,
        expected_resolution: 'return_product',
        details: [],
        date_created: AT,
        last_updated: AT,
        status: 'pending',
      },
    ])
    expectAnswer(t, await seller.get(`${path}/status-history`), 200, [
      { stage: 'claim', status: 'opened', date: AT, change_by: 'complainant' },
    ])
    expectAnswer(t, await seller.get(`${path}/affects-reputation`), 200, {
      affects_reputation: 'not_affected',
      has_incentive: true,
      due_date: '2026-03-09T11:00:00.000-04:00',
    })
    for (const part of ['attachments', 'actions-history']) expectAnswer(t, await seller.get(`${path}/${part}`), 200, [])
    expectAnswer(t, await seller.get(`${BASE}/search?order_id=${order.id}`), 200, {
      paging: { total: 1, offset: 0, limit: 30 },
      data: [whole],
    })
  },
)

t.test(
  'messages: to the buyer, then to the mediator [spec: claims.messages, claims.messages.read, claims.unavailable]',
  async (t) => {
    const { seller, buyer, path } = await claimed({ message: 'No enciende.' })
    const send = (person: Person, receiver_role: string, message = '¿Lo cargaste?') =>
      person.post(`${path}/actions/send-message`, { receiver_role, message, attachments: ['a.png'] })
    await takeEvents()
    expectAnswer(t, await send(seller, 'complainant'), 201, {})
    t.match(await takeEvents(), [['post_purchase', String, ['claims_actions']], ['claims']])
    for (const [person, receiver] of [
      [seller, 'mediator'],
      [seller, 'respondent'],
      [buyer, 'complainant'],
    ] as const)
      expectAnswer(
        t,
        await send(person, receiver),
        400,
        errorBody(400, 'bad_request', `The action send_message_to_${receiver} is not available`),
      )
    const { body } = await seller.get(`${path}/messages`)
    t.strictSame(
      body.map(({ sender_role, message, date_read }: Record<string, unknown>) => [sender_role, message, date_read]),
      [
        ['complainant', 'No enciende.', AT],
        ['respondent', '¿Lo cargaste?', null],
      ],
    )
    t.equal((await seller.post(`${path}/actions/send-message`, { receiver_role: 'x', message: 'a' })).status, 400)
    t.equal((await seller.post(`${path}/actions/send-message`, { receiver_role: 'complainant' })).status, 400)
    await must(`PATCH ${path.replace(BASE, '/claims')}`, { stage: 'dispute' }, 200)
    t.equal((await send(buyer, 'mediator')).status, 201)
    t.equal((await send(seller, 'complainant')).status, 400)
  },
)

t.test(
  'a dispute: stage, mediator, mediations of the order [spec: claims.states, claims.dispute, claims.mediator]',
  async (t) => {
    const { seller, buyer, order, id, path } = await claimed()
    t.strictSame((await seller.get(`/orders/${order.id}`)).body.mediations, [])
    await takeEvents()
    const disputed = await buyer.post(`${path}/actions/open-dispute`)
    t.match(disputed, { status: 200, body: { stage: 'dispute', status: 'opened' } })
    t.match(disputed.body.players[2], { role: 'mediator', type: 'internal', available_actions: [] })
    t.strictSame(namesOf(disputed.body), {
      complainant: ['send_message_to_mediator'],
      respondent: ['send_message_to_mediator', 'refund'],
      mediator: [],
    })
    t.strictSame(
      (await takeEvents()).map(([topic]) => topic),
      ['post_purchase', 'claims', 'orders_v2'],
    )
    t.strictSame((await seller.get(`/orders/${order.id}`)).body.mediations, [{ id }])
    const found = async (status: string) =>
      (await seller.get(`/orders/search?mediations.status=${status}`)).body.results.map((one: { id: number }) => one.id)
    t.strictSame([await found('opened'), await found('closed')], [[order.id], []])
    t.match((await seller.get(`${path}/detail`)).body, { action_responsible: 'mediator' })
    t.strictSame((await seller.get(`${path}/affects-reputation`)).body, {
      affects_reputation: 'affected',
      has_incentive: false,
      due_date: null,
    })
    expectAnswer(
      t,
      await seller.post(`${path}/actions/open-dispute`),
      400,
      errorBody(400, 'bad_request', 'The action open_dispute is not available'),
    )
    await must(`PATCH /claims/${id}`, { status: 'closed', resolution: 'product_delivered' }, 200)
    t.strictSame([await found('opened'), await found('closed')], [[], [order.id]])
    const { body } = await seller.get(path)
    t.strictSame(body.resolution, {
      reason: 'product_delivered',
      date_created: AT,
      benefited: ['respondent'],
      closed_by: 'mediator',
      applied_coverage: false,
    })
    t.strictSame(namesOf(body), { complainant: [], respondent: [], mediator: [] })
    t.strictSame(
      (await seller.get(`${path}/status-history`)).body.map(({ stage, status, change_by }: Record<string, string>) => [
        ...[stage, status, change_by],
      ]),
      [
        ['claim', 'opened', 'complainant'],
        ['dispute', 'opened', 'complainant'],
        ['dispute', 'closed', 'mediator'],
      ],
    )
    t.match((await seller.get(`${path}/detail`)).body, { due_date: null, action_responsible: null })
  },
)

t.test('a refund ends the claim and cancels the order, in one unit [spec: claims.resolutions]', async (t) => {
  const { seller, buyer, order, path } = await claimed()
  await takeEvents()
  expectAnswer(
    t,
    await buyer.post(`${path}/expected-resolutions/refund`),
    400,
    errorBody(400, 'bad_request', 'The action refund is not available'),
  )
  const expected = (
    player_role: string,
    user_id: number,
    expected_resolution: string,
    status: string,
    details = [],
  ) => ({
    ...{ player_role, user_id, expected_resolution, details, date_created: AT, last_updated: AT, status },
  })
  expectAnswer(t, await seller.post(`${path}/expected-resolutions/refund`), 200, [
    expected('complainant', buyer.id, 'return_product', 'rejected'),
    expected('respondent', seller.id, 'refund', 'accepted'),
  ])
  t.strictSame(
    (await takeEvents()).map(([topic]) => topic),
    ['post_purchase', 'claims', 'orders_v2'],
  )
  t.match((await seller.get(path)).body, {
    status: 'closed',
    resolution: { reason: 'payment_refunded', benefited: ['complainant'], closed_by: 'respondent' },
  })
  t.match((await seller.get(`/orders/${order.id}`)).body, {
    status: 'cancelled',
    cancel_detail: { group: 'mediations' },
    payments: [{ status: 'refunded' }],
  })
  t.equal((await seller.post(`${path}/expected-resolutions/refund`)).status, 400)
})

t.test('a partial refund leaves the order paid [spec: claims.percentage]', async (t) => {
  const { seller, order, path } = await claimed()
  t.equal((await seller.post(`${path}/expected-resolutions/partial-refund`, { percentage: 100 })).status, 400)
  const { status, body } = await seller.post(`${path}/expected-resolutions/partial-refund`, { percentage: 30 })
  t.equal(status, 200)
  t.strictSame(body[1].details, [{ key: 'percentage', value: '30' }])
  t.match((await seller.get(path)).body.resolution, { reason: 'partial_refunded' })
  t.match((await seller.get(`/orders/${order.id}`)).body, {
    status: 'partially_refunded',
    paid_amount: 700,
    payments: [{ transaction_amount_refunded: 300 }],
  })
  const other = await claimed()
  await other.seller.post(`${other.path}/expected-resolutions/partial-refund`, {})
  t.equal((await other.seller.get(`/orders/${other.order.id}`)).body.paid_amount, 500)
  const missing = await claimed({ reason_id: 'PNR9501' })
  t.match((await missing.seller.get(missing.path)).body, { fulfilled: false })
  for (const [name, action] of [
    ['partial-refund', 'allow_partial_refund'],
    ['allow-return', 'allow_return'],
  ])
    expectAnswer(
      t,
      await missing.seller.post(`${missing.path}/expected-resolutions/${name}`, {}),
      400,
      errorBody(400, 'bad_request', `The action ${action} is not available`),
    )
})

t.test('a return: a second shipment [spec: claims.returns, claims.returns.not_found]', async (t) => {
  const { seller, buyer, item, order, id, path } = await claimed()
  const returns = `/post-purchase/v2/claims/${id}/returns`
  expectAnswer(t, await seller.get(returns), 404, NOT_FOUND)
  const { id: shipment } = await must(`POST /claims/${id}/return`)
  const { address } = (await seller.get('/users/me')).body
  const whole = {
    id: shipment,
    last_updated: AT,
    shipments: [
      {
        shipment_id: shipment,
        status: 'ready_to_ship',
        tracking_number: `MEL${shipment}FMXDF01`,
        destination: {
          name: 'seller_address',
          shipping_address: {
            address_line: address.address,
            city: { name: address.city },
            state: { id: address.state },
            zip_code: address.zip_code,
          },
        },
        type: 'return',
      },
    ],
    refund_at: 'delivered',
    date_closed: null,
    resource_type: 'order',
    date_created: AT,
    claim_id: id,
    status_money: 'retained',
    resource_id: order.id,
    type: 'return',
    subtype: 'return_total',
    status: 'label_generated',
    orders: [
      {
        order_id: order.id,
        item_id: item,
        variation_id: null,
        context_type: 'total',
        total_quantity: 1,
        return_quantity: 1,
      },
    ],
    related_entities: [],
  }
  for (const person of [seller, buyer]) expectAnswer(t, await person.get(returns), 200, whole)
  const { body } = await seller.get(path)
  t.match(body, { status: 'opened', related_entities: ['return'] })
  t.notOk(namesOf(body).respondent!.includes('allow_return'))
  t.equal((await control(`POST /claims/${id}/return`)).status, 409)
  t.not((await seller.get(`/orders/${order.id}`)).body.shipping.id, shipment)

  const allowed = await claimed()
  const answer = await allowed.seller.post(`${allowed.path}/expected-resolutions/allow-return`)
  t.match(answer.body, [{ status: 'accepted' }, { expected_resolution: 'return_product', status: 'accepted' }])
  const returned = async () => (await allowed.seller.get(`/post-purchase/v2/claims/${allowed.id}/returns`)).body
  t.match(await returned(), { status_money: 'retained', date_closed: null, status: 'label_generated' })
  const state = await allowed.seller.get(allowed.path)
  t.match(state.body, { status: 'opened', resolution: null, related_entities: ['return'] })
  t.strictSame(namesOf(state.body).respondent, [
    ...['send_message_to_complainant', 'refund', 'allow_partial_refund', 'open_dispute'],
  ])
  t.match((await allowed.seller.get(`/orders/${allowed.order.id}`)).body, { status: 'paid' })
})

t.test('the money follows when a return has arrived [spec: claims.returns, shipments.returns]', async (t) => {
  const { seller, buyer, order, id, path } = await claimed({ message: 'No enciende.' })
  await seller.post(`${path}/expected-resolutions/allow-return`)
  const returns = `/post-purchase/v2/claims/${id}/returns`
  const { id: shipment } = (await seller.get(returns)).body
  const { steps } = (await control(`GET /shipments/${shipment}`)).body
  t.strictSame(
    steps.map(({ status, substatus, at }: Record<string, string>) => [status, substatus, Date.parse(at!) - NOW]),
    [
      ['ready_to_ship', 'ready_to_print', 0],
      ['ready_to_ship', 'dropped_off', 12 * HOUR],
      ['shipped', null, 20 * HOUR],
      ['shipped', 'out_for_delivery', 44 * HOUR],
      ['delivered', null, 48 * HOUR],
    ],
  )
  await must('POST /clock/advance', { by: 'PT47H' }, 200)
  t.match((await seller.get(returns)).body, { status: 'shipped', status_money: 'retained' })
  t.match((await seller.get(path)).body, { status: 'opened' })
  await takeEvents()
  await must('POST /clock/advance', { by: 'PT5H' }, 200)
  // Returns of other tests arrive, too.
  const own = (await takeEvents()).filter(([, , , users]) => users.includes(seller.id))
  t.strictSame(own, [
    ['post_purchase', `${BASE}/${id}`, ['claims'], [seller.id, buyer.id]],
    ['claims', `${BASE}/${id}`, ['claims'], [seller.id, buyer.id]],
    ['orders_v2', `/orders/${order.id}`, null, [seller.id, buyer.id]],
  ])
  const arrivedAt = '2026-03-09T11:00:00.000-04:00'
  t.match((await seller.get(returns)).body, {
    ...{ status: 'delivered', status_money: 'refunded', date_closed: arrivedAt, last_updated: arrivedAt },
  })
  t.strictSame((await seller.get(path)).body.resolution, {
    ...{ reason: 'payment_refunded', date_created: arrivedAt, benefited: ['complainant'] },
    ...{ closed_by: 'respondent', applied_coverage: false },
  })
  t.match((await seller.get(`/orders/${order.id}`)).body, {
    status: 'cancelled',
    payments: [{ status: 'refunded', transaction_amount_refunded: 1000 }],
  })
  // The seller has allowed it within two days.
  t.equal((await seller.get(`${path}/affects-reputation`)).body.affects_reputation, 'not_affected')
})

t.test('a return that arrives after its claim has ended, or whose order is refunded, refunds nothing', async (t) => {
  const arrive = async ({ id, path, order, seller }: Awaited<ReturnType<typeof claimed>>) => {
    const { id: shipment } = (await seller.get(`/post-purchase/v2/claims/${id}/returns`)).body
    await must(`POST /shipments/${shipment}/advance`, { to: 'delivered' }, 200)
    const { body } = await seller.get(path)
    const { status_money } = (await seller.get(`/post-purchase/v2/claims/${id}/returns`)).body
    const { status } = (await seller.get(`/orders/${order.id}`)).body
    return [body.resolution.reason, body.resolution.closed_by, status_money, status]
  }
  const ended = await claimed()
  await must(`POST /claims/${ended.id}/return`)
  await must(`PATCH /claims/${ended.id}`, { status: 'closed', resolution: 'product_delivered' }, 200)
  t.strictSame(await arrive(ended), ['product_delivered', 'mediator', 'available', 'paid'])
  const refunded = await claimed()
  await must(`POST /claims/${refunded.id}/return`)
  await must(`POST /orders/${refunded.order.id}/refund`, {}, 200)
  t.strictSame(await arrive(refunded), ['payment_refunded', 'mediator', 'refunded', 'cancelled'])
  const open = await claimed()
  await must(`POST /claims/${open.id}/return`)
  t.strictSame(await arrive(open), ['payment_refunded', 'mediator', 'refunded', 'cancelled'])
})

t.test(
  'refusals of calls about a claim [spec: claims.not_found, claims.foreign, claims.order, claims.old]',
  async (t) => {
    const { seller, id, path } = await claimed()
    const stranger = await createUser()
    const parts = ['', '/detail', '/messages', '/attachments', '/expected-resolutions', '/status-history']
    for (const part of [...parts, '/actions-history', '/affects-reputation'])
      for (const unknown of ['1', 'x'])
        expectAnswer(t, await seller.get(`${BASE}/${unknown}${part}`), 404, NOT_FOUND, part)
    for (const part of [...parts, '/actions-history', '/affects-reputation'])
      expectAnswer(t, await stranger.get(`${path}${part}`), 403, FOREIGN, part)
    const message = { receiver_role: 'complainant', message: 'a' }
    for (const part of [
      ...['actions/send-message', 'actions/open-dispute', 'expected-resolutions/refund'],
      ...['expected-resolutions/partial-refund', 'expected-resolutions/allow-return'],
    ]) {
      expectAnswer(t, await seller.post(`${BASE}/1/${part}`, message), 404, NOT_FOUND, part)
      expectAnswer(t, await stranger.post(`${path}/${part}`, message), 403, FOREIGN, part)
    }
    expectAnswer(t, await stranger.get(`/post-purchase/v2/claims/${id}/returns`), 403, FOREIGN)
    for (const old of [`/v1/claims/${id}`, '/v1/claims/search', `/marketplace/v2/claims/${id}`])
      t.equal((await seller.get(old)).status, 404)
    t.equal((await seller.get(`${BASE}/reasons/PDD1`)).status, 404)
  },
)

t.test('reasons [spec: claims.reasons]', async (t) => {
  const { seller } = await createParties()
  expectAnswer(t, await seller.get(`${BASE}/reasons/PDD9939`), 200, {
    id: 'PDD9939',
    flow: 'post_purchase_delivered',
    name: 'repentant_buyer',
    detail: 'Llegó bien, pero no lo quiere',
    position: 3,
    filter: { group: ['generic'] },
    settings: { allowed_flows: ['mediations', 'return'] },
    parent_id: null,
    children_title: null,
    status: 'active',
  })
  for (const id of ['PDD1', 'x']) expectAnswer(t, await seller.get(`${BASE}/reasons/${id}`), 404, NOT_FOUND)
})

t.test(
  'search: every filter, the newest first [spec: claims.search, claims.search.filters, claims.search.range]',
  async (t) => {
    const { seller, buyer, order, pack, payments, id } = await claimed({ type: 'return', reason_id: 'PDD9943' })
    setClock(NOW + DAY)
    const { order: second } = await must('POST /orders', { item_id: await createListing(seller), buyer: buyer.id })
    const { id: later } = await must('POST /claims', { order_id: second.id })
    await must(`PATCH /claims/${later}`, { stage: 'dispute' }, 200)
    const ids = async (query: string, person = seller) => {
      const { status, body } = await person.get(`${BASE}/search?${query}`)
      t.equal(status, 200, query)
      return body.data.map((one: { id: number }) => one.id)
    }
    const range = (text: string) => `range=${encodeURIComponent(text)}`
    const rows: [string, number[]][] = [
      ['site_id=MLA', [later, id]],
      ['status=opened', [later, id]],
      ['status=closed', []],
      [`id=${id}`, [id]],
      ['type=return', [id]],
      ['type=x', []],
      ['stage=dispute', [later]],
      ['reason_id=PDD9943', [id]],
      [`resource=order&resource_id=${order.id}`, [id]],
      [`resource=payment&resource_id=${payments[0].id}`, []],
      [`players.role=respondent&players.user_id=${seller.id}`, [later, id]],
      [`players.role=complainant&players.user_id=${seller.id}`, []],
      [`players.role=complainant&players.user_id=${buyer.id}`, [later, id]],
      [`players.role=mediator&players.user_id=${seller.id}`, []],
      [`order_id=${second.id}`, [later]],
      [`order_id=${second.id}&resource=order&resource_id=${order.id}`, []],
      [`pack_id=${pack.id}`, [id]],
      [`payment_id=${payments[0].id}`, [id]],
      [range('date_created:after:2026-03-08T00:00:00.000-04:00'), [later]],
      [range('date_created:before:2026-03-08T00:00:00Z'), [id]],
      [range('last_updated:after:2026-03-07T14:59:59Z,before:2026-03-07T15:00:01Z'), [id]],
      ['site_id=MLA&limit=1', [later]],
      ['site_id=MLA&offset=1', [id]],
    ]
    for (const [query, expected] of rows) t.strictSame(await ids(query), expected, query)
    t.strictSame(await ids('status=opened', buyer), [later, id])
    t.strictSame(await ids('status=opened', await createUser()), [])
  },
)

t.test(
  'refusals of a search [spec: claims.search.order, claims.search.no_filter, claims.search.pairs, claims.search.limit]',
  async (t) => {
    const { seller } = await createParties()
    const filters =
      'at least any of these filters: id, type, stage, status, resource, reason_id, site_id, players.role, order_id, pack_id, payment_id, range'
    const expectRefusal = async (query: string, message: string, error: string) =>
      expectAnswer(t, await seller.get(`${BASE}/search${query}`), 400, errorBody(400, error, message), query)
    for (const query of ['', '?limit=5', '?offset=1&limit=5']) await expectRefusal(query, filters, 'invalid_query')
    await expectRefusal('?resource=order', 'resource needs resource_id', 'invalid_params')
    await expectRefusal('?resource_id=1', 'resource_id needs resource', 'invalid_params')
    await expectRefusal('?players.role=respondent', 'players.role needs players.user_id', 'invalid_params')
    await expectRefusal('?players.user_id=1', 'players.user_id needs players.role', 'invalid_params')
    for (const range of [
      'x',
      'date_created',
      'date_created:after:x',
      'id:after:2026-03-01',
      'date_created:since:2026-03-01',
    ])
      t.match(
        await seller.get(`${BASE}/search?range=${range}`),
        { status: 400, body: { error: 'invalid_params' } },
        range,
      )
    t.equal((await seller.get(`${BASE}/search?status=opened&limit=101`)).status, 400)
  },
)

t.test('control calls: list, refusals, reopening', async (t) => {
  const { seller, order, id } = await claimed()
  const list = await control(`GET /claims?seller_id=${seller.id}`)
  t.strictSame(list.body, {
    paging: { total: 1, limit: 50, offset: 0, next_before: null },
    results: [(await seller.get(`${BASE}/${id}`)).body],
  })
  const expectRefusal = async (name: string, body: object | undefined, status: number, message: string) =>
    t.match(await control(name, body), { status, body: { message } }, message)
  await expectRefusal('POST /claims', { order_id: order.id }, 409, `claim ${id} on the order is open`)
  await expectRefusal('POST /claims', { order_id: 5 }, 404, 'Order with id 5 not found')
  await expectRefusal('PATCH /claims/1', { stage: 'dispute' }, 404, 'Claim with id 1 not found')
  await expectRefusal(
    `PATCH /claims/${id}`,
    { resolution: 'product_delivered' },
    400,
    'resolution: needs status closed',
  )
  await expectRefusal(`PATCH /claims/${id}`, { status: 'opened', refund: 5 }, 400, 'refund: closes the claim')
  await expectRefusal(
    `POST /claims/${id}/messages`,
    { from: 'respondent', text: 'a' },
    400,
    'to: must be another player',
  )
  const written = await must(`POST /claims/${id}/messages`, { text: 'Hola' })
  t.match(written, [{ sender_role: 'complainant', message: 'Hola' }])
  t.strictSame((await control(`GET /claims/${id}/messages`)).body, { results: written })
  await expectRefusal('GET /claims/1/messages', undefined, 404, 'Claim with id 1 not found')
  t.match(await must(`PATCH /claims/${id}`, { stage: 'dispute', status: 'closed', refund: 100 }, 200), {
    resolution: { reason: 'payment_refunded', closed_by: 'mediator' },
  })
  t.match((await seller.get(`/orders/${order.id}`)).body, { status: 'cancelled', mediations: [{ id }] })
  await expectRefusal(`PATCH /claims/${id}`, { refund: 100 }, 409, 'order is cancelled')
  t.match(await must(`PATCH /claims/${id}`, { stage: 'claim', status: 'opened' }, 200), { resolution: null })
  t.strictSame((await seller.get(`/orders/${order.id}`)).body.mediations, [])
  t.strictSame(namesOf((await seller.get(`${BASE}/${id}`)).body).respondent, [
    'send_message_to_complainant',
    'open_dispute',
  ])
})

t.test('a claim that ended after the clock went back is loaded from its world file', async (t) => {
  const { seller, path } = await claimed()
  setClock(NOW - HOUR)
  await must(`PATCH /claims/${path.split('/').at(-1)}`, { status: 'closed', resolution: 'product_delivered' }, 200)
  const [claim] = (await control(`GET /claims?seller_id=${seller.id}`)).body.results
  const file = (await control('GET /world')).body
  const { world: other } = await must('POST /worlds', { scenario: 'empty' })
  t.match(await control('PUT /world', file, `/w/${other.id}`), { status: 200 })
  t.strictSame((await control(`GET /claims?seller_id=${seller.id}`, undefined, `/w/${other.id}`)).body.results, [claim])
  t.equal(claim.resolution.date_created, '2026-03-07T10:00:00.000-04:00')
})
