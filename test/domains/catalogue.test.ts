import t from 'tap'
import { start } from '../support/app.ts'
import { errorBody, FOREIGN } from '../support/questions.ts'

// Categories, domain discovery and what they say of listings.

const { sellers, call } = await start(t, { scenario: 'demo' })
const [seller, other] = sellers as [(typeof sellers)[0], (typeof sellers)[0]]
const read = async (url: string) => (await call(url)).body
const names = (list: { name: string }[]) => list.map(({ name }) => name)

t.test('the categories at the top of a site [spec: catalogue.categories.roots, catalogue.ids]', async (t) => {
  const roots = await read('/sites/MLA/categories')
  t.equal(roots.length, 10)
  t.strictSame(roots[0], { id: 'MLA1000', name: 'Electrónica, Audio y Video' })
  t.ok(names(await read('/sites/MLB/categories')).includes('Eletrônicos, Áudio e Vídeo'))
  const error = errorBody(404, 'not_found', 'Site with id XXX not found')
  t.strictSame(await read('/sites/XXX/categories'), error)
})

const settings = {
  adult_content: false,
  buying_allowed: true,
  buying_modes: ['buy_it_now', 'auction'],
  catalog_domain: 'MLA-SPEAKERS',
  coverage_areas: 'not_allowed',
  currencies: ['ARS'],
  fragile: false,
  immediate_payment: 'required',
  item_conditions: ['used', 'not_specified', 'new'],
  items_reviews_allowed: true,
  listing_allowed: true,
  max_description_length: 50000,
  max_pictures_per_item: 12,
  max_pictures_per_item_var: 10,
  max_sub_title_length: 70,
  max_title_length: 60,
  max_variations_allowed: 100,
  maximum_price: null,
  minimum_price: 1,
  price: 'required',
  restrictions: [],
  shipping_options: ['custom', 'carrier'],
  status: 'enabled',
  stock: 'required',
  vertical: 'consumerGoods',
}

t.test('a category, with its active listings [spec: catalogue.categories]', async (t) => {
  const counted = async (id: string) => (await read(`/categories/${id}`)).total_items_in_this_category
  const { text } = await call('/categories/MLA7001')
  t.equal(
    text,
    JSON.stringify({
      id: 'MLA7001',
      name: 'Parlantes',
      picture: null,
      permalink: null,
      total_items_in_this_category: await counted('MLA7001'),
      path_from_root: [
        { id: 'MLA1000', name: 'Electrónica, Audio y Video' },
        { id: 'MLA7001', name: 'Parlantes' },
      ],
      children_categories: [],
      attribute_types: 'attributes',
      settings,
      channels_settings: [],
      meta_categ_id: null,
      attributable: true,
      date_created: '2018-04-25T08:12:56.000Z',
    }),
  )
  const root = await read('/categories/MLA1000')
  t.strictSame(
    [root.picture, root.settings.listing_allowed, root.settings.minimum_price, names(root.children_categories)],
    [
      'https://http2.example.com/categories/MLA1000.png',
      false,
      null,
      ['Parlantes', 'Auriculares', 'Cámaras de Seguridad'],
    ],
  )
  const sum = root.children_categories.reduce(
    (sum: number, one: typeof root) => sum + one.total_items_in_this_category,
    0,
  )
  t.equal(root.total_items_in_this_category, sum)
  const before = await counted('MLA3530')
  const created = await seller.post('/items', {
    ...{ title: 'Mate de calabaza', category_id: 'MLA3530', price: 12999, currency_id: 'ARS', available_quantity: 5 },
    ...{ buying_mode: 'buy_it_now', listing_type_id: 'free' },
  })
  t.equal(created.status, 201)
  t.equal(await counted('MLA3530'), before + 1)
  t.equal(await counted('MLA1953'), before + 1, 'with those above it')
  const car = (await read('/categories/MLA7024')).settings
  t.strictSame([car.buying_modes, car.vertical, car.catalog_domain], [['classified'], 'motors', 'MLA-CARS_AND_VANS'])
  for (const id of ['MLA1', 'XXX7001', 'MLA07001', 'MLA', '__proto__', 'MLAconstructor'])
    t.strictSame(await read(`/categories/${id}`), errorBody(404, 'not_found', `Category not found: ${id}`), id)
})

