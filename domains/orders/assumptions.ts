import { type Assumptions, assumed, observed } from '../../http/assumptions.ts'
import { defineSwitch } from '../../http/switches.ts'
import { AFTER_SALE } from './after_sale_assumptions.ts'

export const PACK_OF_SINGLE = defineSwitch('orders.pack_of_single', ['always', 'never'])
export const UNPAID_VISIBLE = defineSwitch('orders.unpaid_visible', ['false', 'true'])
export const DELIVERED_TAG = defineSwitch('orders.delivered_tag', ['manual', 'automatic'])
export const PRECISION = defineSwitch('orders.search.precision', ['hour', 'exact'])
export const CANCELLED = defineSwitch('orders.search.cancelled', ['hidden', 'listed'])

export const ORDERS: Assumptions = {
  ...AFTER_SALE,
  [PACK_OF_SINGLE.name]: observed('Whether a new order of one listing has a pack', PACK_OF_SINGLE),
  [UNPAID_VISIBLE.name]: assumed(
    'Whether sellers find orders without payment, and are notified of them',
    UNPAID_VISIBLE,
  ),
  [DELIVERED_TAG.name]: observed('Whether an order that was fulfilled has the tag delivered by itself', DELIVERED_TAG),
  [PRECISION.name]: observed('To what the dates of a search are cut', PRECISION),
  [CANCELLED.name]: observed('Whether sellers find cancelled orders without naming that status', CANCELLED),
  'orders.unpaid_life': assumed(
    'When an order without payment is cancelled',
    '3 days after its creation by the world’s clock, without an event',
  ),
  'orders.cancel_detail': assumed(
    'Members of cancel_detail',
    'group (seller, buyer, mediations), code, description, requested_by, date',
  ),
  'orders.change': assumed(
    'What a seller’s PUT of an order does',
    'tags delivered and not_delivered replace each other, other members are ignored; 200 with the order; buyers get 403',
  ),
  'orders.events': assumed('Events of an order', 'one orders_v2 for each change, to its seller and its buyer'),
  'orders.search.no_filter': assumed('Answer to a search without any filter', '400 at least one filter is required', [
    { route: 'GET /orders/search*', omits: ['seller', 'buyer'] },
  ]),
  'orders.search.dates': assumed('Bounds of the dates of a search', 'both inclusive'),
  'orders.search.limit': assumed('Answer to a limit over 50', 'as 50, which paging has', [
    { route: 'GET /orders/search*', sends: ['limit'], value: /^(5[1-9]|[6-9]\d|\d{3,})$/ },
  ]),
  'orders.search.offset': assumed('Largest offset of a search', '10000, else 400 bad_request'),
  'orders.search.variants': assumed(
    'What the searches recent, archived and pending find',
    'orders whose expiration_date is ahead; the others; those without payment',
  ),
  'orders.search.filters': assumed(
    'What the filters of mediations and feedback find',
    'mediations none; feedback.status pending: orders without the seller’s opinion, complete: the others',
    [
      {
        route: 'GET /orders/search*',
        sends: ['mediations.status', 'feedback.status'],
      },
    ],
  ),
  'orders.sale_fee': assumed(
    'Fee of a sale',
    '13 % of the price, with instalments without interest 36 %, free 0; a fixed fee for cheap units in MLA, MLB, MLM, MLC and MCO, at most half of their price',
  ),
  'payments.not_found': assumed('Message for an unknown payment', 'Payment {id} not found'),
  'payments.release': assumed('money_release_date', '14 days after date_approved'),
  'payments.reference': assumed('external_reference of a payment', 'the id of its order'),
  'payments.search': assumed(
    'Answer of a search of payments',
    'paging and results, the newest first; limit at most 100, default 50',
  ),
  'packs.without': assumed('Pack with the id of an order that has none', 'a pack of that order'),
}
