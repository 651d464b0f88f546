import { type CallChecks, type CallContext, defineChecks } from '../../http/errors/checks.ts'
import { listShipments } from './queries.ts'

const CHECKS = defineChecks({
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
})

const PAGE = { limit: 20, offset: 0 }
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
