import { type CallChecks, type CallContext, defineChecks, ownUser } from '../../http/errors/checks.ts'
import { exists, LISTING_EXISTS } from '../shared/checks.ts'
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
  place: [
    'shipments.options.zip_code',
    'zip_code is one, or city_to is sent',
    'zip_code es válido, o se envía city_to',
    'zip_code é válido, ou city_to é enviado',
    'zip_code',
  ],
  item: exists('shipments.options.item', 'item_id', 'listing', 'La publicación', 'O anúncio'),
  parcel: [
    'shipments.options.free.of',
    'item_id or dimensions is sent; dimensions are integers',
    'Se envía item_id o dimensions; dimensions son enteros',
    'item_id ou dimensions é enviado; dimensions são inteiros',
    'dimensions',
  ],
  seller: exists('shipments.options.free.user', 'user_id', 'user', 'El usuario', 'O usuário'),
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
