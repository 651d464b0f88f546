import t from 'tap'
import { start } from '../support/app.ts'

const { sellers, buyers, call } = await start(t)
const [seller] = sellers as [(typeof sellers)[0]]
const errorBody = (status: number, error: string, message: string) => ({ message, error, status, cause: [] })

t.test('lists currencies and reads one', async (t) => {
  const all = await call('/currencies')
  t.equal(all.status, 200)
  const codes = 'ARS BRL CLF CLP COP CRC DOP EUR MXN PAB PEN USD UYU VEF GTQ BOB HNL NIO PYG CUC'
  t.equal(all.body.map(({ id }: { id: string }) => id).join(' '), codes)
  t.equal(
    JSON.stringify((await call('/currencies/PYG')).body),
    '{"id":"PYG","description":"Guaraní","symbol":"₲","decimal_places":0}',
  )
  for (const id of ['XXX', 'ars', '__proto__'])
    t.strictSame(
      (await call(`/currencies/${id}`)).body,
      errorBody(404, 'not_found', `Currency with id ${id} not found`),
    )
})

t.test('lists sites and reads one [spec: sites.list, sites.read, sites.not_found]', async (t) => {
  const all = await call('/sites')
  t.equal(all.status, 200)
  t.equal(
    all.text,
    JSON.stringify(
      [
        ['MLA', 'Argentina', 'ARS'],
        ['MLB', 'Brasil', 'BRL'],
        ['MLM', 'Mexico', 'MXN'],
        ['MLC', 'Chile', 'CLP'],
        ['MCO', 'Colombia', 'COP'],
        ['MLU', 'Uruguay', 'UYU'],
        ['MPE', 'Perú', 'PEN'],
        ['MEC', 'Ecuador', 'USD'],
        ['MLV', 'Venezuela', 'VEF'],
        ['MBO', 'Bolivia', 'BOB'],
        ['MPY', 'Paraguay', 'PYG'],
        ['MCR', 'Costa Rica', 'CRC'],
        ['MPA', 'Panamá', 'PAB'],
        ['MRD', 'Dominicana', 'DOP'],
        ['MGT', 'Guatemala', 'GTQ'],
        ['MHN', 'Honduras', 'HNL'],
        ['MNI', 'Nicaragua', 'NIO'],
        ['MSV', 'El Salvador', 'USD'],
        ['MCU', 'Cuba', 'CUC'],
      ].map(([id, name, default_currency_id]) => ({ id, name, default_currency_id })),
    ),
  )
  for (const site of all.body) t.strictSame((await call(`/sites/${site.id}`)).body, site)
  t.strictSame((await call('/sites/MLB?attributes=name')).body, { name: 'Brasil' })
  t.strictSame((await call('/sites?attributes=id')).body[0], { id: 'MLA' })
  for (const id of ['MXX', 'mla', '__proto__'])
    t.strictSame((await call(`/sites/${id}`)).body, errorBody(404, 'not_found', `Site with id ${id} not found`))
  t.equal((await call({ method: 'HEAD', url: '/sites/MLA' })).status, 200)
  t.match((await call({ method: 'OPTIONS', url: '/sites/MLA' })).body, {
    name: 'Sites',
    connections: { default_currency_id: '/currencies/:id' },
  })
})

t.test('reads a listing', async (t) => {
  const { status, body } = await call('/items/MLA1400000001')
  t.equal(status, 200)
  t.strictSame(Object.keys(body), [
    'id',
    'site_id',
    'title',
    'seller_id',
    'price',
    'currency_id',
    'status',
    'permalink',
    'shipping',
    'date_created',
    'last_updated',
    'available_quantity',
  ])
  t.strictSame(Object.keys(body.shipping), ['mode', 'tags', 'logistic_type'])
  t.match(body, { id: 'MLA1400000001', site_id: 'MLA', seller_id: seller.id, currency_id: 'ARS', status: 'active' })
  for (const id of ['MLA1', 'nonsense', 'mla1400000001', 'MLA', `MLA${'1'.repeat(200)}`])
    t.strictSame((await call(`/items/${id}`)).body, errorBody(404, 'not_found', `Item with id ${id} not found`), id)
})

