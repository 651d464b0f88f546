import { areaOf } from './areas/index.ts'
import { ACCURATE_RANGES, CAPACITY, RADIUS } from './limits.ts'
import type { Ranges } from './settings.ts'
import type { FlexMode } from './tables.ts'

/** The settings of a new subscription, as columns of its row. */
export const initialSettingsOf = (mode: FlexMode, site_id: string, city: string) =>
  mode === 'FLEX' ? flexInitialSettings(site_id, city) : TURBO_INITIAL_SETTINGS

/** One range on weekdays, and the central zones of the area. */
const flexInitialSettings = (site_id: string, city: string) => ({
  delivery_ranges: JSON.stringify({
    week: [{ from: 14, to: 21, capacity: 50, cutoff: 13 }],
    saturday: null,
    sunday: null,
  } satisfies Ranges),
  zones: JSON.stringify((areaOf(site_id, city)?.zones ?? []).filter(({ central }) => central).map(({ id }) => id)),
  radius: null,
})
const TURBO_INITIAL_SETTINGS = {
  delivery_ranges: JSON.stringify({
    week: ACCURATE_RANGES.map(({ from, to }) => ({ from, to, capacity: CAPACITY.from, cutoff: from })),
    saturday: null,
    sunday: null,
  } satisfies Ranges),
  zones: '[]',
  radius: RADIUS.from,
}
