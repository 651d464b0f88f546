import type { Q } from '../../db/engine.ts'
import { keptFor } from '../../db/kept.ts'
import type { World } from '../../db/world.ts'
import type { Violation } from '../../http/errors/answered_error.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import { forbidden } from '../../http/errors/errors.ts'
import { setItemInFlex } from '../items/operations.ts'
import { type ItemRow, itemById } from '../items/queries.ts'
import { itemNotFound as listingNotFound } from '../shared/errors.ts'
import { ACTIVATION_NEEDS_SUBSCRIPTION } from './assumptions.ts'
import { alreadyInFlex, cannotActivate, itemDown, itemNotFound } from './errors.ts'
import { hasOpenSubscription } from './queries.ts'

/**
 * A listing whose Flex state the caller may read and change. Throws, in this order: no such listing on that site, not
 * the caller's, not shipped by ME2 [spec: flex.items.order].
 */
export async function requireSwitchableItem(q: Q, caller: number, site_id: string, item_id: string): Promise<ItemRow> {
  const item = await itemById(q, item_id)
  if (!item || item.site_id !== site_id) throw itemNotFound()
  if (item.seller_id !== caller) throw forbidden('http.errors.foreign_data')
  if (item.shipping_mode !== 'me2') throw itemDown(CONDITION_VIOLATIONS.shipping)
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
  { site_id, item_id, on }: ItemChange,
): Promise<void> {
  const item = await requireSwitchableItem(q, caller, site_id, item_id)
  if ((item.in_flex === 1) === on) throw alreadyInFlex()
  const missing = on ? await missingForFlex(q, world, item) : null
  if (missing) throw itemDown(CONDITION_VIOLATIONS[missing])
  await setItemInFlex(q, world, item_id, on)
}

interface ItemChange {
  site_id: string
  item_id: string
  on: boolean
}

/** Listings of each world whose change is in flight. */
const changing = keptFor((_: World) => new Set<string>())

/**
 * `switchItem` in a unit of its own. `isNewer`: another change of the listing in flight is a 409, before errors of its
 * state [spec: flex.items.conflict].
 */
export async function switchInUnit(world: World, caller: number, change: ItemChange, isNewer: boolean): Promise<void> {
  const { site_id, item_id } = change
  const inFlight = changing(world)
  if (isNewer && inFlight.has(item_id)) {
    await requireSwitchableItem(world.read, caller, site_id, item_id)
    throw cannotActivate()
  }
  inFlight.add(item_id)
  try {
    await world.tx((q) => switchItem(q, world, caller, change))
  } finally {
    inFlight.delete(item_id)
  }
}

/** What a listing needs to be offered with Flex, in the order of the checks, with the message for each. */
export const ITEM_CONDITIONS = {
  shipping: 'the listing is not shipped by ME2',
  active: 'the listing is not active',
  subscription: 'the seller has no FLEX subscription that is in or pending',
} as const
export type ItemCondition = keyof typeof ITEM_CONDITIONS
const CONDITION_VIOLATIONS: Record<ItemCondition, Violation> = {
  shipping: { rule: 'flex.items.order', check: 'me2' },
  active: { rule: 'flex.items.active' },
  subscription: { rule: 'flex.activation_needs_subscription' },
}

/** The first condition that a listing does not meet; null if it can be offered with Flex, or is. */
export async function missingForFlex(q: Q, world: World, item: ItemRow): Promise<ItemCondition | null> {
  if (item.shipping_mode !== 'me2') return 'shipping'
  if (item.status !== 'active') return 'active'
  if (ACTIVATION_NEEDS_SUBSCRIPTION.of(world) === 'false') return null
  return (await hasOpenSubscription(q, item.seller_id)) ? null : 'subscription'
}

/** The same for the operator: nothing happens if it is already so. Throws 404, or 400 for the condition that is not met. */
export async function setFlexOfItem(q: Q, world: World, item_id: string, on: boolean): Promise<ItemRow> {
  const item = await itemById(q, item_id)
  if (!item) throw listingNotFound(item_id)
  if ((item.in_flex === 1) === on) return item
  const missing = on ? await missingForFlex(q, world, item) : null
  if (missing) throw badRequest(`has_flex: ${ITEM_CONDITIONS[missing]}`)
  return (await setItemInFlex(q, world, item_id, on))!
}
