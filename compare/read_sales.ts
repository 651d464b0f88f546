import { STORED_TAGS } from '../domains/orders/tables.ts'
import { parseInstant } from '../domains/shared/instants.ts'
import { withoutUndefined } from '../domains/shared/texts.ts'
import { isObject, type Members, membersOf, type RecordedCall } from './calls.ts'
import type { Kind } from './facts.ts'
import { numeric } from './learn_things.ts'

// What answers about sales show, with the names of a world file.

/** Things, each with what else is known of it. */
export type Seen = [kind: Kind, thing: Members, more?: Members][]

const listOf = (value: unknown): Members[] => (Array.isArray(value) ? value.filter(isObject) : [])
const first = (value: unknown): Members => listOf(value)[0] ?? {}
const idOf = (value: unknown): number | undefined => numeric(membersOf(value).id)
const usersOf = (...users: unknown[]): Seen => users.filter(isObject).map((user) => ['users', user])

const ROLES = { seller: 'seller', sale: 'seller', buyer: 'buyer', purchase: 'buyer' }

function orderOf(order: Members): Seen {
  const { seller, buyer, shipping, payments, feedback, mediations, tags } = order
  const order_id = numeric(order.id)
  const { item, listing_type_id, ...sold } = first(order.order_items)
  const { id: item_id, variation_id } = membersOf(item)
  const { date: cancelled_at, ...cancel_detail } = membersOf(order.cancel_detail)
  return [
    [
      'orders',
      {
        ...{ ...order, ...sold, payments: undefined, feedback: undefined, item_id, variation_id },
        ...{ seller_id: idOf(seller), buyer_id: idOf(buyer), shipment_id: membersOf(shipping).id },
        item: item && { ...item, listing_type_id },
        ...(Array.isArray(tags) && {
          tags: STORED_TAGS.filter((tag) => tags.includes(tag)),
          delivered: tags.includes('delivered'),
        }),
        ...(order.cancel_detail && { cancelled_at, cancel_detail }),
      },
    ],
    ...usersOf(seller, buyer),
    ...listOf(payments).map((one): Seen[0] => ['payments', one, { order_id }]),
    ...Object.entries(ROLES).flatMap(([name, role]): Seen => {
      const id = idOf(membersOf(feedback)[name])
      return id === undefined ? [] : [['feedback', { id, role }, { order_id }]]
    }),
    ...listOf(mediations).map(({ id }): Seen[0] => ['claims', { id, order_id, stage: 'dispute' }]),
  ]
}

/** An order that has no pack answers as a pack of one. */
function packOf({ id, orders, buyer, shipment, date_created, last_updated }: Members): Seen {
  const more = { buyer_id: idOf(buyer), shipment_id: idOf(shipment), date_created, last_updated }
  return listOf(orders).map((order) => ['orders', { ...more, id: order.id, pack_id: order.id === id ? null : id }])
}

/** The forms of a payment outside of its order, of which they show only the fee. */
function paymentOf(payment: Members): Seen {
  const { order, payer, collector, refunds, shipping_amount, payment_type_id, last_modified, reason } = payment
  const order_id = numeric(payment.order_id) ?? idOf(order)
  const amounts = refunds && listOf(refunds).map(({ amount }) => numeric(amount) ?? 0)
  const renamed = {
    ...{ shipping_cost: shipping_amount, payment_type: payment_type_id, date_last_modified: last_modified },
    transaction_amount_refunded: amounts?.reduce((sum: number, one: number) => sum + one, 0),
  }
  const fee = numeric(payment.marketplace_fee ?? first(payment.fee_details).amount)
  const parties = { seller_id: idOf(collector), buyer_id: idOf(payer) }
  return [
    ['payments', { ...payment, ...withoutUndefined(renamed) }, { order_id }],
    ['orders', { id: order_id, ...parties }, { fee, reason, amount: numeric(payment.transaction_amount) }],
    ...usersOf(payer, collector),
  ]
}

function feedbackOf(feedback: Members): Seen {
  const { order_id, role, from, to, item } = feedback
  const [seller, buyer] = role === 'seller' ? [from, to] : [to, from]
  const order = { id: order_id, seller_id: idOf(seller), buyer_id: idOf(buyer), item_id: membersOf(item).id }
  return [['feedback', feedback, { order_id }], ['orders', order], ...usersOf(from, to)]
}

