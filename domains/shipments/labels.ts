import type { Q } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import type { AnsweredError } from '../../http/errors/answered_error.ts'
import { apiError } from '../../http/errors/errors.ts'
import type { RuleId } from '../../http/rules.ts'
import { languageOf } from '../users/sites.ts'
import type { End } from './addresses.ts'
import { printLabels } from './operations.ts'
import { shipmentById, stepsOf } from './queries.ts'
import { type State, stateAt } from './states.ts'
import type { ShipmentRow } from './tables.ts'
import { type View, viewOf } from './view.ts'

/** What is on a label of 100 × 150 mm. */
export interface Label {
  /** The text of its bar code. */
  shipment: string
  lines: Line[]
}
/** A line of text whose foot is `top` below the upper edge; both in mm. */
interface Line {
  text: string
  top: number
  size: number
}
/** Of the paper, and of what is not text on it, mm from the left and upper edges. */
export const PAPER = { width: 100, height: 150, margin: 6, rules: [28, 92, 136], bar: { top: 50, height: 28 } }

const WORDS = {
  es: { sender: 'Remitente', receiver: 'Destinatario', order: 'Venta', code: 'CP' },
  pt: { sender: 'Remetente', receiver: 'Destinatário', order: 'Venda', code: 'CEP' },
}

export function labelOf({ row, units, sender, receiver }: View): Label {
  const words = WORDS[languageOf(row.site_id)]
  const { address } = receiver
  const orders = units.map(({ order }) => order)
  const lines: [text: string, top: number, size: number][] = [
    [`${words.sender}: ${sender.name}`, 10, 3.5],
    [sender.address.address_line, 16, 3.5],
    [cityOf(sender, words.code), 22, 3.5],
    [row.logistic_type.replaceAll('_', ' ').toUpperCase(), 37, 7],
    [`Tracking: ${row.tracking_number ?? '-'}`, 45, 4],
    [String(row.id), 86, 6],
    [words.receiver, 98, 3.5],
    [receiver.name, 105, 6],
    [address.address_line, 112, 4.5],
    [address.comment ?? '', 118, 3.5],
    [cityOf(receiver, words.code), 126, 5],
    [[address.state.name, address.country.name].filter(Boolean).join(', '), 132, 4],
    [`${words.order} ${orders[0]?.pack_id ?? orders[0]?.id ?? '-'}`, 141, 3.5],
    [units.map(({ order: { quantity }, title }) => `${quantity} x ${title}`).join(' | '), 146, 3],
  ]
  return { shipment: String(row.id), lines: lines.map(([text, top, size]) => ({ text, top, size })) }
}
const cityOf = ({ address: { zip_code, city } }: End, code: string) => `${code} ${zip_code} ${city.name ?? ''}`

/** Why the label of a shipment cannot be printed. */
interface FailedShipment {
  shipment_id: string
  message: string
  cause: string
  /** It may be printed later. */
  retry: boolean
}
export interface PrintRefused extends AnsweredError {
  failed_shipments: FailedShipment[]
}

/** The parcel that the caller hands over: the seller, or the buyer who returns it. */
const isSentBy = ({ type, seller_id, buyer_id }: ShipmentRow, caller: number): boolean =>
  (type === 'return' ? buyer_id : seller_id) === caller

const PRINTABLE = [null, 'ready_to_print', 'printed']

/** `[rule, cause, rest of the message]` of the first problem [spec: shipments.labels.order]. */
function problemOf(row: ShipmentRow | undefined, caller: number, state?: State): [RuleId, string, string] | undefined {
  if (!row || !state || !isSentBy(row, caller))
    return ['shipments.labels.caller', 'INVALID_SHIPMENT_CALLER', 'is not printable by caller']
  if (row.mode !== 'me2') return ['shipments.labels.mode', 'INVALID_SHIPMENT_MODE', `mode is ${row.mode}`]
  if (row.logistic_type === 'fulfillment')
    return ['shipments.labels.fulfillment', 'INVALID_SHIPMENT_FF_PUBLIC', 'is fulfillment']
  const { status, substatus } = state
  if (status === 'ready_to_ship' && PRINTABLE.includes(substatus)) return undefined
  const also = status === 'ready_to_ship' ? ` and substatus ${substatus}` : ''
  return ['shipments.labels.status', 'NOT_PRINTABLE_STATUS', `status is ${status}${also}`]
}

/**
 * Prints labels and returns what they show, in the order of the ids. Throws a 400 with each shipment that cannot be
 * printed; then none is. Call it inside `world.tx`.
 */
export async function printOwn(q: Q, world: World, caller: number, ids: readonly string[]): Promise<Label[]> {
  const rows: ShipmentRow[] = []
  const failed: (FailedShipment & { rule: RuleId })[] = []
  for (const id of ids) {
    const row = /^\d{1,15}$/.test(id) ? await shipmentById(q, Number(id)) : undefined
    const state = row && stateAt((await stepsOf(q, [row])).get(row.id)!, world.clock.now())
    const problem = problemOf(row, caller, state)
    if (row) rows.push(row)
    if (!problem) continue
    const [rule, cause, text] = problem
    const retry =
      rule === 'shipments.labels.status' && (state?.status === 'handling' || state?.substatus === 'buffered')
    failed.push({ rule, shipment_id: id, message: `Shipment ${id} ${text}`, cause, retry })
  }
  const [first] = failed
  if (first) {
    const { rule, message, cause } = first
    const error = apiError({ rule, field: 'shipment_ids' }, 400, cause.toLowerCase(), message)
    throw Object.assign(error, { failed_shipments: failed.map(({ rule: _, ...one }) => one) }) satisfies PrintRefused
  }
  await printLabels(q, world, rows)
  const labels: Label[] = []
  for (const row of rows) labels.push(labelOf(await viewOf(q, world, row)))
  return labels
}
