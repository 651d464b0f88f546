import type { Topic } from '../../domains/shared/topics.ts'

/** The topic whose notifications report changes of the answers of a route. */
const TOPIC_OF_ROUTE: Readonly<Record<string, Topic>> = {
  'GET /questions/search': 'questions',
  'GET /my/received_questions/search': 'questions',
  'GET /questions/:question_id': 'questions',
  'GET /items/:item_id': 'items',
  'GET /users/:user_id/items/search': 'items',
  'GET /sites/:site_id/shipping/selfservice/items/:item_id': 'items',
  'GET /flex/sites/:site_id/items/:item_id/v2': 'items',
  'GET /orders/:order_id/feedback': 'orders_feedback',
  'GET /vis/loans/search': 'leads-credits',
  'GET /vis/loans/:credit_id': 'leads-credits',
  'GET /orders/search': 'orders_v2',
  'GET /orders/:order_id': 'orders_v2',
  'GET /orders/:order_id/shipments': 'shipments',
  'GET /shipments/:shipment_id': 'shipments',
  'GET /shipments/:shipment_id/history': 'shipments',
  'GET /shipments/:shipment_id/lead_time': 'shipments',
  'GET /collections/:payment_id': 'payments',
  'GET /collections/notifications/:payment_id': 'payments',
  'GET /flex/sites/:site_id/shipments/:shipment_id/assignment/v1': 'flex-handshakes',
  'GET /flex/sites/:site_id/shipments/:shipment_id/assignment/v2': 'flex-handshakes',
}
export const ROUTES_WITH_TOPIC: readonly string[] = Object.keys(TOPIC_OF_ROUTE)

export const topicOfRoute = (route: string | undefined): Topic | undefined => TOPIC_OF_ROUTE[route ?? '']
export type { Topic }