/** Both forms of a shipment. */
function shipmentOf(shipment: Members): Seen {
  const { id, order_id, source, origin, destination, logistic, lead_time, shipping_option } = shipment
  const { shipping_address, receiver_id, receiver_name, comments } = { ...shipment, ...membersOf(destination) }
  const { type: logistic_type = shipment.logistic_type, direction: type = shipment.type } = membersOf(logistic)
  const { cost, list_cost, service_id = shipment.service_id } = membersOf(lead_time ?? shipping_option)
  const sender = userAt(shipment.sender_id ?? membersOf(origin).sender_id, {
    address: shipment.sender_address ?? membersOf(origin).shipping_address,
  })
  const receiver = userAt(receiver_id, { address: shipment.receiver_address ?? shipping_address, name: receiver_name })
  const [seller, buyer] = type === 'return' ? [receiver, sender] : [sender, receiver]
  const [item = {}, ...others] = listOf(shipment.shipping_items)
  const isOne = item.id && others.length === 0
  const steps = shipment.substatus_history && stepsOf(shipment)
  return [
    [
      'shipments',
      {
        ...{ ...shipment, ...membersOf(logistic), type, logistic_type, seller_id: seller.id },
        site_id: shipment.site_id ?? membersOf(source).site_id,
        details: withoutUndefined({ cost, list_cost, service_id, comments: comments ?? undefined }),
      },
      {
        steps,
        units: Array.isArray(shipment.shipping_items) ? shipment.shipping_items.length : undefined,
        state: steps ? undefined : stateOf(shipment),
      },
    ],
    [
      'orders',
      {
        ...{
          id: order_id,
          seller_id: seller.id,
          buyer_id: buyer.id,
          ...(isOne && { item_id: item.id, quantity: item.quantity }),
        },
        ...(type === 'forward' && { shipment_id: id }),
      },
      isOne ? { reason: item.description, amount: shipment.order_cost } : {},
    ],
    ...usersOf(sender, receiver),
  ]
}

function userAt(id: unknown, { address, name }: { address: unknown; name?: unknown }): Members {
  const { state, ...place } = membersOf(address)
  const isHidden = /^X{5,}$/.test(String(place.zip_code))
  return { id, full_name: name, ...(!isHidden && { address: { ...place, state: membersOf(state).id } }) }
}

const timeOf = ({ at }: Members): number => parseInstant(String(at)) ?? 0
const stateOf = ({ status, substatus = null, last_updated: at }: Members) => ({ status, substatus, at })

/** Its states: those without a substatus follow from the dates at which each status began. */
function stepsOf(shipment: Members): Members[] {
  const { substatus_history, status_history } = shipment
  const steps = listOf(substatus_history).map(({ status, substatus, date: at }): Members => ({ status, substatus, at }))
  for (const status of ['handling', 'ready_to_ship', 'shipped', 'delivered', 'not_delivered', 'cancelled']) {
    const at = membersOf(status_history)[`date_${status}`]
    const isShown = steps.some((one) => one.at === at && (one.status === status || status === 'handling'))
    if (at && !isShown) steps.push({ status, substatus: null, at })
  }
  const isNow = (one: Members) => one.status === shipment.status && one.substatus === (shipment.substatus ?? null)
  if (!steps.some(isNow)) steps.push(stateOf(shipment))
  return steps.sort((a, b) => timeOf(a) - timeOf(b))
}

function messageOf(message: Members): Seen {
  const { message_resources, message_date, message_moderation, message_attachments, from, to } = message
  const [pack_id, seller_id] = ['packs', 'sellers'].map((name) =>
    idOf(listOf(message_resources).find((one) => one.name === name)),
  )
  const parties = [from, to].map((one) => numeric(membersOf(one).user_id))
  const buyer_id = parties.find((id) => id !== seller_id)
  const { created, read } = membersOf(message_date)
  const { status, reason, moderation_date } = membersOf(message_moderation)
  return [
    [
      'messages',
      {
        ...{ ...message, pack_id, seller_id, buyer_id, from_id: parties[0], date_created: created, date_read: read },
        moderation: message_moderation && { status, reason, moderation_date },
        attachments: message_attachments ?? [],
      },
    ],
    ['conversations', { id: pack_id, seller_id, buyer_id }],
  ]
}

/** What its status says of sales that may not be seen. */
function conversationOf(status: Members, { params: { pack_id, seller_id } }: RecordedCall): Seen {
  const { shipping_id, substatus, status_date: at, claim_ids } = status
  const id = numeric(pack_id)
  const block = substatus === undefined ? undefined : substatus && { id, substatus, at }
  return [['conversations', { id, seller_id: numeric(seller_id), shipment_id: shipping_id, block, claim_ids }]]
}