t.test('what a category asks for [spec: catalogue.attributes, catalogue.sale_terms]', async (t) => {
  const [brand, , colour, ...others] = await read('/categories/MLA7001/attributes')
  t.equal(
    JSON.stringify(brand),
    JSON.stringify({
      id: 'BRAND',
      name: 'Marca',
      tags: { required: true, catalog_required: true },
      hierarchy: 'PARENT_PK',
      relevance: 1,
      value_type: 'string',
      value_max_length: 255,
      values: [],
      allowed_units: [],
      default_unit: null,
      hint: null,
      tooltip: null,
      attribute_group_id: 'OTHERS',
      attribute_group_name: 'Otros',
    }),
  )
  t.strictSame([colour.tags, colour.values[0]], [{ allow_variations: true }, { id: '52049', name: 'Negro' }])
  t.strictSame(
    others.map(({ id }: { id: string }) => id),
    [
      ...['GTIN', 'SELLER_SKU', 'ITEM_CONDITION'],
      ...['PACKAGE_HEIGHT', 'PACKAGE_WIDTH', 'PACKAGE_LENGTH', 'PACKAGE_WEIGHT'],
    ],
  )
  for (const { id } of (await read('/categories/MLA1953')).children_categories)
    t.notOk(
      (await read(`/categories/${id}/attributes`)).some(({ tags }: typeof brand) => tags.required),
      id,
    )
  t.strictSame(await read('/categories/MLA1000/attributes'), [])
  const terms = await read('/categories/MLB7001/sale_terms')
  t.strictSame(names(terms), ['Tipo de garantia', 'Tempo de garantia', 'Disponibilidade de estoque'])
  t.strictSame(names(terms[1].allowed_units), ['dias', 'meses', 'anos'])
  // The rule of new listings and the attributes say the same.
  const refused = await seller.post('/items/validate', { title: 'Monoambiente', category_id: 'MLA7026', price: 9 })
  const missing = refused.body.cause.find(({ code }: { code: string }) => code === 'item.attributes.missing_required')
  t.equal(missing.message, 'The attributes [COVERED_AREA] are required for category [MLA7026]')
  const required = (await read('/categories/MLA7026/attributes')).filter(({ tags }: typeof brand) => tags.required)
  t.strictSame(names(required), ['Superficie cubierta'])
})

t.test(
  'forms, listing types and shipping of a category [spec: catalogue.specifications, catalogue.domains]',
  async (t) => {
    const { groups } = await read('/categories/MLA7001/technical_specs/input')
    t.strictSame(groups, [
      {
        id: 'MAIN',
        label: 'Características principales',
        relevance: 1,
        section: 'MAIN',
        components: (await read('/categories/MLA7001/attributes'))
          .slice(0, 4)
          .map((one: { id: string; name: string }) => ({
            component: one.id === 'COLOR' ? 'COMBO' : 'TEXT_INPUT',
            label: one.name,
            attributes: [one],
          })),
      },
    ])
    const { input, output } = await read('/domains/MLA-SPEAKERS/technical_specs')
    t.strictSame(input, { groups })
    t.equal(output.groups[0].components[0].component, 'TEXT_OUTPUT')
    t.strictSame(await read('/catalog_domains/MLA-SPEAKERS/categories'), [{ id: 'MLA7001', name: 'Parlantes' }])
    for (const id of ['MLA-X', 'XXX-SPEAKERS', 'MLASSPEAKERS', 'MLA-null'])
      t.strictSame(
        await read(`/catalog_domains/${id}/categories`),
        errorBody(404, 'not_found', `Domain not found: ${id}`),
      )
    t.strictSame((await read('/categories/MLB7001/listing_types'))[2], {
      site_id: 'MLB',
      id: 'gold_special',
      name: 'Clássico',
    })
    t.strictSame(await read('/categories/MLA7001/shipping_preferences'), {
      category_id: 'MLA7001',
      dimensions: { height: 10, width: 15, length: 20, weight: 500 },
      logistics: [
        { mode: 'me2', types: ['drop_off', 'self_service', 'cross_docking', 'fulfillment'] },
        { mode: 'not_specified', types: ['default'] },
      ],
      restricted: false,
    })
    t.strictSame((await read('/categories/MLA7026/shipping_preferences')).logistics, [
      { mode: 'not_specified', types: ['default'] },
    ])
  },
)

t.test('finds categories by a text [spec: catalogue.discovery, catalogue.predictor]', async (t) => {
  const search = (q: string, more = '') => read(`/sites/MLA/domain_discovery/search?q=${encodeURIComponent(q)}${more}`)
  t.strictSame(await search('PARLANTE negro', '&limit=1'), [
    {
      domain_id: 'MLA-SPEAKERS',
      domain_name: 'Parlantes',
      category_id: 'MLA7001',
      category_name: 'Parlantes',
      attributes: [{ id: 'COLOR', name: 'Color', value_id: '52049', value_name: 'Negro' }],
    },
  ])
  t.equal((await search('camaras seguridad'))[0].category_id, 'MLA7003')
  t.ok((await search('de con para electrodomésticos y accesorios ropa de cama organizadores')).length <= 4)
  t.strictSame([await search('zzzzz'), await search('de')], [[], []])
  const listing = await read('/items/MLA1400000001')
  t.equal((await search(listing.title))[0].category_id, listing.category_id, 'by the titles of listings')
  for (const [query, message] of [
    ['', 'q: is required, must be a text'],
    ['?q=a&limit=9', 'limit: must be an integer from 1 to 8'],
  ])
    t.strictSame(await read(`/sites/MLA/domain_discovery/search${query}`), errorBody(400, 'bad_request', message!))
  const predict = (title: string) => read(`/sites/MLA/category_predictor/predict?title=${title}`)
  t.strictSame(await predict('parlantes'), {
    ...{ id: 'MLA7001', name: 'Parlantes', prediction_probability: 1 },
    path_from_root: [
      { id: 'MLA1000', name: 'Electrónica, Audio y Video' },
      { id: 'MLA7001', name: 'Parlantes' },
    ],
    ...{ settings, shipping_modes: ['me2', 'not_specified', 'custom'] },
  })
  const none = await predict('zzzzz')
  t.strictSame([none.id, none.prediction_probability], ['MLA3530', 0])
})

