// What the forms of the control plane begin with; see seller_examples.js.

const NEXT_STATUS = { pending: 'in', in: 'out', out: 'pending' }

const forId = (id) => ({ parameters: { id } })

const onApplication = ({ application }) => forId(application.id)
const onItem = ({ items }) => forId(items[0]?.id)
const onQuestion = ({ questions }) => forId(questions[0]?.id)
const onLead = ({ lead }) => forId(lead?.id)
const onOrder = ({ order }) => forId(order?.id)
const onShipment = ({ shipment }) => forId(shipment?.id)
const onMessage = ({ message }) => forId(message?.id)
const onFlex = ({ subscriptions }) => forId(subscriptions[0]?.id)
const onUser = ({ seller }) => forId(seller?.id)
const onFault = ({ fault }) => forId(fault?.id)
const onStub = ({ stub }) => forId(stub?.id)
const onSnapshot = ({ snapshot }) => ({ parameters: { name: snapshot?.name } })
const onToken = ({ token }) => ({ parameters: { token: token?.token } })
const onAssumption = ({ assumption }) => ({ parameters: { name: assumption?.name } })
const onDelivery =
  (...statuses) =>
  ({ delivery, deliveries }) =>
    forId((delivery(...statuses) ?? deliveries[0])?.id)

/** TURBO needs FLEX, and a seller has it once. */
const sellerWithoutTurbo = ({ sellers }, subscriptions) =>
  sellers.find(({ id }) => {
    const own = subscriptions.filter(({ user_id }) => user_id === id)
    return own.some(({ status }) => status.id === 'in') && !own.some(({ mode }) => mode === 'TURBO')
  })

