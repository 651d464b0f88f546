// What the forms of the seller API begin with. `parameters` and `body` replace the examples of the document; `caller`
// replaces the first seller.

/** Replaced by a new refresh token when the call is sent: the world stores none that could be shown. */
export const NEW_REFRESH_TOKEN = '(a new one)'

/** Values of required parameters and members by name. */
export const sellerValues = ({
  seller,
  items,
  questions,
  lead,
  shipment,
  service,
  application,
  clock,
  shopper,
  order,
  orderOfBuyer,
  claim,
  message,
  catalogued,
}) => {
  const now = Date.parse(clock.now)
  const DAY_MS = 24 * 3_600_000
  return {
    site_id: seller?.site_id,
    user_id: seller?.id,
    seller_id: seller?.id,
    buyer_id: shopper?.id,
    item_id: items[0]?.id,
    ids: items.length > 0 ? items.slice(0, 2).map(({ id }) => id) : undefined,
    question_id: questions[0]?.id,
    credit_id: lead?.id,
    order_id: order?.id,
    pack_id: order?.pack_id ?? order?.id,
    payment_id: order?.payments[0]?.id,
    billing_info_id: order?.buyer.billing_info.id,
    feedback_id: orderOfBuyer?.feedback.seller?.id,
    claim_id: claim?.id,
    message_id: message?.id,
    product_id: catalogued?.catalog_product_id,
    picture_id: items[0]?.pictures[0]?.id,
    shipment_id: shipment?.id,
    service_id: service('FLEX'),
    app_id: application.id,
    application_id: application.id,
    date_from: new Date(now - 30 * DAY_MS).toISOString(),
    date_to: new Date(now).toISOString(),
  }
}

const toSeconds = (instant) => instant.slice(0, 19)

const leadsOf = (values) => {
  const { date_from, date_to } = sellerValues(values)
  const { leadSeller, seller } = values
  return {
    caller: leadSeller,
    parameters: {
      seller_id: (leadSeller ?? seller)?.id,
      date_from: toSeconds(date_from),
      date_to: toSeconds(date_to),
    },
  }
}

const withItem = (item) => ({ parameters: { item_id: item?.id } })
const withNote = ({ note }) => ({ parameters: { order_id: note?.order_id, note_id: note?.id } })
const withParcel = (name) => (values) => ({ parameters: { shipment_id: values.parcels[name]?.id } })
const withAction = (action) => (values) => ({ parameters: { claim_id: values.claimFor(action)?.id } })
const onNewPack = ({ newPack }) => ({ parameters: { pack_id: newPack?.id } })
const withOneListing = ({ items }) => ({ parameters: { ids: items[0]?.id } })
const turbo = ({ service }) => ({ parameters: { service_id: service('TURBO') } })

/** 25 December is a holiday of every site. */
function nextChristmas({ clock }) {
  const day = new Date(Date.parse(clock.now) - 4 * 3_600_000).toISOString()
  return `${Number(day.slice(0, 4)) + (day.slice(5, 10) > '12-25' ? 1 : 0)}-12-25`
}

const DELIVERY = '/shipping/flex/sites/{site_id}/users/{user_id}/services/{service_id}/configuration'

const CLAIM = '/post-purchase/v1/claims/{claim_id}'

