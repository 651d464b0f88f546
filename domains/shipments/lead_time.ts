import { isoSeconds } from '../shared/instants.ts'
import type { ShipmentRow, StepRow } from './tables.ts'

// When a shipment is to be handed over and to arrive. Nothing is stored: it follows from the instant of the sale.

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Days of the promises are days at −04:00. */
const OFFSET = -4 * HOUR
const SUNDAY_OF_EPOCH = 3
const isWeekend = (day: number): boolean => [0, 6].includes((day - SUNDAY_OF_EPOCH + 7) % 7)

/** First instant of the day, at −04:00, that the seller has to hand the parcel over: the working day after the sale. */
function dispatchDay({ date_created }: Pick<ShipmentRow, 'date_created'>): number {
  let day = Math.floor((date_created + OFFSET) / DAY) + 1
  while (isWeekend(day)) day++
  return day * DAY - OFFSET
}

/** What happens after the seller has the parcel out of its hands. */
const isHandedOver = ({ status, substatus }: Pick<StepRow, 'status' | 'substatus'>): boolean =>
  ['shipped', 'delivered', 'not_delivered'].includes(status) ||
  ['picked_up', 'dropped_off', 'in_hub', 'authorized_by_carrier'].includes(substatus ?? '')

/** Until when the seller has to hand a parcel over, ms, and whether it does; `steps`: those that have come. */
export function slaOf(row: ShipmentRow, steps: readonly StepRow[], now: number) {
  const day = dispatchDay(row)
  const expected = day + DAY - 1000
  const at = steps.find(isHandedOver)?.at
  const status = (at ?? now) > expected ? 'delayed' : at !== undefined && at < day ? 'early' : 'on_time'
  return { status, expected } as const
}

/** `YYYY-MM-DDThh:mm:ss-04:00` */
export const slaDate = (ms: number): string => `${isoSeconds(ms + OFFSET)}-04:00`

/** Hours on the way, by who delivers. */
const SHIPPING_HOURS = { me2: 48, me1: 120, custom: 120 } as const

/** The instants of a shipment's promises, ms. */
export function promisesOf(row: Pick<ShipmentRow, 'date_created' | 'logistic_type' | 'mode'>) {
  const dispatch = dispatchDay(row)
  const shipping = row.logistic_type === 'self_service' ? 0 : SHIPPING_HOURS[row.mode]
  const delivery = dispatch + shipping * HOUR
  return {
    ...{ dispatch, delivery, shipping },
    ...{ extended: delivery + 5 * DAY, limit: delivery + 10 * DAY, final: delivery + 30 * DAY },
  }
}
