import t from 'tap'
import { badRequest, bearer, errorBody, NOON, notFound, start, valuesOf } from '../support/app.ts'
import { shippingOf } from '../support/items.ts'
import { reputationNumbers } from '../support/reputation.ts'

const app = await start(t)
const { control, call, sellers, application } = app

const getAs = (token: string, url: string) => call({ url, headers: bearer(token) })

const LUCIA = {
  site_id: 'MLA',
  id: 4100200300,
  nickname: 'TIENDA "LUCÍA" <b>',
  password: 'secreta 1',
  email: 'lucia@example.com',
  first_name: 'Lucía',
  last_name: 'Fernández',
  phone: '+54 11 5555-0123',
  address: { address: 'Av. Rivadavia 4100', city: 'Buenos Aires', state: 'AR-C', zip_code: '1424' },
  level_id: '5_green',
  power_seller_status: 'gold',
  sales_completed: 120,
  sales_canceled: 3,
  tags: ['normal', 'mshops'],
  status: 'active',
}

t.test('creates a user with all given members', async (t) => {
  const { status, body } = await control('POST /users', LUCIA)
  t.equal(status, 201)
  const { token, ...rest } = body
  const { id, nickname, site_id, email, first_name, last_name, address } = LUCIA
  const owner = {
    id,
    nickname,
    registration_date: '2026-03-07T11:00:00.000-04:00',
    site_id,
    country_id: 'AR',
    email,
    first_name,
    last_name,
    identification: { type: 'CUIT', number: '30701883728' },
    address,
    phone: { area_code: '11', number: '5555-0123', extension: '', verified: false },
    user_type: 'normal',
    tags: ['normal', 'mshops', 'test_user'],
    logo: null,
    points: 120,
    permalink: 'https://perfil.example.com/TIENDA%20%22LUC%C3%8DA%22%20%3Cb%3E',
    thumbnail: null,
    seller_experience: 'ADVANCED',
    seller_reputation: {
      level_id: '5_green',
      power_seller_status: 'gold',
      ...reputationNumbers({ canceled: 3, completed: 120 }),
    },
    status: { site_status: 'active' },
  }
  t.strictSame(rest, {
    ...owner,
    phone: '+54 11 5555-0123',
    password: 'secreta 1',
    registration_date: '2026-03-07T15:00:00.000Z',
    operator: false,
    me2: false,
    flex_lacks: 'listings',
  })
  t.strictSame(Object.keys(body), [...Object.keys(owner), ...Object.keys(rest).slice(20), 'token'], 'in this order')
  t.match(token, /^APP_USR-1\d{9}-030715-00000001[0-9a-f]{24}-4100200300$/)
  t.equal((await getAs(token, '/users/me')).text, JSON.stringify(owner), 'the public API shows the same')
  t.strictSame((await control('GET /users/4100200300')).body, body)
  const page = await call(
    `/authorization?response_type=code&client_id=${application.id}&redirect_uri=${encodeURIComponent(application.redirect_uri)}`,
  )
  t.match(
    page.text,
    'value="4100200300">TIENDA &quot;LUCÍA&quot; &lt;b&gt; <small class="muted"><span data-text="seller">seller</span> · MLA',
  )
})

t.test('fills in missing members', async (t) => {
  const { status, body } = await control('POST /users', { site_id: 'MLB' })
  t.equal(status, 201)
  t.match(body.nickname, /^TEST[0-9A-F]{8}$/)
  t.match(body.password, /^qatest[0-9a-f]{10}$/)
  const { id, tags, seller_reputation, address, country_id } = body
  t.strictSame([id, tags, country_id], [4100200301, ['normal', 'test_user'], 'BR'])
  t.strictSame(seller_reputation, { level_id: null, power_seller_status: null, ...reputationNumbers() })
  t.strictSame(address, { address: '', city: '', state: '', zip_code: '' })
  const partial = await control('POST /users', { site_id: 'MLB', address: { city: 'São Paulo' } })
  t.strictSame(partial.body.address, { address: '', city: 'São Paulo', state: '', zip_code: '' })
})

