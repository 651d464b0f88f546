import { utcMillis } from '../shared/instants.ts'
import type { ItemRow } from './queries.ts'
import type { Item } from './schemas.ts'

export const presentItem = (row: ItemRow): Item => ({
  id: row.id,
  site_id: row.site_id,
  title: row.title,
  seller_id: row.seller_id,
  price: row.price,
  currency_id: row.currency_id,
  status: row.status,
  permalink: `https://articulo.example.com/${row.id}`,
  shipping: {
    mode: row.shipping_mode,
    tags: [row.in_flex ? 'self_service_in' : 'self_service_out'],
    logistic_type: row.in_flex ? 'self_service' : row.shipping_mode === 'me2' ? 'drop_off' : 'default',
  },
  date_created: utcMillis(row.date_created),
  last_updated: utcMillis(row.last_updated),
  available_quantity: row.available_quantity,
})