function claimOf(claim: Members): Seen {
  const { resource_id, players, resolution, related_entities } = claim
  const [seller_id, buyer_id] = ['respondent', 'complainant'].map((role) =>
    numeric(listOf(players).find((one) => one.role === role)?.user_id),
  )
  const { reason, closed_by: by, date_created: at } = membersOf(resolution)
  return [
    [
      'claims',
      { ...claim, order_id: resource_id, resolution: resolution && { reason, by, after: after(claim, at) } },
      { has_return: Array.isArray(related_entities) ? related_entities.includes('return') : undefined },
    ],
    ['orders', { id: resource_id, seller_id, buyer_id }],
  ]
}

/** Ms after the creation of a claim. */
export const after = ({ date_created }: Members, at: unknown): number =>
  Math.max(0, Date.parse(String(at)) - Date.parse(String(date_created)))

function returnOf(answer: Members): Seen {
  const { claim_id, resource_id: order_id, shipments, date_created, last_updated } = answer
  const { shipment_id: id, status, tracking_number } = first(shipments)
  return [
    ['claims', { id: claim_id, order_id, return_shipment_id: id }],
    [
      'shipments',
      { id, order_id, type: 'return', tracking_number, date_created },
      { state: stateOf({ status, last_updated }) },
    ],
  ]
}

const expectedOf = ({ player_role: role, expected_resolution: resolution, status, details, date_created }: Members) => {
  const percentage = numeric(first(details).value)
  return { role, resolution, status, at: date_created, ...(percentage !== undefined && { percentage }) }
}

/** What the answer to a call shows, by its path. */
export const SALES: readonly [template: RegExp, (json: Members, call: RecordedCall) => Seen][] = [
  [/^\/orders\/search/, ({ results }) => listOf(results).flatMap(orderOf)],
  [/^\/orders\/\{order_id\}$/, orderOf],
  [/^\/packs\/\{pack_id\}$/, packOf],
  [
    /^\/(collections|v1\/payments)\/search/,
    ({ results }) => listOf(results).flatMap((one) => paymentOf(membersOf(one.collection ?? one))),
  ],
  [/^\/(collections(\/notifications)?|v1\/payments)\/\{/, (json) => paymentOf(membersOf(json.collection ?? json))],
  [/^\/feedback\//, feedbackOf],
  [/\/feedback$/, (json) => (json.id ? [json] : [json.sale, json.purchase].filter(isObject)).flatMap(feedbackOf)],
  [
    /\/\{order_id\}\/notes/,
    (json, { params: { order_id } }) => {
      const notes = Array.isArray(json) ? listOf(first(json).results) : [membersOf(json.note)]
      return notes.map((note) => ['notes', note, { order_id: numeric(order_id) }])
    },
  ],
  [
    /^\/orders\/\{order_id\}\/shipments$|^\/shipments\/\{shipment_id\}$/,
    (json) => listOf([json].flat()).flatMap(shipmentOf),
  ],
  [
    /^\/shipments\/\{shipment_id\}\/history$/,
    (json, { params: { shipment_id: id } }) => {
      const steps = listOf(json).map(({ date: at, status, substatus }) => ({ status, substatus, at }))
      return [['shipments', { id }, { steps: steps.reverse() }]]
    },
  ],
  [
    /^\/messages\/(packs\/.*\/sellers|\{)/,
    ({ messages, conversation_status: status, ...json }, call) => [
      ...(isObject(status) ? conversationOf(status, call) : []),
      ...listOf(messages ?? [json]).flatMap(messageOf),
    ],
  ],
  [/\/claims\/search$/, ({ data }) => listOf(data).flatMap(claimOf)],
  [/\/claims\/\{claim_id\}(\/actions\/open-dispute)?$/, claimOf],
  [/\/returns$/, returnOf],
  [
    /^\/post-purchase\/v1\/claims\/\{claim_id\}\/messages$/,
    (json, { params: { claim_id: id } }) => [
      ['claims', { id, messages: listOf(json).map((one) => ({ ...one, text: one.message })) }],
    ],
  ],
  [
    /\/expected-resolutions/,
    (json, { params: { claim_id: id } }) => [['claims', { id }, { expected: listOf(json).map(expectedOf) }]],
  ],
  [
    /\/status-history$/,
    (json, { params: { claim_id: id } }) => {
      const changes = listOf(json).map(({ stage, status, date: at, change_by: by }) => ({ stage, status, by, at }))
      return [['claims', { id }, { changes }]]
    },
  ],
]
