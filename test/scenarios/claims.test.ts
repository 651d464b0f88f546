import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import t from 'tap'
import { openDraft } from '../../db/sqlite/draft.ts'
import { trimHistory, writeWeek } from '../../scenarios/history.ts'
import { MONDAY } from '../../scenarios/names.ts'
import { createPerson, start } from '../support/app.ts'
import { demoRows } from '../support/demo_rows.ts'
import { SEED } from '../support/property.ts'

const DAY = 24 * 3_600_000
/** Whether a claim is of the week, or of the days before it: those leave their orders as they were. */
const isLate = ({ date_created }: { date_created: number }) => date_created > MONDAY - 3 * DAY

t.test(
  'claims are on delivered sales, agree with their orders, and nothing changes orders after the day before the origin',
  async (t) => {
    for (const seed of [1, SEED]) {
      const { claim, claim_message, sale_order, payment, shipment, shipment_step } = await demoRows(seed, MONDAY)
      t.ok(claim.length > 15 && claim.length < 45, `${claim.length} claims`)
      const orders = new Map(sale_order.map((order) => [order.id, order]))
      t.equal(new Set(claim.map(({ order_id }) => order_id)).size, claim.length)
      for (const one of claim) {
        const order = orders.get(one.order_id)!
        const delivered = shipment_step.find(
          ({ shipment_id, status }) => shipment_id === order.shipment_id && status === 'delivered',
        )!
        t.ok(one.date_created > delivered.at && one.date_created < delivered.at + 2 * DAY)
        if (!isLate(one)) t.ok(one.last_updated < MONDAY - DAY)
        else t.match([one, order], [{ status: 'opened', stage: 'claim' }, { last_updated: order.date_closed! }])
        t.strictSame(JSON.parse(order.mediations), one.stage === 'dispute' ? [{ id: one.id, status: one.status }] : [])
        const { reason } = JSON.parse(one.resolution ?? '{}')
        t.equal(
          order.status,
          reason === 'payment_refunded' ? 'cancelled' : reason === 'partial_refunded' ? 'partially_refunded' : 'paid',
        )
        const paid = payment.filter(({ order_id }) => order_id === order.id).at(-1)!
        t.equal(paid.status, reason === 'payment_refunded' ? 'refunded' : 'approved')
        const parcel = shipment.find(({ id }) => id === one.return_shipment_id)
        t.equal(parcel?.type ?? null, one.return_shipment_id === null ? null : 'return')
      }
      const ids = new Set(claim.map(({ id }) => id))
      t.ok(claim_message.every(({ claim_id, date_created }) => ids.has(claim_id) && date_created < MONDAY + 7 * DAY))
      t.ok(claim.filter(isLate).length > 0)
    }
  },
)

/** Each selects rows that contradict others at the instant `now`. */
const CONTRADICTIONS = {
  'rows of later': `SELECT id FROM claim WHERE max(date_created, last_updated) > :now UNION ALL
    SELECT id FROM claim_message WHERE max(date_created, coalesce(date_read, 0)) > :now`,
  'last updated': `SELECT id FROM claim c WHERE last_updated <> max(
    date_created + (SELECT max(value ->> 'after') FROM json_each(c.history)),
    (SELECT max(m.date_created) FROM claim_message m WHERE m.claim_id = c.id),
    coalesce((SELECT s.date_created FROM shipment s WHERE s.id = c.return_shipment_id), 0))`,
  'a product that was not delivered': `SELECT id FROM claim c WHERE NOT EXISTS (
    SELECT 1 FROM sale_order o JOIN shipment_step s ON s.shipment_id = o.shipment_id
    WHERE o.id = c.order_id AND s.status = 'delivered' AND s.is_published = 1 AND s.at < c.date_created)`,
  orders: `SELECT o.id FROM claim c JOIN sale_order o ON o.id = c.order_id
    WHERE (o.status = 'cancelled') <> coalesce(c.resolution ->> 'reason' = 'payment_refunded', 0)
      OR json_array_length(o.mediations) <> (c.stage = 'dispute') OR (o.fulfilled IS NULL AND c.status = 'opened')`,
  payments: `SELECT p.id FROM claim c JOIN payment p ON p.order_id = c.order_id AND p.status <> 'rejected'
    WHERE (p.status = 'refunded') <> coalesce(c.resolution ->> 'reason' = 'payment_refunded', 0)`,
  stock: `SELECT id FROM item WHERE sold_quantity <> (SELECT coalesce(sum(quantity), 0) FROM sale_order
    WHERE item_id = item.id AND status IN ('paid', 'partially_refunded', 'pending_cancel'))`,
  returns: `SELECT id FROM claim c
    WHERE (type = 'return' AND (status = 'closed' OR date_created + 36000000 <= :now)) <> (return_shipment_id IS NOT NULL)
    UNION ALL SELECT return_shipment_id FROM claim WHERE return_shipment_id NOT IN (SELECT id FROM shipment WHERE type = 'return')
    UNION ALL SELECT id FROM shipment WHERE type = 'return' AND id NOT IN (SELECT return_shipment_id FROM claim WHERE return_shipment_id > 0)`,
  'rows of nothing': `SELECT shipment_id FROM shipment_step WHERE shipment_id NOT IN (SELECT id FROM shipment)
    UNION ALL SELECT claim_id FROM claim_message WHERE claim_id NOT IN (SELECT id FROM claim)
    UNION ALL SELECT id FROM claim WHERE id NOT IN (SELECT claim_id FROM claim_message)`,
  'first steps of returns': `SELECT id FROM shipment s WHERE type = 'return' AND NOT EXISTS (
    SELECT 1 FROM shipment_step t WHERE t.shipment_id = s.id AND t.n = 0 AND t.at = s.date_created AND t.is_published = 1)`,
}

