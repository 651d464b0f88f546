import { type CallChecks, type CallContext, defineChecks } from '../../http/errors/checks.ts'
import { listOrders, orderById } from '../orders/queries.ts'
import { exists, isParty } from '../shared/checks.ts'
import { listShipments, shipmentById } from './queries.ts'
import type { ShipmentRow } from './tables.ts'

const FIELD = 'shipment_id'
const CHECKS = defineChecks({
  shipment_exists: exists('shipments.not_found', FIELD, 'shipment', 'El envío', 'O envio'),
  own_shipment: isParty('shipments.rights', FIELD, 'shipment', 'del envío', 'do envio'),
  sender: [
    'shipments.rights',
    'The caller is the seller of the shipment',
    'Quien llama es el vendedor del envío',
    'Quem chama é o vendedor do envio',
    FIELD,
  ],
  order_exists: exists('orders.not_found', 'order_id', 'order', 'La venta', 'A venda'),
  own_order: isParty('orders.not_owned', 'order_id', 'order', 'de la venta', 'da venda'),
  has_shipment: [
    'shipments.of_order.none',
    'The order has a shipment',
    'La venta tiene un envío',
    'A venda tem um envio',
    'order_id',
  ],
  has_pack: [
    'shipments.payments.none',
    'An order in the shipment has a pack',
    'Una venta del envío tiene un carrito',
    'Uma venda do envio tem um carrinho',
    FIELD,
  ],
  known: exists('shipments.sla.unknown', FIELD, 'shipment', 'El envío', 'O envio'),
  has_sla: [
    'shipments.sla.none',
    'The seller sends the shipment, and it is not cancelled',
    'El vendedor despacha el envío, y no está cancelado',
    'O vendedor despacha o envio, e ele não está cancelado',
    FIELD,
  ],
  is_late: [
    'shipments.delays.none',
    'The shipment was or is handed over late',
    'El envío se despacha tarde',
    'O envio é despachado com atraso',
    FIELD,
  ],
  in_handling: [
    'shipments.ready.status',
    'The status is handling',
    'El estado es handling',
    'O estado é handling',
    FIELD,
  ],
  own_carrier: [
    'shipments.seller.mode',
    'The mode is me1 or custom',
    'El modo es me1 o custom',
    'O modo é me1 ou custom',
    FIELD,
  ],
  not_final: [
    'shipments.seller.final',
    'The status is not delivered, not_delivered or cancelled',
    'El estado no es delivered, not_delivered ni cancelled',
    'O estado não é delivered, not_delivered nem cancelled',
    FIELD,
  ],
  has_substatus: [
    'shipments.seller.states',
    'Sellers may tell this substatus with that status',
    'Los vendedores pueden informar ese subestado con ese estado',
    'Os vendedores podem informar esse subestado com esse estado',
    'substatus',
  ],
})

const PAGE = { limit: 20, offset: 0 }

/** Shipments that the caller has sold, then those that it has bought, of a mode if that is given. */
const ownShipments =
  (matches: (row: ShipmentRow) => boolean = () => true) =>
  async ({ q, caller }: CallContext) => {
    if (!caller) return []
    const [sold, bought] = [{ seller_id: caller.user_id }, { buyer_id: caller.user_id }]
    const rows = [...(await listShipments(q, sold, PAGE)).rows, ...(await listShipments(q, bought, PAGE)).rows]
    return rows.filter(matches).map(({ id }) => id)
  }

/** The seller and the buyer of the shipment of a call. */
async function parties({ q, sent }: CallContext): Promise<number[]> {
  const row = await shipmentById(q, Number(sent(FIELD)))
  return row ? [row.seller_id, ...(row.buyer_id === null ? [] : [row.buyer_id])] : []
}

export const READ_SHIPMENT: CallChecks = {
  order: 'shipments.order',
  checks: [CHECKS.shipment_exists, CHECKS.own_shipment],
  values: { shipment_id: ownShipments() },
  callers: parties,
}
const readPart = (...more: CallChecks['checks'][number][]): CallChecks => ({
  ...READ_SHIPMENT,
  checks: [...READ_SHIPMENT.checks, ...more],
})
export const READ_PAYMENTS = readPart(CHECKS.has_pack)
export const READ_SLA = { ...READ_SHIPMENT, checks: [CHECKS.known, CHECKS.own_shipment, CHECKS.has_sla] }
export const READ_DELAYS = readPart(CHECKS.is_late)

export const READ_SHIPMENT_OF_ORDER: CallChecks = {
  order: 'shipments.of_order.order',
  checks: [CHECKS.order_exists, CHECKS.own_order, CHECKS.has_shipment],
  values: {
    async order_id({ q, caller }) {
      if (!caller) return []
      const { rows } = await listOrders(q, { seller_id: caller.user_id }, PAGE)
      return rows.filter(({ shipment_id }) => shipment_id !== null).map(({ id }) => id)
    },
  },
  async callers({ q, world, sent }) {
    const order = await orderById(q, world, Number(sent('order_id')))
    return order ? [order.seller_id, order.buyer_id] : []
  },
}

const bySeller = (matches: (row: ShipmentRow) => boolean, ...more: CallChecks['checks'][number][]): CallChecks => ({
  order: 'shipments.seller.order',
  checks: [CHECKS.shipment_exists, CHECKS.sender, ...more],
  values: { shipment_id: ownShipments(matches) },
  callers: async (context) => (await parties(context)).slice(0, 1),
})
export const MAKE_READY = bySeller(({ mode }) => mode === 'me2', CHECKS.in_handling)
export const NOTIFY_SHIPMENT = bySeller(
  ({ mode }) => mode !== 'me2',
  ...[CHECKS.own_carrier, CHECKS.not_final, CHECKS.has_substatus],
)
