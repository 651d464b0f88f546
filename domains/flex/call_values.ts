import type { CallContext, FindValues } from '../../http/errors/checks.ts'
import { itemById, listItems } from '../items/queries.ts'
import { listShipments, shipmentById } from '../shipments/queries.ts'
import { userById } from '../users/queries.ts'
import { listSubscriptions } from './queries.ts'
import { SETTING_KINDS, type SettingKind } from './setting_operations.ts'

// Values with which calls of Flex succeed, for explanations.

const PAGE = { limit: 20, offset: 0 }

/** The site of what the call names, else that of the caller. */
export async function sites({ q, caller, sent }: CallContext): Promise<string[]> {
  const item = await itemById(q, String(sent('item_id')))
  const shipment = await shipmentById(q, Number(sent('shipment_id')))
  const user = await userById(q, caller?.user_id ?? Number(sent('user_id')))
  return [item?.site_id, shipment?.site_id, user?.site_id].filter((one) => one !== undefined)
}

export const servicesOf =
  (kind: SettingKind): FindValues =>
  async ({ q, caller, sent }) => {
    const user_id = caller?.user_id ?? Number(sent('user_id'))
    const { rows } = await listSubscriptions(q, { user_id, mode: SETTING_KINDS[kind].modes[0] }, PAGE)
    return rows.filter(({ status }) => status !== 'out').map(({ service_id }) => service_id)
  }

export async function sellerOfService({ q, sent }: CallContext): Promise<number[]> {
  const filter = { service_id: Number(sent('service_id')) }
  return (await listSubscriptions(q, filter, PAGE)).rows.map(({ user_id }) => user_id)
}

/** Active listings of the caller that are shipped by ME2; `isInFlex` undefined: offered with Flex or not. */
export const switchableListings =
  (isInFlex: boolean | undefined): FindValues =>
  async ({ q, caller }) => {
    if (!caller) return []
    const filter = {
      seller_id: caller.user_id,
      status: 'active' as const,
      shipping_mode: 'me2' as const,
      in_flex: isInFlex === undefined ? undefined : Number(isInFlex),
    }
    return (await listItems(q, filter, PAGE)).rows.map(({ id }) => id)
  }

export async function sellerOfListing({ q, sent }: CallContext): Promise<number[]> {
  const item = await itemById(q, String(sent('item_id')))
  return item ? [item.seller_id] : []
}

/** Shipments of the caller whose driver is on the way. */
export async function shipments({ q, caller }: CallContext): Promise<number[]> {
  if (!caller) return []
  const filter = { seller_id: caller.user_id, driver_status: 'on_route' as const }
  return (await listShipments(q, filter, PAGE)).rows.map(({ id }) => id)
}

/** Shipments of any seller that a courier can take. */
export async function shipmentsWithoutDriver({ q, caller }: CallContext): Promise<number[]> {
  const user = await userById(q, caller?.user_id ?? 0)
  const { rows } = await listShipments(q, { driver_status: 'unassigned' }, PAGE)
  // Those of the caller's site first: the site of the call is found by it.
  const isNear = ({ site_id }: { site_id: string }) => site_id === user?.site_id
  return [...rows.filter(isNear), ...rows.filter((row) => !isNear(row))].map(({ id }) => id)
}