t.test('at every instant of the week claims agree with what they are about', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'mercadito-claims-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const [week, file] = [join(folder, 'week.sqlite'), join(folder, 'trimmed.sqlite')]
  await writeWeek(week, { scenario: 'demo', seed: 1, instant: MONDAY })
  const whole = new Sqlite(week, { readonly: true })
  const turns = whole
    .prepare(
      `SELECT date_created FROM claim WHERE date_created >= :from UNION SELECT last_updated FROM claim
       WHERE last_updated >= :from UNION SELECT date_created FROM claim_message WHERE date_created >= :from`,
    )
    .pluck()
    .all({ from: MONDAY }) as number[]
  whole.close()
  t.ok(turns.length > 12, `${turns.length} instants at which something happens`)
  const wrong: unknown[] = []
  const counts: unknown[] = []
  for (const now of [MONDAY, ...turns.flatMap((at) => [at - 1, at]), MONDAY + 7 * DAY - 1]) {
    copyFileSync(week, file)
    const draft = openDraft(file)
    trimHistory(draft, now)
    draft.close()
    const db = new Sqlite(file, { readonly: true })
    for (const [name, select] of Object.entries(CONTRADICTIONS)) {
      const rows = db
        .prepare(select)
        .pluck()
        .all(select.includes(':now') ? { now } : {})
      if (rows.length > 0) wrong.push([name, (now - MONDAY) / DAY, rows])
    }
    counts.push(db.prepare('SELECT count(*) FROM claim').pluck().get())
    db.close()
  }
  t.strictSame(wrong, [])
  t.ok(new Set(counts).size > 7, `${counts}`)
})

const app = await start(t)

/** A new demo world whose present is that instant: a seller of it, and its control calls. */
async function worldAt(now: string) {
  const { body } = await app.control('POST /worlds', { scenario: 'demo', now })
  const control = (call: string, more: object) => app.control(call, more, `/w/${body.world.id}`)
  return { seller: createPerson(body.sellers[0], app.call), control }
}

