import type { LOGISTIC_TYPES, ShipmentRow, StepRow } from './tables.ts'

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** What each status may say more precisely [spec: shipments.statuses]. */
export const SUBSTATUSES = {
  to_be_agreed: [],
  pending: words(
    `cost_exceeded under_review reviewed fraudulent waiting_for_payment shipment_paid creating_route manufacturing buffered
     creating_shipping_order`,
  ),
  handling: words(
    `regenerating waiting_for_label_generation invoice_pending waiting_for_return_confirmation return_confirmed
     manufacturing agency_unavailable`,
  ),
  ready_to_ship: words(
    `ready_to_print invoice_pending printed in_pickup_list ready_for_pkl_creation ready_for_pickup ready_for_dropoff
     picked_up stale dropped_off delayed claimed_me waiting_for_last_mile_authorization rejected_in_hub in_transit
     in_warehouse ready_to_pack in_hub measures_ready waiting_for_carrier_authorization authorized_by_carrier
     in_packing_list in_plp on_hold packed on_route_to_pickup picking_up shipping_order_initialized looking_for_driver`,
  ),
  shipped: words(
    `delayed waiting_for_withdrawal contact_with_carrier_required receiver_absent reclaimed not_localized
     forwarded_to_third soon_deliver refused_delivery bad_address changed_address negative_feedback need_review stale
     operator_intervention claimed_me retained out_for_delivery delivery_failed waiting_for_confirmation at_the_door
     buyer_edt_limit_stale delivery_blocked awaiting_tax_documentation dangerous_area unauthorized_receiver
     buyer_rescheduled failover picked_up dropped_off at_customs delayed_at_customs left_customs missing_sender_payment
     missing_sender_documentation missing_recipient_documentation missing_recipient_payment import_taxes_paid`,
  ),
  delivered: words('damaged fulfilled_feedback no_action_taken double_refund inferred'),
  not_delivered: words(
    `returning_to_sender receiver_absent to_review destroyed waiting_for_withdrawal negative_feedback not_localized
     double_refund cancelled_measurement_exceeded returned_to_hub returned_to_agency picked_up_for_return claimed_me
     returning_to_warehouse returning_to_hub soon_to_be_returned return_failed in_storage pending_recovery
     agency_unavailable rejected_damaged refused_delivery refunded_by_delay delayed delayed_to_hub shipment_stopped
     awaiting_tax_documentation retained stolen returned confiscated damaged lost recovered returned_to_warehouse
     not_recovered detained_at_customs detained_at_origin unclaimed import_tax_rejected import_tax_expired
     rider_not_found`,
  ),
  not_verified: [],
  cancelled: words(
    `recovered label_expired cancelled_manually fraudulent return_expired return_session_expired unfulfillable
     closed_by_user pack_splitted shipped_outside_me shipped_outside_me_trusted inferred_shipped service_unavailable
     dismissed time_expired pack_partially_cancelled rejected_manually closed_store out_of_range`,
  ),
  closed: [],
  error: [],
  active: [],
  not_specified: [],
  stale_ready_to_ship: [],
  stale_shipped: [],
} as const satisfies Record<string, readonly string[]>

export type ShipmentStatus = keyof typeof SUBSTATUSES

const named = (id: string) => ({ id, name: id.charAt(0).toUpperCase() + id.slice(1).replaceAll('_', ' ') })

/** The answer of GET /shipment_statuses. */
export const SHIPMENT_STATUSES = Object.entries(SUBSTATUSES).map(([status, substatuses]) => ({
  ...named(status),
  substatuses: substatuses.map(named),
}))
export const STATUS_IDS = Object.keys(SUBSTATUSES) as ShipmentStatus[]
export const SUBSTATUS_IDS: readonly string[] = [...new Set(Object.values(SUBSTATUSES).flat())]

export interface State {
  status: string
  substatus: string | null
}

/** Whether that status has that substatus. */
export const isState = ({ status, substatus }: State): boolean =>
  Object.hasOwn(SUBSTATUSES, status) &&
  (substatus === null || (SUBSTATUSES[status as ShipmentStatus] as readonly string[]).includes(substatus))