t.test('rejects ids and nicknames in use', async (t) => {
  const duplicate = await control('POST /users', { site_id: 'MLA', id: 4100200300 })
  t.strictSame(
    [duplicate.status, duplicate.body],
    [409, errorBody(409, 'conflict', 'id: user 4100200300 exists already')],
  )
  const sameNickname = await control('POST /users', { site_id: 'MLA', nickname: 'TIENDA "LUCÍA" <b>' })
  t.strictSame(sameNickname.body, errorBody(409, 'conflict', 'nickname: another user has it'))
  const rejectedChange = await control(`PATCH /users/${sellers[1]!.id}`, {
    nickname: sellers[0]!.nickname,
    first_name: 'No',
  })
  t.strictSame(rejectedChange.body, errorBody(409, 'conflict', 'nickname: another user has it'))
  t.not((await control(`GET /users/${sellers[1]!.id}`)).body.first_name, 'No', 'nothing was written')
  const kept = await control('PATCH /users/4100200300', { nickname: LUCIA.nickname })
  t.equal(kept.status, 200, 'a user may keep its own nickname')

  const last = await control('POST /users', { site_id: 'MLA', id: Number.MAX_SAFE_INTEGER })
  t.equal(last.body.id, 9007199254740991)
  const next = await control('POST /users', { site_id: 'MLA' })
  t.equal(next.status, 201, 'after the largest id the next one follows the largest below it')
  t.ok(next.body.id < 4100200400 && next.body.id > 4100200300)
  const created = await call({ method: 'POST', url: '/users/test_user', payload: '{"site_id":"MLA"}' })
  t.equal(created.body.id, next.body.id + 1, 'the public call continues the ids')
})

t.test('of concurrent creations with the same id or nickname one succeeds', async (t) => {
  const members = [{ nickname: 'UNICA' }, { id: 4100200555 }]
  for (const member of members) {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => control('POST /users', { site_id: 'MLA', ...member })),
    )
    t.strictSame(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409])
  }
})

t.test('generated values avoid chosen ones', async (t) => {
  const { control, seller } = await app.createWorld({ scenario: 'empty', now: NOON })
  const { id } = seller
  const { token } = (await control('POST /tokens', { user_id: id })).body
  const { nickname } = (await control('POST /users', { site_id: 'MLA' })).body
  await control('POST /reset')
  t.equal((await control('POST /tokens', { user_id: id, token })).status, 201)
  t.equal((await control(`PATCH /users/${id}`, { nickname })).status, 200)
  // The same calls as before the reset, which would generate the same values.
  const other = await control('POST /tokens', { user_id: id })
  t.equal(other.status, 201)
  t.not(other.body.token, token)
  const created = await control('POST /users', { site_id: 'MLA' })
  t.equal(created.status, 201)
  t.not(created.body.nickname, nickname)
})

t.test('rejects invalid users', async (t) => {
  const before = (await control('GET /users?limit=0')).body
  const rows: [member: Record<string, unknown>, message: string][] = [
    [
      { site_id: 'MLX' },
      'site_id: must be one of MLA, MLB, MLM, MLC, MCO, MLU, MPE, MEC, MLV, MBO, MPY, MCR, MPA, MRD, MGT, MHN, MNI, MSV, MCU',
    ],
    [{ email: 'lucia' }, 'email: must be a mail address'],
  ]
  for (const [member, message] of rows) {
    t.strictSame((await control('POST /users', { site_id: 'MLA', ...member })).body, badRequest(message))
    t.strictSame((await control('PATCH /users/4100200300', member)).body, badRequest(message))
  }
  const id = 'id: must be an integer from 1 to 9007199254740991'
  for (const wrong of [0, -1, 1.5, 9007199254740992, 'a', null])
    t.strictSame((await control('POST /users', { site_id: 'MLA', id: wrong })).body, badRequest(id))
  t.match((await control('POST /users', {})).body.message, /^site_id: is required, must be one of MLA/)
  t.strictSame((await control('POST /users', 'x')).body, badRequest('body: must be JSON'))
  for (const [change, message] of [[{ me2: 'yes' }, 'me2: must be true or false']] as const)
    t.strictSame((await control('PATCH /users/4100200300', change)).body, badRequest(message))
  for (const id of ['5', 'x', '9007199254740993']) {
    const missing = notFound(`User with id ${id} not found`)
    t.strictSame((await control(`GET /users/${id}`)).body, missing)
    t.strictSame((await control(`PATCH /users/${id}`, { first_name: 'A' })).body, missing)
  }
  t.strictSame((await control('GET /users?limit=0')).body, before, 'no user was created')
})