t.test('a claim of the week, before it, when it begins, and with its return', async (t) => {
  const CLAIM = '/post-purchase/v1/claims/5300000031'
  const [before, at, later] = [
    await worldAt('2026-03-06T08:47:49.999Z'),
    await worldAt('2026-03-06T08:47:50Z'),
    await worldAt('2026-03-06T18:47:50Z'),
  ]
  /** Those that are open, and those of the reputation. */
  const claims = async ({ seller }: typeof at) => {
    const { body } = await seller.get('/users/me')
    const { paging } = (await seller.get('/post-purchase/v1/claims/search?status=opened&limit=0')).body
    return [paging.total, body.seller_reputation.metrics.claims.value]
  }
  const NOT_FOUND = { message: 'Resource not found', error: 'business_logic_error', status: 404, cause: [] }
  t.strictSame((await before.seller.get(CLAIM)).body, NOT_FOUND)
  t.strictSame((await before.seller.get('/post-purchase/v1/claims/search?order_id=2000010000000840')).body, {
    ...{ paging: { total: 0, offset: 0, limit: 30 }, data: [] },
  })
  t.strictSame(await Promise.all([before, at, later].map(claims)), [
    [4, 7],
    [5, 8],
    [5, 8],
  ])

  const DATE = '2026-03-06T04:47:50.000-04:00'
  const due = { mandatory: false, due_date: '2026-03-09T04:47:50.000-04:00' }
  const player = (role: string, type: string, user_id: number, actions: string[]) => ({
    ...{ role, type, user_id, available_actions: actions.map((action) => ({ action, ...due })) },
  })
  const ACTIONS = ['send_message_to_complainant', 'refund', 'allow_partial_refund', 'allow_return', 'open_dispute']
  const begun = {
    ...{ id: 5300000031, resource_id: 2000010000000840, status: 'opened', type: 'return', stage: 'claim' },
    ...{ parent_id: null, resource: 'order', reason_id: 'PDD9943', fulfilled: true, quantity_type: 'total' },
    ...{ claimed_quantity: 2, claim_version: 2, resolution: null, site_id: 'MLA' },
    players: [
      player('complainant', 'buyer', 2500000103, ['send_message_to_respondent', 'open_dispute']),
      player('respondent', 'seller', 2500000101, ACTIONS),
    ],
    ...{ date_created: DATE, last_updated: DATE, related_entities: [] as string[] },
  }
  t.strictSame((await at.seller.get(CLAIM)).body, begun)
  t.strictSame((await at.seller.get('/post-purchase/v1/claims/search?order_id=2000010000000840')).body, {
    ...{ paging: { total: 1, offset: 0, limit: 30 }, data: [begun] },
  })
  t.strictSame((await at.seller.get(`${CLAIM}/messages`)).body, [
    {
      ...{ sender_role: 'complainant', receiver_role: 'respondent', translated_message: null },
      ...{ message: 'Hola, el producto no es lo que esperaba.', message_date: DATE, date_created: DATE },
      ...{ last_updated: DATE, date_read: null, attachments: [], status: 'available', stage: 'claim' },
      message_moderation: { status: 'clean', reason: '', source: 'online', date_moderated: DATE },
      repeated: false,
    },
  ])
  const RETURN = '/post-purchase/v2/claims/5300000031/returns'
  t.strictSame((await at.seller.get(RETURN)).body, NOT_FOUND)
  t.equal((await at.seller.get('/shipments/43000000926')).status, 404)

  const returned = (await later.seller.get(CLAIM)).body
  begun.players[1] = player('respondent', 'seller', 2500000101, ACTIONS.toSpliced(3, 1))
  t.strictSame(returned, { ...begun, last_updated: '2026-03-06T14:47:50.000-04:00', related_entities: ['return'] })
  const { id, status, status_money, shipments } = (await later.seller.get(RETURN)).body
  t.strictSame(
    [id, status, status_money, shipments[0].status],
    [43000000926, 'label_generated', 'retained', 'ready_to_ship'],
  )
  t.match((await later.seller.get('/shipments/43000000926')).body, { type: 'return', substatus: 'ready_to_print' })

  for (const path of [
    '/orders/2000010000000840',
    '/v1/payments/91000000863',
    '/shipments/43000000839',
    '/items/MLA1400000012',
    '/messages/packs/2000010000000840/sellers/2500000101?tag=post_sale',
  ]) {
    const answers = await Promise.all([before, at, later].map(async ({ seller }) => (await seller.get(path)).body))
    t.strictSame(answers, Array(3).fill(answers[0]), path)
    t.notOk(answers[0].error, path)
  }
  const { body: order } = await at.seller.get('/orders/2000010000000840')
  t.match(order, { status: 'paid', fulfilled: true, mediations: [], payments: [{ status: 'approved' }] })

  await before.control('POST /clock/advance', { by: '2d' })
  t.equal((await before.seller.get(CLAIM)).status, 404, 'like its orders, a world has the claims of before it was made')
  await at.control('POST /clock/advance', { by: '-5d' })
  t.same([(await at.seller.get(CLAIM)).status, (await at.seller.get('/orders/2000010000000840')).status], [200, 200])
  await at.control('POST /clock/advance', { by: '5d' })
  t.equal((await at.seller.post(`${CLAIM}/expected-resolutions/refund`)).status, 200)
  t.match((await at.seller.get('/orders/2000010000000840')).body, { status: 'cancelled', mediations: [] })
})

t.test('every state occurs with the first seller', async (t) => {
  const [seller] = app.sellers
  const found = async (query: string) =>
    (await seller!.get(`/post-purchase/v1/claims/search?${query}`)).body.data as {
      related_entities: string[]
      resolution: { reason: string } | null
    }[]
  for (const query of [
    'stage=claim&status=opened',
    'stage=dispute&status=opened',
    'stage=dispute&status=closed',
    'type=return',
  ])
    t.ok((await found(query)).length > 0, query)
  t.strictSame([...new Set((await found('status=closed')).map(({ resolution }) => resolution!.reason))].sort(), [
    'partial_refunded',
    'payment_refunded',
    'product_delivered',
  ])
})
