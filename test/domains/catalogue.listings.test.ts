import t from 'tap'
import { start } from '../support/app.ts'
import { errorBody, FOREIGN } from '../support/questions.ts'

// Products, performance, addresses and places.

const { sellers, buyers, call, control } = await start(t, { scenario: 'demo' })
const [seller, other] = sellers as [(typeof sellers)[0], (typeof sellers)[0]]
const [buyer] = buyers as [(typeof buyers)[0]]
const ITEM = 'MLA1400000005'
const own = async (url: string) => (await seller.get(url)).body
const notFound = (message: string) => errorBody(404, 'not_found', message)
const item = await own(`/items/${ITEM}`)
const product_id = item.catalog_product_id

t.test('a product is what its listings say [spec: catalogue.products, catalogue.products.items]', async (t) => {
  const offer = {
    item_id: ITEM,
    category_id: item.category_id,
    site_id: 'MLA',
    seller_id: seller.id,
    price: item.price,
    currency_id: 'ARS',
    sold_quantity: item.sold_quantity,
    available_quantity: item.available_quantity,
    shipping: { mode: 'me2', free_shipping: item.shipping.free_shipping },
    condition: 'new',
    listing_type_id: item.listing_type_id,
  }
  const { text } = await seller.get(`/products/${product_id}`)
  const product = {
    id: product_id,
    catalog_product_id: product_id,
    pdp_types: [],
    status: 'active',
    domain_id: item.domain_id,
    settings: { listing_strategy: 'catalog_required' },
    name: item.title,
    main_features: [],
    attributes: JSON.parse(text).attributes,
    pictures: item.pictures.map(({ id }: { id: string }) => ({ id, url: `https://http2.example.com/D_${id}-O.jpg` })),
    parent_id: null,
    children_ids: [],
  }
  const { status, domain_id, settings, name, attributes, pictures } = product
  t.equal(
    text,
    JSON.stringify({
      ...{ id: product_id, catalog_product_id: product_id, status, pdp_types: [], domain_id },
      permalink: `https://producto.example.com/p/${product_id}`,
      ...{ name, family_name: name, buy_box_winner: offer },
      buy_box_winner_price_range: { min: item.price, max: item.price },
      ...{ pickers: null, pictures, main_features: [], disclaimers: [], attributes },
      short_description: { type: 'plaintext', content: name },
      ...{ parent_id: null, children_ids: [], settings, date_created: item.date_created },
    }),
  )
  t.strictSame(
    product.attributes.map(({ id }: { id: string }) => id),
    ['BRAND', 'MODEL', 'GTIN'],
  )
  t.strictSame(await own(`/products/${product_id}/items`), {
    paging: { total: 1, offset: 0, limit: 100 },
    results: [offer],
  })
  const found = await own(`/products/search?site_id=MLA&q=${encodeURIComponent(item.title.toUpperCase())}`)
  t.strictSame(found, {
    keywords: item.title.toUpperCase(),
    paging: { total: 1, limit: 10, offset: 0 },
    results: [{ ...product, date_created: item.date_created, quality_type: 'COMPLETE' }],
  })
  const gtin = product.attributes[2].value_name
  t.equal((await own(`/products/search?site_id=MLA&product_identifier=${gtin}`)).results[0].id, product_id)
  t.equal((await own('/products/search?site_id=MLA&product_identifier=1')).paging.total, 0)
  t.strictSame(
    await own('/products/search?site_id=MLA'),
    errorBody(400, 'bad_request', 'q: or product_identifier is required'),
  )
  t.strictSame(await own('/products/MLA1'), notFound('Product not found: MLA1'))
  t.equal((await call(`/products/${product_id}`)).status, 401)
})