t.test('counts listings and questions of users on demand', async (t) => {
  const total = async (query: string) => (await control(`GET /${query}&limit=0`)).body.paging.total
  for (const [kind, member] of [
    ['seller', 'seller_id'],
    ['buyer', 'from'],
  ] as const) {
    const { results } = (await control(`GET /users?kind=${kind}&counts=true&limit=3`)).body
    for (const { id, listings, questions, ...user } of results) {
      t.strictSame(
        [listings, questions],
        [await total(`items?seller_id=${id}`), await total(`questions?${member}=${id}`)],
      )
      t.strictSame((await control(`GET /users/${id}`)).body, { id, ...user })
    }
    t.ok(
      results.some((one: { questions: number }) => one.questions > 0),
      kind,
    )
  }
})

t.test('lists by id, filtered and paged', async (t) => {
  const all = (await control('GET /users?limit=1000')).body
  t.equal(all.paging.total, all.results.length)
  const ids = valuesOf(all.results, 'id')
  const ascending = [...new Set<number>(ids)].sort((a, b) => a - b)
  t.strictSame(ids, ascending)
  for (const kind of ['seller', 'buyer'])
    for (const site of ['', '&site_id=MLB']) {
      const { paging, results } = (await control(`GET /users?limit=1000&kind=${kind}${site}`)).body
      const expected = all.results.filter(
        (user: { site_id: string; seller_reputation: { level_id: string | null } }) =>
          (user.seller_reputation.level_id !== null) === (kind === 'seller') && (!site || user.site_id === 'MLB'),
      )
      t.ok(expected.length > 0)
      t.strictSame(results, expected)
      t.equal(paging.total, expected.length)
    }
  t.strictSame((await control('GET /users?site_id=MLA&limit=2&offset=1')).body, {
    paging: { total: (await control('GET /users?site_id=MLA&limit=0')).body.paging.total, limit: 2, offset: 1 },
    results: all.results.filter((user: { site_id: string }) => user.site_id === 'MLA').slice(1, 3),
  })
  t.equal((await control('GET /users?kind=shop')).body.message, 'kind: must be one of seller, buyer')
  const [listedSeller] = all.results.filter(({ id }: { id: number }) => id === sellers[0]!.id)
  t.strictSame(
    { token: listedSeller.token, me2: listedSeller.me2, flex_lacks: listedSeller.flex_lacks },
    { token: sellers[0]!.token, me2: true, flex_lacks: null },
  )
  const crowd = all.results.filter(({ token }: { token: string | null }) => token === null)
  t.ok(crowd.length > 300, 'users of the crowd have no token')
})

t.test('changes only the given members', async (t) => {
  const { id, token } = (await control('POST /users', { site_id: 'MLC', address: { city: 'Santiago' } })).body
  const before = (await control(`GET /users/${id}`)).body
  t.strictSame((await control(`PATCH /users/${id}`, {})).body, before)
  const changed = await control(`PATCH /users/${id}`, {
    nickname: 'NUEVA\ud800',
    address: { zip_code: '8320000' },
    level_id: '3_yellow',
    tags: ['normal'],
    status: 'deactive',
  })
  t.strictSame(changed.body, {
    ...before,
    nickname: 'NUEVA\ufffd',
    permalink: 'https://perfil.example.com/NUEVA%EF%BF%BD',
    address: { ...before.address, zip_code: '8320000' },
    seller_reputation: { ...before.seller_reputation, level_id: '3_yellow' },
    seller_experience: 'ADVANCED',
    tags: ['normal'],
    status: { site_status: 'deactive' },
  })
  const without = await control(`PATCH /users/${id}`, { level_id: null })
  t.strictSame(without.body.seller_reputation, before.seller_reputation)
  const moved = await control(`PATCH /users/${id}`, { site_id: 'MCO' })
  t.strictSame([moved.body.site_id, moved.body.country_id], ['MCO', 'CO'])
  t.equal((await getAs(token, '/users/me')).body.site_id, 'MCO')
  const fixed = badRequest('site_id: cannot be changed for a user with listings or Flex')
  t.strictSame((await control(`PATCH /users/${sellers[0]!.id}`, { site_id: 'MLB' })).body, fixed)
  t.equal((await control(`PATCH /users/${sellers[0]!.id}`, { site_id: 'MLA' })).status, 200, 'its own site')
})

