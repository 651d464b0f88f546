/**
 * Values of the world from which the forms are filled, read with control calls. A list is empty, and a value undefined,
 * where the world has none.
 */
export async function readLiveValues(control, worldNumber) {
  const list = async (path, query = {}) =>
    (await control(`${path}?${new URLSearchParams({ limit: 50, ...query })}`)).results
  const world = await control(`/worlds/${worldNumber}`)
  const [seller] = world.sellers
  const ofSeller = seller ? { seller_id: seller.id } : {}
  const [clock, items, open, subscriptions, shipments, loans, undecided, shoppers, orders, unpaid] = await Promise.all([
    control('/clock'),
    list('/items', { ...ofSeller, status: 'active' }),
    list('/questions', { ...ofSeller, status: 'UNANSWERED' }),
    list('/flex/subscriptions'),
    list('/shipments', ofSeller),
    list('/loans', { status: 'approved', limit: 1 }),
    list('/loans', { status: 'in_analysis', limit: 1 }),
    list('/users', { ...(seller && { site_id: seller.site_id }), kind: 'buyer' }),
    list('/orders', { ...ofSeller, status: 'paid', limit: 3 }),
    list('/orders', { ...ofSeller, status: 'payment_required', limit: 1 }),
  ])
  const buyer = world.buyers.find(({ site_id }) => site_id === seller?.site_id) ?? world.buyers[0]
  const questions = open.length > 0 ? open : await list('/questions', ofSeller)
  const lead = loans[0]
  return {
    ...{ world, clock, seller, buyer, items, questions, subscriptions, lead },
    application: world.application,
    ...{ orders, order: orders[0], unpaid: unpaid[0] },
    undecidedLead: undecided[0],
    leadSeller: world.sellers.find(({ id }) => id === lead?.seller_id),
    shipment: shipments.find(({ driver_id, route_open }) => driver_id !== null && route_open) ?? shipments[0],
    waiting: shipments.find(({ driver_id }) => driver_id === null),
    shopper: shoppers.findLast(({ id }) => id !== buyer?.id),
    inFlex: items.filter(({ in_flex }) => in_flex),
    outOfFlex: items.filter(({ in_flex, shipping }) => !in_flex && shipping.mode === 'me2'),
    service: (mode) => subscriptions.find((one) => one.user_id === seller?.id && one.mode === mode)?.service_id,
  }
}

/** Values that only the control plane's page needs. */
export async function readControlValues(control) {
  const list = async (path, query = {}) =>
    (await control(`${path}?${new URLSearchParams({ limit: 50, ...query })}`)).results
  const [worlds, snapshots, tokens, deliveries, faults, stubs, requests, assumptions] = await Promise.all([
    list('/worlds'),
    list('/snapshots'),
    list('/tokens'),
    list('/deliveries'),
    list('/faults'),
    list('/stubs'),
    list('/requests', { order: 'desc', limit: 1 }),
    list('/assumptions', { limit: 1000 }),
  ])
  return {
    ...{ worlds, deliveries },
    snapshot: snapshots[0],
    token: tokens.at(-1),
    fault: faults.at(-1),
    stub: stubs.at(-1),
    request: requests[0],
    assumption: assumptions.find(({ alternatives }) => alternatives.length > 0),
    delivery: (...statuses) => deliveries.find(({ status }) => statuses.includes(status)),
  }
}