t.test('the price that wins [spec: catalogue.price_to_win, catalogue.price_to_win.not_found]', async (t) => {
  const boost = (id: string, description: string) => ({ id, status: 'opportunity', description })
  const { boosts, winner, ...alone } = await own(`/items/${ITEM}/price_to_win?version=v2`)
  t.strictSame(alone, {
    item_id: ITEM,
    current_price: item.price,
    currency_id: 'ARS',
    price_to_win: item.price,
    status: 'winning',
    consistent: true,
    visit_share: 'maximum',
    competitors_sharing_first_place: null,
    reason: [],
    catalog_product_id: product_id,
  })
  t.strictSame(boosts[1], boost('fulfillment', 'Stored by the marketplace'))
  t.strictSame(winner, { item_id: ITEM, price: item.price, currency_id: 'ARS', boosts })
  // Another seller offers the same product.
  const rival = (
    await seller.post('/items', {
      ...{ title: 'Igual', category_id: 'MLA3530', price: item.price, currency_id: 'ARS', available_quantity: 5 },
      ...{ buying_mode: 'buy_it_now', listing_type_id: 'free', catalog_product_id: product_id, catalog_listing: true },
    })
  ).body
  const standing = async () => {
    const { status, price_to_win, competitors_sharing_first_place } = await own(`/items/${ITEM}/price_to_win`)
    return [status, price_to_win, competitors_sharing_first_place]
  }
  t.strictSame(await standing(), ['sharing_first_place', item.price, 1])
  await seller.post(`/items/${rival.id}`, { price: item.price - 10 }, { method: 'PUT' })
  t.strictSame(await standing(), ['competing', item.price - 10, null])
  t.equal((await own(`/products/${product_id}`)).buy_box_winner.item_id, rival.id)
  await seller.post(`/items/${ITEM}`, { status: 'paused' }, { method: 'PUT' })
  t.strictSame(await standing(), ['listed', null, null])
  await seller.post(`/items/${ITEM}`, { status: 'active' }, { method: 'PUT' })
  const plain = notFound('Item MLA1400000001 is not a catalog listing')
  t.strictSame(await own('/items/MLA1400000001/price_to_win'), plain)
  t.strictSame((await buyer.get(`/items/${ITEM}/price_to_win`)).body, FOREIGN)
})

t.test('how complete a listing is [spec: catalogue.performance, catalogue.health]', async (t) => {
  const { id, last_updated } = (
    await seller.post('/items', {
      ...{ title: 'Parlante ab', category_id: 'MLA7001', price: 12999, currency_id: 'ARS', available_quantity: 5 },
      ...{ buying_mode: 'buy_it_now', listing_type_id: 'free', pictures: [{ source: 'https://example.com/a.jpg' }] },
      attributes: ['BRAND', 'MODEL', 'X'].map((id) => ({ id, value_name: 'Norte' })),
    })
  ).body
  const { text } = await seller.get(`/item/${id}/performance`)
  const part = (key: string, progress: number, score: number, title: string) => ({
    ...{ key, status: 'PENDING', score, title, calculated_at: last_updated },
    rules: [
      {
        ...{ key: `${key}_COMPLETE`, status: 'PENDING', progress, mode: 'OPPORTUNITY', calculated_at: last_updated },
        wordings: { title, label: title },
      },
    ],
  })
  const titles = ['Agrega más fotos', 'Completa la ficha técnica', 'Mejora el título'] as const
  t.equal(
    text,
    JSON.stringify({
      ...{ entity_type: 'ITEM', entity_id: id, score: 46, level: 'basic', level_wording: 'Básica' },
      calculated_at: last_updated,
      buckets: [
        {
          ...{ key: 'CHARACTERISTICS', type: 'PUBLICATION', status: 'PENDING', score: 46, title: 'Características' },
          calculated_at: last_updated,
          variables: [
            part('PICTURES', 1 / 3, 33, titles[0]),
            part('ATTRIBUTES', 0.5, 50, titles[1]),
            part('TITLE', 0.55, 55, titles[2]),
          ],
        },
      ],
    }),
  )
  const goal = (id: string, name: string, progress: number, progress_max: number) => ({
    ...{ id, name, progress, progress_max, apply: true, completed: false, data: [] },
  })
  t.strictSame(await own(`/items/${id}/health`), {
    ...{ item_id: id, health: 0.46, level: 'basic' },
    goals: [goal('pictures', titles[0], 1, 3), goal('attributes', titles[1], 2, 4), goal('title', titles[2], 11, 20)],
  })
  t.strictSame(await own(`/items/${id}/health/actions`), {
    ...{ item_id: id, health: 0.46, level: 'basic' },
    actions: ['pictures', 'attributes', 'title'].map((id, n) => ({ id, name: titles[n] })),
  })
  t.strictSame((await own('/sites/MLA/health_levels'))[2], { level: 'professional', health_min: 0.8, health_max: 1 })
  t.strictSame((await buyer.get(`/item/${id}/performance`)).body, FOREIGN)
  await control('PATCH /assumptions/health.api', { value: 'gone' })
  for (const url of [`/items/${id}/health`, `/items/${id}/health/actions`, '/sites/MLA/health_levels'])
    t.strictSame(await own(url), errorBody(404, 'resource not found', 'Resource not found.'), url)
  t.equal((await seller.get(`/item/${id}/performance`)).status, 200)
})