/** The state of a shipment that no step is known of: a parcel that a driver can carry. */
export const WITHOUT_STEPS: State = { status: 'ready_to_ship', substatus: 'printed' }

/** The step that a shipment is in at an instant: the last one that has come, else the first. */
export const stateAt = (steps: readonly StepRow[], now: number): StepRow =>
  steps.findLast(({ at }) => at <= now) ?? steps[0]!

/** What a shipment has beside its columns, in JSON; members that are missing have the value of a plain one. */
export interface Details {
  /** What the receiver pays; default: nothing. */
  cost?: number
  list_cost?: number
  service_id?: number
  tracking_url?: string
  comments?: string
}
export const detailsOf = ({ details }: Pick<ShipmentRow, 'details'>): Details => JSON.parse(details)

/** A state that the machine leads to, and after which time of the world's clock; null: only by a call. */
interface Stage extends State {
  hours: number | null
}
type LogisticType = (typeof LOGISTIC_TYPES)[number]

const TO_THE_BUYER: readonly Stage[] = [
  { status: 'shipped', substatus: null, hours: 8 },
  { status: 'shipped', substatus: 'out_for_delivery', hours: 24 },
  { status: 'delivered', substatus: null, hours: 4 },
]
const printedThen = (...then: readonly Stage[]): Stage[] => [
  { status: 'ready_to_ship', substatus: 'ready_to_print', hours: null },
  { status: 'ready_to_ship', substatus: 'printed', hours: null },
  ...then,
]
const droppedOff: Stage = { status: 'ready_to_ship', substatus: 'dropped_off', hours: 4 }
const byTheSeller: readonly Stage[] = (['ready_to_ship', 'shipped', 'delivered'] as const).map((status) => ({
  ...{ status, substatus: null, hours: null },
}))

/** The way of a shipment, hours after the stage before [spec: shipments.clock]. */
export const STAGES: Readonly<Record<LogisticType, readonly Stage[]>> = {
  drop_off: printedThen(droppedOff, ...TO_THE_BUYER),
  xd_drop_off: printedThen(droppedOff, ...TO_THE_BUYER),
  cross_docking: printedThen({ status: 'ready_to_ship', substatus: 'picked_up', hours: 4 }, ...TO_THE_BUYER),
  self_service: printedThen(
    { status: 'shipped', substatus: 'out_for_delivery', hours: 2 },
    { status: 'delivered', substatus: null, hours: 4 },
  ),
  // The marketplace has it in store: the seller prints nothing.
  fulfillment: [
    { status: 'ready_to_ship', substatus: 'in_warehouse', hours: null },
    { ...TO_THE_BUYER[0]!, hours: 12 },
    ...TO_THE_BUYER.slice(1),
  ],
  default: byTheSeller,
  custom: byTheSeller,
}

/** How far a shipment is on its way: the index of its stage, -1 before the first; undefined where its way has ended. */
export function stageOf({ logistic_type }: Pick<ShipmentRow, 'logistic_type'>, state: State): number | undefined {
  const stages = STAGES[logistic_type]
  if (state.status === 'pending' || state.status === 'handling') return -1
  const exact = stages.findIndex(({ status, substatus }) => status === state.status && substatus === state.substatus)
  const n = exact >= 0 ? exact : stages.findLastIndex(({ status }) => status === state.status)
  return n < 0 || n === stages.length - 1 ? undefined : n
}

/** Where control calls may move a shipment. */
export const ADVANCE_TO = ['printed', 'shipped', 'out_for_delivery', 'delivered', 'not_delivered'] as const
export type AdvanceTo = (typeof ADVANCE_TO)[number]

/** Whether a state is the one of that name. */
export const isCalled = ({ status, substatus }: State, name: AdvanceTo): boolean => (substatus ?? status) === name

/** The steps that the clock brings after a stage that was reached `from`, ms. */
export function stepsAfter(
  { logistic_type }: Pick<ShipmentRow, 'logistic_type'>,
  stage: number,
  from: number,
): (State & { at: number })[] {
  const steps: (State & { at: number })[] = []
  let at = from
  for (const { status, substatus, hours } of STAGES[logistic_type].slice(stage + 1)) {
    if (hours === null) break
    at += hours * 3_600_000
    steps.push({ status, substatus, at })
  }
  return steps
}
