import { asc, ne } from 'drizzle-orm'
import { $, type Q } from '../../db/engine.ts'
import { createList } from '../../db/lists.ts'
import { countRows, rowById, selectRows } from '../../db/rows.ts'
import { item } from '../items/tables.ts'
import { type Address, addressOf, type UserRow } from '../users/queries.ts'
import { type FlexMode, flex_subscription } from './tables.ts'

export type SubscriptionRow = typeof flex_subscription.$inferSelect
/** Where the parcels of a subscription start from. */
export const originOf = ({ origin }: SubscriptionRow, user: UserRow): Address =>
  origin === '' ? addressOf(user) : (JSON.parse(origin) as Address)

/** A seller's subscriptions on a site: by mode, of each mode that of its own address first. */
export const subscriptionsOf = (q: Q, site_id: string, user_id: number): Promise<SubscriptionRow[]> =>
  selectOfUser(q).all({ site_id, user_id })
const selectOfUser = selectRows(flex_subscription, { user_id: $, site_id: $ }, { order: ['mode', 'origin'] })

export interface ServiceKey {
  site_id: string
  user_id: number
  service_id: number
}

/** The subscription of a user and service; undefined when there is none. */
export const subscriptionOf = (q: Q, key: ServiceKey): Promise<SubscriptionRow | undefined> =>
  selectByService(q).one({ ...key })
const selectByService = selectRows(flex_subscription, { user_id: $, service_id: $, site_id: $ })

/** The subscription of a user to one of the modes, from an origin or from its own address; undefined when there is none. */
export const subscriptionTo = (
  q: Q,
  user_id: number,
  mode: FlexMode,
  origin = '',
): Promise<SubscriptionRow | undefined> => selectByMode(q).one({ user_id, mode, origin })
const selectByMode = selectRows(flex_subscription, { user_id: $, mode: $, origin: $ })

/** Whether a seller has a FLEX subscription that is not out. */
export const hasOpenSubscription = async (q: Q, user_id: number): Promise<boolean> =>
  (await selectOpen(q).one({ user_id })) !== undefined
const selectOpen = selectRows(
  flex_subscription,
  { user_id: $, mode: 'FLEX' },
  { columns: ['id'], also: () => ne(flex_subscription.status, 'out') },
)

/** Whether any subscription has this service. */
export const isServiceTaken = async (q: Q, service_id: number): Promise<boolean> =>
  (await selectServiceTaken(q).one({ service_id })) !== undefined
const selectServiceTaken = selectRows(flex_subscription, { service_id: $ }, { columns: ['id'] })

/** One subscription of any seller; undefined when there is none. */
export const subscriptionById = rowById(flex_subscription)

/** Subscriptions of all sellers, by id. */
export const listSubscriptions = createList(flex_subscription, [asc(flex_subscription.id)])

/** Number of active listings of a seller with the shipping mode that Flex needs. */
export const countMe2Listings = (q: Q, seller_id: number): Promise<number> => countOfSeller(q, { seller_id })
const countOfSeller = countRows(item, { seller_id: $, status: 'active', shipping_mode: 'me2' })
