import { type CallChecks, type CallContext, defineChecks, ownUser } from '../../http/errors/checks.ts'
import { listOrders, orderById } from '../orders/queries.ts'
import { exists, isParty, isSeller, LISTING_EXISTS, partiesOf } from '../shared/checks.ts'
import { listShipments, shipmentById } from './queries.ts'
import type { ShipmentRow } from './tables.ts'

const FIELD = 'shipment_id'
const CHECKS = defineChecks({
  shipment_exists: exists('shipments.not_found', FIELD, { en: 'shipment', es: 'El envío', pt: 'O envio' }),
  own_shipment: isParty('shipments.rights', FIELD, { en: 'shipment', es: 'del envío', pt: 'do envio' }),
  sender: isSeller('shipments.rights', FIELD, { en: 'shipment', es: 'del envío', pt: 'do envio' }),
  order_exists: exists('orders.not_found', 'order_id', { en: 'order', es: 'La venta', pt: 'A venda' }),
  own_order: isParty('orders.not_owned', 'order_id', { en: 'order', es: 'de la venta', pt: 'da venda' }),
  has_shipment: exists('shipments.of_order.none', 'order_id', {
    en: 'shipment of the order',
    es: 'El envío de la venta',
    pt: 'O envio da venda',
  }),
  has_pack: exists('shipments.payments.none', FIELD, { en: 'pack of the orders', es: 'El carrito', pt: 'O carrinho' }),
  known: exists('shipments.sla.unknown', FIELD, { en: 'shipment', es: 'El envío', pt: 'O envio' }),
  has_sla: exists('shipments.sla.none', FIELD, {
    en: 'deadline of the seller',
    es: 'El plazo del vendedor',
    pt: 'O prazo do vendedor',
  }),
  is_late: exists('shipments.delays.none', FIELD, { en: 'delay', es: 'La demora', pt: 'O atraso' }),
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
  ids: [
    'shipments.labels.ids',
    'shipment_ids has 1 to 50 ids',
    'shipment_ids tiene de 1 a 50 ids',
    'shipment_ids tem de 1 a 50 ids',
    'shipment_ids',
  ],
  own_parcels: [
    'shipments.labels.caller',
    'The caller sends each shipment',
    'Quien llama despacha cada envío',
    'Quem chama despacha cada envio',
    'shipment_ids',
  ],
  mode: [
    'shipments.labels.mode',
    'Each shipment has the mode me2',
    'Cada envío tiene el modo me2',
    'Cada envio tem o modo me2',
    'shipment_ids',
  ],
  in_hand: [
    'shipments.labels.fulfillment',
    'The marketplace has none of the parcels in store',
    'El marketplace no tiene ninguno de los paquetes en su depósito',
    'O marketplace não tem nenhum dos pacotes em seu depósito',
    'shipment_ids',
  ],
  ready: [
    'shipments.labels.status',
    'Each shipment is ready_to_ship, and not yet handed over',
    'Cada envío está en ready_to_ship, y aún no se despachó',
    'Cada envio está em ready_to_ship, e ainda não foi despachado',
    'shipment_ids',
  ],
  place: [
    'shipments.options.zip_code',
    'zip_code is one, or city_to is sent',
    'zip_code es válido, o se envía city_to',
    'zip_code é válido, ou city_to é enviado',
    'zip_code',
  ],
  item: exists('shipments.options.item', 'item_id', { en: 'listing', es: 'La publicación', pt: 'O anúncio' }),
  parcel: [
    'shipments.options.free.of',
    'item_id or dimensions is sent; dimensions are integers',
    'Se envía item_id o dimensions; dimensions son enteros',
    'item_id ou dimensions é enviado; dimensions são inteiros',
    'dimensions',
  ],
  seller: exists('shipments.options.free.user', 'user_id', { en: 'user', es: 'El usuario', pt: 'O usuário' }),
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
const parties = partiesOf(({ q, sent }) => shipmentById(q, Number(sent(FIELD))))

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
  callers: partiesOf(({ q, world, sent }) => orderById(q, world, Number(sent('order_id')))),
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

const printable = async ({ q, world, caller }: CallContext) => {
  if (!caller) return []
  const now = world.clock.now()
  const { rows } = await listShipments(q, { seller_id: caller.user_id, status: 'ready_to_ship', now }, PAGE)
  return rows.filter(({ mode }) => mode === 'me2').map(({ id }) => String(id))
}

export const PRINT_LABELS: CallChecks = {
  order: 'shipments.labels.order',
  checks: [CHECKS.ids, CHECKS.own_parcels, CHECKS.mode, CHECKS.in_hand, CHECKS.ready],
  values: { shipment_ids: printable },
}

export const READ_OPTIONS: CallChecks = {
  order: 'shipments.options.order',
  checks: [CHECKS.place, CHECKS.item],
  values: { zip_code: () => ['1675'] },
}

export const READ_FREE_OPTION: CallChecks = {
  order: 'shipments.options.order',
  checks: [CHECKS.parcel, CHECKS.seller, LISTING_EXISTS],
  values: { user_id: ownUser, dimensions: () => ['9x17x22,462'] },
}