t.test('needs no token, but no wrong one [spec: catalogue.auth]', async (t) => {
  t.equal((await call({ url: '/categories/MLA7001', headers: { authorization: 'Bearer x' } })).status, 401)
  t.strictSame((await seller.get('/categories/MLA7001?attributes=id')).body, { id: 'MLA7001' })
  t.match((await call('/categories/MLA7001?callback=f')).text, /f\(\[200,/)
})

t.test('listing types [spec: catalogue.listing_types, catalogue.listing_types.available]', async (t) => {
  const types = await read('/sites/MLB/listing_types')
  t.equal(types.length, 7)
  t.strictSame(types[0], { site_id: 'MLB', id: 'gold_pro', name: 'Premium' })
  t.strictSame(await read('/sites/MLA/listing_types/free'), {
    ...{ site_id: 'MLA', id: 'free', name: 'Gratuita', not_available_in_categories: [] },
    configuration: {
      ...{ name: 'Gratuita', listing_exposure: 'lowest', requires_picture: false, max_stock_per_item: 1 },
      duration_days: { buy_it_now: 60, auction: 7, classified: 60 },
    },
  })
  const unknown = errorBody(404, 'not_found', 'Listing type not found: x')
  t.strictSame(await read('/sites/MLA/listing_types/x'), unknown)
  const own = async (path: string) => (await seller.get(`/users/${seller.id}/${path}`)).body
  const { category_id, available } = await own('available_listing_types?category_id=MLA7001')
  t.strictSame(
    [category_id, available[6]],
    ['MLA7001', { site_id: 'MLA', id: 'free', name: 'Gratuita', remaining_listings: null }],
  )
  t.equal((await own('available_listing_types')).category_id, null)
  t.strictSame(await own('available_listing_types?category_id=x'), errorBody(404, 'not_found', 'Category not found: x'))
  t.strictSame(await own('available_listing_type/free'), { available: true, code: null, cause: null })
  t.strictSame(await own('available_listing_type/x'), unknown)
  t.strictSame((await seller.get(`/users/${other.id}/available_listing_types`)).body, FOREIGN)
  t.equal((await call(`/users/${seller.id}/available_listing_types`)).status, 401)
})

t.test(
  'what a sale costs is the fee of its order [spec: catalogue.listing_prices, catalogue.listing_prices.one]',
  async (t) => {
    const fees = '/sites/MLA/listing_prices'
    const { text } = await call(`${fees}?price=12999.5&listing_type_id=gold_pro&category_id=MLA7001&quantity=2`)
    t.equal(
      text,
      JSON.stringify({
        currency_id: 'ARS',
        free_relist: false,
        listing_exposure: 'highest',
        listing_fee_amount: 0,
        listing_fee_details: { fixed_fee: 0, gross_amount: 0 },
        listing_type_id: 'gold_pro',
        listing_type_name: 'Premium',
        mapping: 'gold_pro',
        requires_picture: true,
        sale_fee_amount: 5679.82,
        sale_fee_details: {
          ...{ financing_add_on_fee: 23, fixed_fee: 1000, gross_amount: 5679.82 },
          ...{ meli_percentage_fee: 13, percentage_fee: 36 },
        },
        stop_time: '2026-05-06T15:00:00.000Z',
      }),
    )
    const all = await read(`${fees}?price=100`)
    t.equal(all.length, 7)
    t.equal(all[6].sale_fee_amount, 0, 'free')
    t.equal((await read(`${fees}?price=100&listing_type_id=free`)).length, 1)
    const order = (await seller.get('/orders/search?seller=me&sort=date_desc')).body.results[0]
    const [{ item, unit_price, sale_fee, listing_type_id }] = order.order_items
    const asked = `price=${unit_price}&listing_type_id=${listing_type_id}&category_id=${item.category_id}`
    t.equal((await read(`${fees}?${asked}`)).sale_fee_amount, sale_fee)
    for (const [query, status, message] of [
      ['', 400, 'price: is required, must be a number such as 129999 or 12.5'],
      ['?price=1e3', 400, 'price: must be a number such as 129999 or 12.5'],
      ['?price=5&category_id=MLA1', 404, 'Category not found: MLA1'],
    ] as const)
      t.strictSame(
        await read(`${fees}${query}`),
        errorBody(status, status === 400 ? 'bad_request' : 'not_found', message),
      )
  },
)