t.test(
  'the address and shipping of the caller [spec: catalogue.addresses, catalogue.shipping_preferences]',
  async (t) => {
    const { address, first_name, last_name } = await own('/users/me')
    const [found] = await own(`/users/${seller.id}/addresses`)
    const street = /^(.*) (\d+)$/.exec(address.address)!
    t.equal(
      JSON.stringify(found),
      JSON.stringify({
        id: 1_300_000_101,
        user_id: seller.id,
        contact: `${first_name} ${last_name}`,
        phone: found.phone,
        address_line: address.address,
        floor: null,
        apartment: null,
        street_number: street[2],
        street_name: street[1],
        zip_code: address.zip_code,
        city: { id: 'TUxBQ0JVRU5PU0FJ', name: address.city },
        state: { id: 'AR-C', name: 'Capital Federal' },
        country: { id: 'AR', name: 'Argentina' },
        neighborhood: { id: null, name: null },
        municipality: { id: null, name: null },
        search_location: null,
        types: ['default_selling_address', 'default_buying_address', 'shipping', 'billing'],
        comment: null,
        geolocation_type: 'APPROXIMATE',
        latitude: null,
        longitude: null,
        status: 'active',
        date_created: found.date_created,
        normalized: true,
        open_hours: null,
      }),
    )
    for (const one of [seller, sellers.find(({ site_id }) => site_id === 'MCO')!]) {
      const [{ id, address_line, street_name, street_number, zip_code, city, state, country }] = (
        await one.get(`/users/${one.id}/addresses`)
      ).body
      const { results } = (await control(`GET /shipments?seller_id=${one.id}&limit=1`)).body
      const { sender_address } = (await one.get(`/shipments/${results[0].id}`)).body
      const same = { id, address_line, street_name, street_number, zip_code, city, state, country }
      t.strictSame({ ...sender_address, ...same }, sender_address, 'as shipments have it')
      t.equal((await call(`/classified_locations/cities/${city.id}`)).body.name, city.name)
    }
    const preferences = await own(`/users/${seller.id}/shipping_preferences`)
    t.strictSame(
      [preferences.site_id, preferences.logistics[0].types[0]],
      ['MLA', { type: 'drop_off', carrier_pickup: false, services: [], default: true }],
    )
    for (const path of ['addresses', 'shipping_preferences'])
      t.strictSame((await seller.get(`/users/${other.id}/${path}`)).body, FOREIGN, path)
  },
)

t.test(
  'countries, states, cities and postal codes [spec: catalogue.locations, catalogue.locations.not_found]',
  async (t) => {
    const read = async (url: string) => (await call(url)).body
    const classified = '/classified_locations'
    const [argentina] = await read(`${classified}/countries`)
    t.strictSame(argentina, { id: 'AR', name: 'Argentina', locale: 'es_AR', currency_id: 'ARS' })
    const country = await read(`${classified}/countries/AR`)
    const AR_C = { id: 'AR-C', name: 'Capital Federal' }
    t.strictSame(country.states[1], AR_C)
    t.strictSame(await read('/countries/AR'), country)
    const state = await read(`${classified}/states/AR-C`)
    const city = state.cities[0]
    const COUNTRY = { id: 'AR', name: 'Argentina' }
    t.strictSame(state, { ...AR_C, country: COUNTRY, geo_information: null, time_zone: null, cities: [city] })
    t.equal(city.name, 'Buenos Aires')
    t.strictSame(await read(`${classified}/cities/${city.id}`), {
      ...city,
      ...{ state: AR_C, country: COUNTRY, geo_information: null, time_zone: null, neighborhoods: [] },
    })
    const { zip_code } = (await own('/users/me')).address
    t.strictSame(await read(`/countries/AR/zip_codes/${zip_code}`), { zip_code, city, state: AR_C, country: COUNTRY })
    for (const [url, message] of [
      [`${classified}/countries/XX`, 'Country not found: XX'],
      [`${classified}/states/AR-XX`, 'State not found: AR-XX'],
      [`${classified}/cities/x`, 'City not found: x'],
      ['/countries/AR/zip_codes/0', 'Zip code not found: 0'],
    ] as const)
      t.strictSame(await read(url), notFound(message), url)
  },
)

t.test('rates of currencies, and the grant [spec: currencies.conversion, oauth.grant]', async (t) => {
  t.strictSame((await call('/currency_conversions/search?from=USD&to=ARS')).body, { ratio: 1400 })
  t.strictSame((await call('/currency_conversions/search?from=BRL&to=BRL')).body, { ratio: 1 })
  t.equal((await call('/currency_conversions/search?from=USD&to=X')).status, 400)
  const { body } = await control('GET /applications')
  const app_id = body.results[0].id
  const grant = await own(`/users/${seller.id}/applications/${app_id}`)
  t.strictSame([grant.user_id, grant.app_id, grant.scopes], [seller.id, app_id, ['offline_access', 'read', 'write']])
  t.strictSame((await seller.get(`/users/${other.id}/applications/${app_id}`)).body, FOREIGN)
  t.strictSame(await own(`/users/${seller.id}/applications/5`), notFound('Application with id 5 not found'))
})