/** By call. */
export const CONTROL_EXAMPLES = {
  'POST /_sandbox/worlds': () => ({ body: { scenario: 'quiet' } }),
  'GET /_sandbox/worlds/{id}': ({ world }) => forId(world.world.id),
  'DELETE /_sandbox/worlds/{id}': ({ worlds, world }) =>
    forId(worlds.map(({ id }) => id).findLast((id) => id !== 1 && id !== world.world.id)),
  'POST /_sandbox/snapshots/{name}/restore': onSnapshot,
  'GET /_sandbox/snapshots/{name}': onSnapshot,
  'DELETE /_sandbox/snapshots/{name}': onSnapshot,
  'PUT /_sandbox/clock': ({ clock }) => ({ body: { mode: 'frozen', now: clock.now } }),
  'GET /_sandbox/applications/{id}': onApplication,
  'PATCH /_sandbox/applications/{id}': (values) => ({ ...onApplication(values), body: { name: 'Mi integración' } }),
  'PUT /_sandbox/applications/{id}/notifications': onApplication,
  'GET /_sandbox/applications/{id}/notifications': onApplication,
  'DELETE /_sandbox/applications/{id}/notifications': onApplication,
  'POST /_sandbox/tokens': ({ seller }) => ({ body: { user_id: seller?.id } }),
  'PATCH /_sandbox/tokens/{token}': onToken,
  'DELETE /_sandbox/tokens/{token}': onToken,
  'GET /_sandbox/users/{id}': onUser,
  'PATCH /_sandbox/users/{id}': onUser,
  'POST /_sandbox/items': ({ seller }) => ({ body: { seller_id: seller?.id } }),
  'GET /_sandbox/items/{id}': onItem,
  'PATCH /_sandbox/items/{id}': ({ items }) => ({ ...forId(items.at(-1)?.id), body: { status: 'paused' } }),
  'POST /_sandbox/questions': ({ items }) => ({ body: { item_id: items[0]?.id, text: '¿Tiene garantía?' } }),
  'GET /_sandbox/questions/{id}': onQuestion,
  'PATCH /_sandbox/questions/{id}': onQuestion,
  'POST /_sandbox/flex/subscriptions': ({ world, subscriptions }) => ({
    body: { user_id: sellerWithoutTurbo(world, subscriptions)?.id, mode: 'TURBO' },
  }),
  'GET /_sandbox/flex/subscriptions/{id}': onFlex,
  'PATCH /_sandbox/flex/subscriptions/{id}': ({ subscriptions }) => ({
    ...forId(subscriptions.at(-1)?.id),
    body: { status: NEXT_STATUS[subscriptions.at(-1)?.status.id] },
  }),
  'GET /_sandbox/flex/subscriptions/{id}/configuration': onFlex,
  'PUT /_sandbox/flex/subscriptions/{id}/configuration': (values) => ({
    ...onFlex(values),
    body: { delivery_window: 'next_day' },
  }),
  'GET /_sandbox/flex/subscriptions/{id}/zones': onFlex,
  'PUT /_sandbox/flex/subscriptions/{id}/zones': (values) => ({ ...onFlex(values), body: { zones: [{ id: 'CABA' }] } }),
  'GET /_sandbox/flex/items/{id}': onItem,
  'PUT /_sandbox/flex/items/{id}': (values) => ({ ...onItem(values), body: { has_flex: true } }),
  'POST /_sandbox/shipments': ({ seller }) => ({ body: { seller_id: seller?.id } }),
  'GET /_sandbox/shipments/{id}': onShipment,
  'PATCH /_sandbox/shipments/{id}': onShipment,
  'POST /_sandbox/contacts': ({ items }) => ({ body: { kind: 'phone_view', item_id: items[0]?.id } }),
  'GET /_sandbox/contacts/series': ({ items }) => ({ parameters: { item_id: items[0]?.id } }),
  'PUT /_sandbox/contacts/series': ({ items, clock }) => ({
    body: { kind: 'phone_view', item_id: items[0]?.id, points: [{ at: `${clock.now.slice(0, 13)}:00:00Z`, total: 5 }] },
  }),
  'POST /_sandbox/loans': ({ lead }) => ({ body: { item_id: lead?.item_id } }),
  'GET /_sandbox/loans/{id}': onLead,
  'PATCH /_sandbox/loans/{id}': ({ undecidedLead }) => forId(undecidedLead?.id),
  'POST /_sandbox/orders': ({ items }) => ({
    body: { item_id: items[0]?.id, variation_id: items[0]?.variations[0]?.id },
  }),
  'GET /_sandbox/orders/{id}': onOrder,
  'POST /_sandbox/orders/{id}/pay': ({ unpaid }) => forId(unpaid?.id),
  'POST /_sandbox/orders/{id}/cancel': ({ orders }) => ({ ...forId(orders[1]?.id), body: { by: 'seller' } }),
  'POST /_sandbox/orders/{id}/refund': ({ orders }) => ({ ...forId(orders[2]?.id), body: { amount: 1 } }),
  'PATCH /_sandbox/orders/{id}': (values) => ({ ...onOrder(values), body: { tags: ['delivered'] } }),
  'PATCH /_sandbox/messages/{id}': onMessage,
  'GET /_sandbox/deliveries/{id}': onDelivery(),
  'POST /_sandbox/deliveries/{id}/resend': onDelivery('delivered', 'missed', 'dropped'),
  'POST /_sandbox/deliveries/{id}/hold': onDelivery('pending'),
  'POST /_sandbox/deliveries/{id}/release': onDelivery('held'),
  'POST /_sandbox/deliveries/{id}/drop': onDelivery('pending', 'held'),
  'PUT /_sandbox/inbox': () => ({ body: { status: 200 } }),
  'GET /_sandbox/faults/{id}': onFault,
  'DELETE /_sandbox/faults/{id}': onFault,
  'GET /_sandbox/stubs/{id}': onStub,
  'DELETE /_sandbox/stubs/{id}': onStub,
  'GET /_sandbox/requests/{id}': ({ request }) => forId(request?.id),
  'GET /_sandbox/requests/{id}/explain': ({ request }) => forId(request?.id),
  'POST /_sandbox/requests/{id}/resend': ({ request }) => forId(request?.id),
  'POST /_sandbox/verify': ({ request }) => ({
    body: request ? { method: request.method, path: request.path } : { path: '*', at_least: 0 },
  }),
  'POST /_sandbox/simulate': () => ({ body: { days: 1 } }),
  'GET /_sandbox/assumptions/{name}': onAssumption,
  'PATCH /_sandbox/assumptions/{name}': (values) => ({
    ...onAssumption(values),
    body: { value: values.assumption?.alternatives[0] },
  }),
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
