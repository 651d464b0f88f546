import { blockListRoutes } from '../shared/block_list.ts'
import { routesOf } from '../shared/routes.ts'
import billing from './billing_routes.ts'
import { BLOCK_LIST } from './checks.ts'
import feedback from './feedback_routes.ts'
import notes from './note_routes.ts'
import orders, { others } from './order_routes.ts'
import payments from './payment_routes.ts'
import { blockList } from './queries.ts'
import { Orders } from './schemas.ts'

const blacklist = blockListRoutes('/users/:seller_id/order_blacklist', blockList, BLOCK_LIST, {
  resource: {
    name: 'Order block list',
    description: 'Buyers to whom a seller does not sell',
    id: 'buyer_id',
    family: Orders.name,
  },
  title: 'BuyersBlockedFromOrders',
  users: 'Buyers to whom the seller does not sell',
  list: 'List the buyers to whom the caller sells nothing',
  block: 'Sell nothing more to a buyer',
  unblock: 'Sell to a buyer again',
})

export default routesOf(orders, payments, billing, feedback, notes, blacklist, others)