/** By call. */
export const SELLER_EXAMPLES = {
  'POST /oauth/token': ({ application }) => ({
    body: {
      grant_type: 'refresh_token',
      client_id: application.id,
      client_secret: application.secret,
      refresh_token: NEW_REFRESH_TOKEN,
    },
  }),
  'GET /authorization': ({ application }) => ({
    parameters: { response_type: 'code', client_id: application.id, redirect_uri: application.redirect_uri },
  }),
  'GET /currencies/{id}': ({ items }) => ({ parameters: { id: items[0]?.currency_id } }),
  // Not the listing that the other forms name, because this pauses it.
  'PUT /items/{item_id}': ({ items }) => withItem(items.at(-1)),
  'POST /items/{item_id}/description': ({ undescribed }) => withItem(undescribed),
  'POST /items/{item_id}/relist': ({ closed }) => withItem(closed),
  'POST /questions': ({ buyer }) => ({ caller: buyer }),
  'POST /questions/{question_id}': ({ buyer, items }) => ({
    caller: buyer,
    parameters: { question_id: items[0]?.id },
  }),
  'DELETE /questions/{question_id}': ({ questions }) => ({ parameters: { question_id: questions.at(-1)?.id } }),
  'POST /answers': ({ questions }) => ({ body: { question_id: questions[1]?.id ?? questions[0]?.id } }),
  'POST /my/questions/hidden': ({ questions }) => ({
    body: questions.length > 0 ? { question_ids: [questions.at(-2)?.id ?? questions[0].id] } : {},
  }),
  'POST /users/{seller_id}/questions_blacklist': ({ shopper }) => ({ body: { user_id: shopper?.id } }),
  'POST /shipping/flex/sites/{site_id}/configuration/v3': ({ seller, service }) =>
    service('FLEX') === undefined
      ? {}
      : {
          body: {
            query: `{ configuration(user_id: ${seller.id}, service_id: ${service('FLEX')}) { delivery_window working_days } }`,
          },
        },
  // The zones around the seller of Argentina that cannot be left out.
  [`PUT ${DELIVERY}/coverage/zone/v3`]: () => ({ body: { zones: [{ id: 'CABA' }, { id: 'CABA_Sur' }] } }),
  [`PUT ${DELIVERY}/delivery/accurate/v3`]: turbo,
  [`PUT ${DELIVERY}/coverage/radius/v3`]: turbo,
  'PUT /flex/sites/{site_id}/users/{user_id}/services/{service_id}/configurations/holidays/v1': (values) => ({
    body: { holidays: [{ date: nextChristmas(values), description: 'Navidad', selected: false }] },
  }),
  'POST /flex/sites/{site_id}/users/{user_id}/courier-shipment/v1': ({ waiting }) => ({
    body: { shipment_id: waiting?.id },
  }),
  'GET /sites/{site_id}/shipping/selfservice/items/{item_id}': ({ inFlex }) => withItem(inFlex[0]),
  'POST /sites/{site_id}/shipping/selfservice/items/{item_id}': ({ outOfFlex }) => withItem(outOfFlex[0]),
  'DELETE /sites/{site_id}/shipping/selfservice/items/{item_id}': ({ inFlex }) => withItem(inFlex[1]),
  'POST /flex/sites/{site_id}/items/{item_id}/v2': ({ outOfFlex }) => withItem(outOfFlex[1]),
  'DELETE /flex/sites/{site_id}/items/{item_id}/v2': ({ inFlex }) => withItem(inFlex[2]),
  'GET /orders/search': ({ seller }) => ({ parameters: { seller: String(seller?.id) } }),
  // Of a purchase of the buyer, who can reply.
  'POST /orders/{order_id}/feedback': ({ orderOfBuyer }) => ({ parameters: { order_id: orderOfBuyer?.id } }),
  'POST /feedback/{feedback_id}/reply': ({ buyer }) => ({ caller: buyer }),
  'PUT /orders/{order_id}/notes/{note_id}': withNote,
  'DELETE /orders/{order_id}/notes/{note_id}': withNote,
  'GET /shipments/{shipment_id}/payments': ({ order }) => ({ parameters: { shipment_id: order?.shipping.id } }),
  'GET /shipments/{shipment_id}/delays': withParcel('handling'),
  'POST /shipments/{shipment_id}/process/ready_to_ship': withParcel('handling'),
  'POST /shipments/{shipment_id}/seller_notifications': withParcel('own'),
  'PUT /shipments/{shipment_id}': withParcel('own'),
  'GET /shipment_labels': ({ parcels }) => ({ parameters: { shipment_ids: parcels.printable?.id } }),
  'GET /items/{item_id}/shipping_options': ({ items }) => ({ parameters: { item_id: items[0]?.id, zip_code: '1414' } }),
  'GET /users/{user_id}/shipping_options/free': ({ items }) => withItem(items[0]),
  'GET /products/search': ({ catalogued }) => ({ parameters: { q: catalogued?.title.split(' ')[0] ?? 'mate' } }),
  'GET /items/{item_id}/price_to_win': ({ catalogued }) => withItem(catalogued),
  'GET /countries/{country_id}/zip_codes/{zip_code}': ({ resident }) => ({
    parameters: { country_id: resident?.country_id, zip_code: resident?.address.zip_code },
  }),
  'GET /items/visits': withOneListing,
  'GET /items/visits/time_window': withOneListing,
  'GET /visits/items': withOneListing,
  'POST /messages/packs/{pack_id}/sellers/{seller_id}': ({ message, seller }) => ({
    parameters: { pack_id: message?.pack_id },
    body: message && {
      from: { user_id: seller.id },
      to: { user_id: message.buyer_id },
      text: 'Hola, ya despachamos tu compra.',
    },
  }),
  'GET /messages/attachments/{attachment_id}': ({ attachment }) => ({ parameters: { attachment_id: attachment?.id } }),
  'GET /messages/action_guide/packs/{pack_id}': onNewPack,
  'GET /messages/action_guide/packs/{pack_id}/caps_available': onNewPack,
  'POST /messages/action_guide/packs/{pack_id}/option': onNewPack,
  'POST /messages/attachments': ({ seller }) => ({ parameters: { site_id: seller?.site_id } }),
  'GET /post-purchase/v1/claims/search': () => ({ parameters: { status: 'opened' } }),
  'GET /post-purchase/v2/claims/{claim_id}/returns': ({ returned }) => ({ parameters: { claim_id: returned?.id } }),
  [`POST ${CLAIM}/actions/send-message`]: withAction('send_message_to_complainant'),
  [`POST ${CLAIM}/actions/open-dispute`]: withAction('open_dispute'),
  [`POST ${CLAIM}/expected-resolutions/refund`]: withAction('refund'),
  [`POST ${CLAIM}/expected-resolutions/allow-return`]: withAction('allow_return'),
  [`POST ${CLAIM}/expected-resolutions/partial-refund`]: withAction('allow_partial_refund'),
  'GET /vis/loans/search': leadsOf,
  'GET /vis/loans/{credit_id}': ({ leadSeller }) => ({
    caller: leadSeller,
    parameters: { seller_id: leadSeller?.id },
  }),
}

/** Calls that cannot be tried on a page, with the reason. */
export const SELLER_EXCEPTIONS = {
  'GET /sites/{site_id}/search': 'Closed to everyone, unless the world has `search.public=open`.',
  'POST /authorization':
    'A page cannot show the answer, which leads to the address of the program. Open GET /authorization in a browser tab instead.',
}
