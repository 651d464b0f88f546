// What the forms of the control plane begin with; see seller_examples.js.

const NEXT_STATUS = { pending: 'in', in: 'out', out: 'pending' }

const forId = (id) => ({ parameters: { id } })
const onDelivery =
  (...statuses) =>
  ({ delivery, deliveries }) =>
    forId((delivery(...statuses) ?? deliveries[0])?.id)

/** Values of the parameters of paths, by their segment and the one before. */
export const controlValues = (values) => ({
  'worlds/{id}': values.world.world.id,
  'snapshots/{name}': values.snapshot?.name,
  'applications/{id}': values.application.id,
  'tokens/{token}': values.token?.token,
  'users/{id}': values.seller?.id,
  'items/{id}': values.items[0]?.id,
  'questions/{id}': values.questions[0]?.id,
  'subscriptions/{id}': values.subscriptions[0]?.id,
  'shipments/{id}': values.shipment?.id,
  'loans/{id}': values.lead?.id,
  'orders/{id}': values.order?.id,
  'messages/{id}': values.message?.id,
  'faults/{id}': values.fault?.id,
  'stubs/{id}': values.stub?.id,
  'requests/{id}': values.request?.id,
  'assumptions/{name}': values.assumption?.name,
})

/** TURBO needs FLEX, and a seller has it once. */
const sellerWithoutTurbo = ({ sellers }, subscriptions) =>
  sellers.find(({ id }) => {
    const own = subscriptions.filter(({ user_id }) => user_id === id)
    return own.some(({ status }) => status.id === 'in') && !own.some(({ mode }) => mode === 'TURBO')
  })

/** By call. */
export const CONTROL_EXAMPLES = {
  'POST /_sandbox/worlds': () => ({ body: { scenario: 'quiet' } }),
  'DELETE /_sandbox/worlds/{id}': ({ worlds, world }) =>
    forId(worlds.map(({ id }) => id).findLast((id) => id !== 1 && id !== world.world.id)),
  'PUT /_sandbox/clock': ({ clock }) => ({ body: { mode: 'frozen', now: clock.now } }),
  'PATCH /_sandbox/applications/{id}': () => ({ body: { name: 'Mi integración' } }),
  'POST /_sandbox/tokens': ({ seller }) => ({ body: { user_id: seller?.id } }),
  'POST /_sandbox/items': ({ seller }) => ({ body: { seller_id: seller?.id } }),
  'PATCH /_sandbox/items/{id}': ({ items }) => ({ ...forId(items.at(-1)?.id), body: { status: 'paused' } }),
  'POST /_sandbox/questions': ({ items }) => ({ body: { item_id: items[0]?.id, text: '¿Tiene garantía?' } }),
  'POST /_sandbox/flex/subscriptions': ({ world, subscriptions }) => ({
    body: { user_id: sellerWithoutTurbo(world, subscriptions)?.id, mode: 'TURBO' },
  }),
  'PATCH /_sandbox/flex/subscriptions/{id}': ({ subscriptions }) => ({
    ...forId(subscriptions.at(-1)?.id),
    body: { status: NEXT_STATUS[subscriptions.at(-1)?.status.id] },
  }),
  'PUT /_sandbox/flex/subscriptions/{id}/configuration': () => ({ body: { delivery_window: 'next_day' } }),
  'PUT /_sandbox/flex/subscriptions/{id}/zones': () => ({ body: { zones: [{ id: 'CABA' }] } }),
  'PUT /_sandbox/flex/items/{id}': () => ({ body: { has_flex: true } }),
  'POST /_sandbox/shipments': ({ seller }) => ({ body: { seller_id: seller?.id } }),
  'POST /_sandbox/contacts': ({ items }) => ({ body: { kind: 'phone_view', item_id: items[0]?.id } }),
  'GET /_sandbox/contacts/series': ({ items }) => ({ parameters: { item_id: items[0]?.id } }),
  'PUT /_sandbox/contacts/series': ({ items, clock }) => ({
    body: { kind: 'phone_view', item_id: items[0]?.id, points: [{ at: `${clock.now.slice(0, 13)}:00:00Z`, total: 5 }] },
  }),
  'POST /_sandbox/loans': ({ lead }) => ({ body: { item_id: lead?.item_id } }),
  'PATCH /_sandbox/loans/{id}': ({ undecidedLead }) => forId(undecidedLead?.id),
  'POST /_sandbox/orders': ({ items }) => ({
    body: { item_id: items[0]?.id, variation_id: items[0]?.variations[0]?.id },
  }),
  'POST /_sandbox/orders/{id}/pay': ({ unpaid }) => forId(unpaid?.id),
  'POST /_sandbox/orders/{id}/cancel': ({ orders }) => ({ ...forId(orders[1]?.id), body: { by: 'seller' } }),
  'POST /_sandbox/orders/{id}/refund': ({ orders }) => ({ ...forId(orders[2]?.id), body: { amount: 1 } }),
  'PATCH /_sandbox/orders/{id}': () => ({ body: { tags: ['delivered'] } }),
  'GET /_sandbox/deliveries/{id}': onDelivery(),
  'POST /_sandbox/deliveries/{id}/resend': onDelivery('delivered', 'missed', 'dropped'),
  'POST /_sandbox/deliveries/{id}/hold': onDelivery('pending'),
  'POST /_sandbox/deliveries/{id}/release': onDelivery('held'),
  'POST /_sandbox/deliveries/{id}/drop': onDelivery('pending', 'held'),
  'PUT /_sandbox/inbox': () => ({ body: { status: 200 } }),
  'POST /_sandbox/verify': ({ request }) => ({
    body: request ? { method: request.method, path: request.path } : { path: '*', at_least: 0 },
  }),
  'POST /_sandbox/simulate': () => ({ body: { days: 1 } }),
  'PATCH /_sandbox/assumptions/{name}': ({ assumption }) => ({ body: { value: assumption?.alternatives[0] } }),
  'PUT /_sandbox/world': () => ({ body: { version: 1 } }),
}

/** Calls that cannot be tried on a page, with the reason. */
export const CONTROL_EXCEPTIONS = {
  'GET /_sandbox/events':
    'The answer does not end, so a form cannot show it. Use `mercadito webhooks listen --kinds`, or curl.',
  'GET /_sandbox/recording':
    'The answer has megabytes, which a form cannot show. Use `mercadito requests save`, or curl.',
  'GET /_sandbox/world': 'The answer has megabytes, which a form cannot show. Use `mercadito world export`, or curl.',
}
