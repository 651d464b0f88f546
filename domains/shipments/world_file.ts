import { Type } from '@sinclair/typebox'
import { StrictBody } from '../shared/control_schemas.ts'
import { Nullable } from '../shared/schemas.ts'
import { Flag, INTEGER_OR_NULL, Int, OptionalInstant, UserRef } from '../shared/world_file/fields.ts'
import { tableList } from '../shared/world_file/table_list.ts'
import { Site } from '../users/sites.ts'
import type { WorldFileSection } from '../world_file.ts'
import { FIRST_SHIPMENT_ID, shipment } from './tables.ts'

const FileShipment = StrictBody(
  {
    id: Type.Optional(Int('Identifier; default: a new one', 1)),
    site_id: Type.Optional(Site),
    seller_id: UserRef('Seller'),
    driver_id: Type.Optional(
      Nullable(Int('Driver'), {
        description: 'Driver; null if there is none yet',
        default: null,
        ...INTEGER_OR_NULL,
      }),
    ),
    route_open: Flag('Whether the driver is on the way'),
    date_created: OptionalInstant('Time of creation; default: world time'),
  },
  { title: 'FileShipment', description: 'A parcel that a seller delivers with Flex' },
)

const shipments = tableList(shipment, {
  description: 'Parcels',
  element: FileShipment,
  maxElements: 1_000_000,
  ids: FIRST_SHIPMENT_ID,
  complete({ users }, element, place) {
    const seller_id = users.resolve(`${place}.seller_id`, element.seller_id)
    return { seller_id, site_id: element.site_id ?? users.siteOf(seller_id) }
  },
})

export const worldFile: WorldFileSection = {
  after: ['users', 'orders', 'flex'],
  lists: { shipments },
  tables: { shipment: 'exported', shipment_step: 'omitted' },
}
