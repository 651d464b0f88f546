import type { Q } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import { forbidden } from '../../http/errors.ts'
import { setItemInFlex } from '../items/operations.ts'
import { type ItemRow, itemById } from '../items/queries.ts'
import { ACTIVATION_NEEDS_SUBSCRIPTION } from './assumptions.ts'
import { alreadyInFlex, itemDown, itemNotFound } from './errors.ts'
import { subscriptionTo } from './queries.ts'

/**
 * A listing whose Flex state the caller may read and change. Throws, in this order: no such listing on that site, not
 * the caller's, not shipped by ME2 [spec: flex.items.order].
 */
export async function requireSwitchableItem(q: Q, caller: number, site_id: string, item_id: string): Promise<ItemRow> {
  const item = await itemById(q, item_id)
  if (!item || item.site_id !== site_id) throw itemNotFound()
  if (item.seller_id !== caller) throw forbidden()
  if (item.shipping_mode !== 'me2') throw itemDown()
  return item
}

/**
 * Starts or stops offering a listing with Flex. Throws, after the errors of `requireSwitchableItem`: already so,
 * listing not active, no subscription [spec: flex.items.state, flex.items.active, flex.activation_needs_subscription].
 */
export async function switchItem(
  q: Q,
  world: World,
  caller: number,
  { site_id, item_id, on }: { site_id: string; item_id: string; on: boolean },
): Promise<void> {
  const item = await requireSwitchableItem(q, caller, site_id, item_id)
  if ((item.in_flex === 1) === on) throw alreadyInFlex()
  if (on && item.status !== 'active') throw itemDown()
  if (on && ACTIVATION_NEEDS_SUBSCRIPTION.of(world) === 'true') {
    const subscription = await subscriptionTo(q, caller, 'FLEX')
    if (!subscription || subscription.status === 'out') throw itemDown()
  }
  await setItemInFlex(q, world, item_id, on)
}
