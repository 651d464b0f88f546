import { initialSettingsOf } from '../../domains/flex/operations.ts'
import { parseAccurateDelivery, parseCustomDelivery, parseRadius } from '../../domains/flex/settings.ts'
import { prefixErrors } from './places.ts'
import type { Element } from './schemas.ts'

/** How a subscription of the file is set, as it is stored; refused as sellers are. */
export function readSubscriptionSettings(
  subscription: Element<'flex_subscriptions'>,
  place: string,
  { site_id, city }: { site_id: string; city: string },
) {
  const { mode = 'FLEX', delivery_ranges, zones, radius } = subscription
  const defaults = initialSettingsOf(mode, site_id, city)
  const input = { delivery_ranges }
  return prefixErrors(place, () => ({
    delivery_ranges: delivery_ranges
      ? JSON.stringify(mode === 'FLEX' ? parseCustomDelivery(input).delivery_ranges : parseAccurateDelivery(input))
      : defaults.delivery_ranges,
    // Zones are not looked up: a seller who has moved still serves those that were chosen before.
    zones: zones ? JSON.stringify(zones) : defaults.zones,
    radius: radius ? parseRadius({ radius }) : defaults.radius,
  }))
}