t.test('shows the first unmet condition of Flex', async (t) => {
  const { id } = (await control('POST /users', { site_id: 'MLA' })).body
  const lacks = async (change: object) => {
    const { me2, flex_lacks } = (await control(`PATCH /users/${id}`, change)).body
    return [me2, flex_lacks]
  }
  t.strictSame(await lacks({}), [false, 'listings'])
  t.equal((await control('POST /items', { seller_id: id, shipping_mode: 'custom' })).status, 201)
  t.strictSame(await lacks({}), [false, 'listings'])
  t.strictSame(await lacks({ me2: true }), [true, 'reputation'])
  t.strictSame(await lacks({ level_id: '2_orange' }), [true, 'reputation'])
  t.strictSame(await lacks({ level_id: '4_light_green' }), [true, 'address'])
  t.strictSame(await lacks({ address: { city: 'Mendoza' } }), [true, 'address'])
  t.strictSame(await lacks({ address: { city: 'córdoba' } }), [true, 'activation'])
  t.strictSame(await lacks({ me2: false }), [false, 'listings'])
})

t.test('a seller who leaves ME2 and returns is no longer in Flex', async (t) => {
  const seller = sellers[1]!
  const read = async (id: string) => (await call(`/items/${id}`)).body
  t.strictSame((await read('MLB1400000001')).shipping.tags, ['self_service_in'])
  const { last_updated, status } = await read('MLB1400000001')
  t.equal((await control(`PATCH /users/${seller.id}`, { me2: false })).body.flex_lacks, 'listings')
  for (const id of ['MLB1400000001', 'MLB1400000009', 'MLB1400000014']) {
    const { local_pick_up } = (await read(id)).shipping
    const shipping = { ...shippingOf('not_specified'), local_pick_up }
    t.strictSame((await read(id)).shipping, shipping, 'applies to all of its listings')
  }
  t.not((await read('MLB1400000001')).last_updated, last_updated)
  t.equal((await read('MLB1400000001')).status, status)
  const rejected = await seller.post('/sites/MLB/shipping/selfservice/items/MLB1400000001')
  t.strictSame(rejected.body, errorBody(403, 'forbidden', 'item down'))
  t.strictSame((await read('MLA1400000001')).shipping.mode, 'me2', 'does not apply to other sellers')
  t.equal((await control(`PATCH /users/${seller.id}`, { me2: true })).body.flex_lacks, null)
  t.strictSame((await read('MLB1400000001')).shipping, shippingOf('me2'))
  t.equal((await seller.post('/sites/MLB/shipping/selfservice/items/MLB1400000001')).status, 204)
})

t.test('a user of one world does not exist in another', async (t) => {
  const world = await app.createWorld({ scenario: 'empty' })
  const { body } = await world.control('POST /users', { site_id: 'MLA', id: 77, level_id: '1_red' })
  t.match(body.token, /^APP_USR-3\d{9}-.*-00000003/)
  t.equal((await getAs(body.token, '/users/me')).body.id, 77)
  t.equal((await control('GET /users/77')).status, 404)
  const info = (await control('GET /worlds/3')).body
  t.strictSame(info.sellers.at(0), { id: 77, site_id: 'MLA', nickname: body.nickname, token: body.token })
})
