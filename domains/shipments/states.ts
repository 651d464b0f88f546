import { SUBSTATUSES } from './statuses.ts'
import type { LOGISTIC_TYPES, ShipmentRow, StepRow } from './tables.ts'

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
