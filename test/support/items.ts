interface PlainItem {
  id: string
  title: string
  seller_id: number
  price: number
  /** When it was listed, and when it stops; 60 days later for the usual time of tests. */
  date_created: string
  stop_time?: string
  // biome-ignore lint/suspicious/noExplicitAny: members that differ from those of a plain listing
  [member: string]: any
}

const COUNTRIES: Record<string, { id: string; name: string }> = {
  MLA: { id: 'AR', name: 'Argentina' },
  MLB: { id: 'BR', name: 'Brasil' },
  MLC: { id: 'CL', name: 'Chile' },
}

/** The whole answer of a listing of a test user that says nothing about its product; `others` replaces members. */
export function plainItem({
  place = ['', '', ''],
  seller_sku,
  ...others
}: PlainItem & { place?: [city: string, state: string, name: string] }) {
  const { id, date_created, stop_time = '2026-05-06T15:00:00.000Z', price, available_quantity = 1 } = others
  const site_id = id.slice(0, 3)
  const attribute = (id: string, name: string, value_name: string, value_id: string | null = null) => ({
    ...{ id, name, value_id, value_name, values: [{ id: value_id, name: value_name }] },
    value_type: value_id === null ? 'string' : 'list',
  })
  const isBrazil = site_id === 'MLB'
  const item: Record<string, unknown> = {
    id,
    site_id,
    title: others.title,
    family_name: null,
    subtitle: null,
    seller_id: others.seller_id,
    category_id: `${site_id}3530`,
    official_store_id: null,
    user_product_id: `${site_id}U${id.slice(3)}`,
    price,
    base_price: price,
    original_price: null,
    inventory_id: null,
    currency_id: { MLA: 'ARS', MLB: 'BRL', MLC: 'CLP' }[site_id],
    initial_quantity: available_quantity,
    available_quantity,
    sold_quantity: 0,
    sale_terms: [],
    buying_mode: 'buy_it_now',
    listing_type_id: 'gold_special',
    start_time: date_created,
    stop_time,
    end_time: stop_time,
    expiration_time: stop_time,
    condition: 'new',
    permalink: `https://articulo.example.com/${id}`,
    thumbnail_id: null,
    thumbnail: '',
    secure_thumbnail: '',
    pictures: [],
    video_id: null,
    descriptions: [],
    accepts_mercadopago: true,
    shipping: shippingOf('me2'),
    seller_address: {
      city: { id: null, name: place[0] },
      state: { id: place[1], name: place[2] },
      country: COUNTRIES[site_id],
    },
    attributes: [
      attribute('BRAND', 'Marca', 'Genérica'),
      attribute('MODEL', 'Modelo', 'Genérico'),
      ...(seller_sku ? [attribute('SELLER_SKU', 'SKU', seller_sku)] : []),
      attribute(
        'ITEM_CONDITION',
        isBrazil ? 'Condição do item' : 'Condición del ítem',
        isBrazil ? 'Novo' : 'Nuevo',
        '2230284',
      ),
    ],
    variations: [],
    status: 'active',
    sub_status: [],
    tags: ['good_quality_picture', 'immediate_payment', 'cart_eligible', 'test_item'],
    warranty: null,
    catalog_product_id: null,
    domain_id: null,
    seller_custom_field: null,
    parent_item_id: null,
    deal_ids: [],
    automatic_relist: false,
    date_created,
    last_updated: date_created,
    health: null,
    catalog_listing: false,
    channels: ['marketplace'],
  }
  return { ...item, ...others, stop_time }
}

/** `shipping` of a listing that nothing was said about. */
export const shippingOf = (mode: string, { inFlex = false } = {}) => ({
  mode,
  tags: [inFlex ? 'self_service_in' : 'self_service_out'],
  dimensions: null,
  local_pick_up: false,
  free_shipping: false,
  logistic_type: inFlex ? 'self_service' : mode === 'me2' ? 'drop_off' : 'default',
  store_pick_up: false,
})
