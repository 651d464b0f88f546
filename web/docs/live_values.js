/**
 * Values of the world from which the forms are filled, read with control calls. A list is empty, and a value undefined,
 * where the world has none.
 */
export async function readLiveValues(control, worldNumber) {
  const list = async (path, query = {}) =>
    (await control(`${path}?${new URLSearchParams({ limit: 50, ...query })}`)).results
  const world = await control(`/worlds/${worldNumber}`)
  const [seller] = world.sellers
  const buyer = world.buyers.find(({ site_id }) => site_id === seller?.site_id) ?? world.buyers[0]
  const ofSeller = seller ? { seller_id: seller.id } : {}
  const [clock, items, open, subscriptions, shipments, loans, undecided, shoppers] = await Promise.all([
    control('/clock'),
    list('/items', { ...ofSeller, status: 'active' }),
    list('/questions', { ...ofSeller, status: 'UNANSWERED' }),
    list('/flex/subscriptions'),
    list('/shipments', ofSeller),
    list('/loans', { status: 'approved', limit: 1 }),
    list('/loans', { status: 'in_analysis', limit: 1 }),
    list('/users', { ...(seller && { site_id: seller.site_id }), kind: 'buyer' }),
  ])
  const questions = open.length > 0 ? open : await list('/questions', ofSeller)
  const lead = loans[0]
  return {
    ...{ world, clock, seller, buyer, items, questions, subscriptions, lead },
    application: world.application,
    ...(await readSales(list, ofSeller, buyer)),
    ...(await readOtherListings(control, list, ofSeller, items)),
    undecidedLead: undecided[0],
    leadSeller: world.sellers.find(({ id }) => id === lead?.seller_id),
    shipment: shipments.find(({ driver_id, route_open }) => driver_id !== null && route_open) ?? shipments[0],
    waiting: shipments.find(({ driver_id }) => driver_id === null),
    resident: shoppers.find(({ address }) => address.zip_code),
    shopper: shoppers.findLast(({ id }) => id !== buyer?.id),
    inFlex: items.filter(({ in_flex }) => in_flex),
    catalogued: items.find(({ catalog_listing }) => catalog_listing),
    outOfFlex: items.filter(({ in_flex, shipping }) => !in_flex && shipping.mode === 'me2'),
    service: (mode) => subscriptions.find((one) => one.user_id === seller?.id && one.mode === mode)?.service_id,
  }
}

async function readSales(list, ofSeller, buyer) {
  const written = { method: 'POST', path: '/orders/*/notes', status: '2xx', order: 'desc', limit: 1 }
  const ready = { ...ofSeller, status: 'ready_to_ship', limit: 1 }
  const [orders, unpaid, ofBuyer, handling, printable, own, notes, claims, messages] = await Promise.all([
    list('/orders', { ...ofSeller, status: 'paid', limit: 3 }),
    list('/orders', { ...ofSeller, status: 'payment_required', limit: 1 }),
    buyer ? list('/orders', { ...ofSeller, buyer_id: buyer.id, status: 'paid', limit: 1 }) : [],
    list('/shipments', { ...ofSeller, status: 'handling', limit: 1 }),
    list('/shipments', { ...ready, substatus: 'ready_to_print' }),
    list('/shipments', { ...ready, logistic_type: 'custom' }),
    // No control call lists notes, but the answer of the call that wrote the last one is known.
    list('/requests', written),
    list('/claims', ofSeller),
    list('/messages', ofSeller),
  ])
  const [note] = notes.map(({ path, response }) => ({
    order_id: Number(path.split('/')[2]),
    // A stub may have answered anything.
    id: /"id":"([0-9a-f]{24})"/.exec(response.body)?.[1],
  }))
  return {
    ...{ orders, order: orders[0], unpaid: unpaid[0], orderOfBuyer: ofBuyer[0], note },
    parcels: { handling: handling[0], printable: printable[0], own: own[0] },
    claim: claims[0],
    returned: claims.find(({ related_entities }) => related_entities.includes('return')),
    claimFor: (action) => claimFor(claims, action),
    message: messages.find(({ from, buyer_id }) => from.user_id === buyer_id),
  }
}

/** The claim with the fewest other actions of the seller: what one action ends, another one may need. */
const claimFor = (claims, wanted) =>
  claims
    .map((claim) => ({ claim, actions: claim.players.find(({ type }) => type === 'seller').available_actions }))
    .filter(({ actions }) => actions.some(({ action }) => action === wanted))
    .sort((a, b) => a.actions.length - b.actions.length)[0]?.claim

/** A closed listing that can be listed again, and the last one if it has no description: new ones have none. */
async function readOtherListings(control, list, ofSeller, items) {
  const newest = items.at(-1)
  const [closed, last] = await Promise.all([
    list('/items', { ...ofSeller, status: 'closed' }),
    newest && control(`/items/${newest.id}`),
  ])
  return {
    closed: closed.find(
      ({ id, sub_status }) => !sub_status.includes('deleted') && !items.some((one) => one.parent_item_id === id),
    ),
    undescribed: last?.description === null ? last : undefined,
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