t.test('reads several listings, by GET or PUT', async (t) => {
  const [one, two] = ['MLA1400000001', 'MLA1400000002']
  const first = (await call(`/items/${one}`)).body
  const missing = { code: 404, body: errorBody(404, 'not_found', 'Item with id MLA9 not found') }
  for (const method of ['GET', 'PUT'] as const) {
    const many = await call({ method, url: `/items?ids=${two},MLA9,${one}` })
    t.equal(many.status, 200)
    t.equal(many.body[0].body.id, two, 'in the order of ids')
    t.strictSame(many.body[1], missing)
    t.strictSame(many.body[2], { code: 200, body: first })
    t.strictSame((await call({ method, url: `/items?ids=${two}&ids=MLA9&ids=${one}` })).body, many.body)
    t.strictSame((await call({ method, url: `/items?ids=${two}%2CMLA9%2C${one}` })).body, many.body)
    const status = await call({
      method,
      url: `/items?ids=${one},MLA9&attributes=status`,
      ...(method === 'PUT' && { payload: 'null' }),
    })
    t.equal(
      JSON.stringify(status.body),
      JSON.stringify([{ code: 200, body: { status: 'active' }, status: 'active' }, missing]),
    )
    t.strictSame((await call({ method, url: `/items?ids=${one}&attributes=id` })).body, [
      { code: 200, body: { id: one } },
    ])
  }
  const twenty = Array(20).fill(one).join(',')
  t.equal((await call(`/items?ids=${twenty}`)).body.length, 20)
  const bad = errorBody(400, 'bad_request', 'ids: must be 1 to 20 listing identifiers separated by commas')
  for (const url of [`/items?ids=${twenty},${one}`, '/items?ids=', '/items?ids=,'])
    t.strictSame((await call(url)).body, bad, url)
  t.strictSame(
    (await call('/items')).body,
    errorBody(400, 'bad_request', 'ids: is required, must be 1 to 20 listing identifiers separated by commas'),
  )
})

t.test('reads the user of the token', async (t) => {
  const { status, body } = await seller.get('/users/me')
  t.equal(status, 200)
  t.strictSame(Object.keys(body), [
    'id',
    'nickname',
    'site_id',
    'country_id',
    'email',
    'first_name',
    'last_name',
    'address',
    'user_type',
    'tags',
    'permalink',
    'seller_reputation',
    'status',
  ])
  t.strictSame(Object.keys(body.address), ['address', 'city', 'state', 'zip_code'])
  t.match(body, {
    id: seller.id,
    nickname: seller.nickname,
    site_id: 'MLA',
    country_id: 'AR',
    status: { site_status: 'active' },
  })
  t.match(body.seller_reputation.level_id, /^(5_green|4_light_green|3_yellow)$/)
  t.equal((await buyers[0]!.get('/users/me')).body.seller_reputation.level_id, null)
})

t.test('reads the public members of a user', async (t) => {
  const { body } = await call(`/users/${seller.id}`)
  t.strictSame(Object.keys(body), [
    'id',
    'nickname',
    'site_id',
    'country_id',
    'address',
    'user_type',
    'tags',
    'permalink',
    'seller_reputation',
    'status',
  ])
  t.strictSame(Object.keys(body.address), ['city', 'state'])
  for (const id of ['1', 'abc', '-1', '1.5', '9007199254740993'])
    t.strictSame((await call(`/users/${id}`)).body, errorBody(404, 'not_found', `User with id ${id} not found`), id)
})

t.test('creates a test user and rejects invalid bodies', async (t) => {
  const post = (payload: string) => call({ method: 'POST', url: '/users/test_user', payload })
  const created = await post('{"site_id":"MLB"}')
  t.equal(created.status, 201)
  t.strictSame(Object.keys(created.body), ['id', 'nickname', 'password', 'site_status'])
  t.equal(created.body.site_status, 'active')
  t.match((await call(`/users/${created.body.id}`)).body, {
    nickname: created.body.nickname,
    site_id: 'MLB',
    country_id: 'BR',
  })
  t.not((await post('{"site_id":"MLV"}')).body.id, created.body.id)
  const sites = 'MLA, MLB, MLM, MLC, MCO, MLU, MPE, MEC, MLV, MBO, MPY, MCR, MPA, MRD, MGT, MHN, MNI, MSV, MCU'
  const rows: [payload: string, message: string][] = [
    ['{"site_id":"XXX"}', `site_id: must be one of ${sites}`],
    ['{"site_id":null}', `site_id: must be one of ${sites}`],
    ['{}', `site_id: is required, must be one of ${sites}`],
    ['[]', 'body: must be a JSON object with site_id'],
    ['null', 'body: must be a JSON object with site_id'],
    ['{', 'body: must be JSON'],
    ['', 'body: must be JSON'],
  ]
  for (const [payload, message] of rows)
    t.strictSame((await post(payload)).body, errorBody(400, 'bad_request', message), payload)
})
