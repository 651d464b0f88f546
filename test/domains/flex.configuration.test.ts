import t from 'tap'
import { DAY, NOW, start } from '../support/app.ts'
import { configurationQuery, errors, flexFixtures, HOME, paths, type Seller } from '../support/flex.ts'
import { expectAnswer, FOREIGN } from '../support/questions.ts'

const app = await start(t)
const { world, call } = app
const fixtures = flexFixtures(app)
const { createSeller, createListing, createFlexSeller, createSubscription, setUser, setSubscription } = fixtures
const setClock = (ms: number) => {
  world.clock.applySetting({ mode: 'frozen', ms })
}
t.beforeEach(() => setClock(NOW))

const MLA = paths.configuration('MLA')

const ana = await createFlexSeller()
const { seller, flex, turbo } = ana
const pair = `user_id: ${seller.id}, service_id: ${flex.service_id}`

/** Sends a query text with further members of the body. */
const ask = (query: string, members: object = {}, as: Seller = seller) => as.post(MLA, { query, ...members })
const WINDOW = { configuration: { delivery_window: 'same_day' } }
const RADIUS_ALIAS = { configuration: { radius: 'same_day' } }

const INT = `query ($user: Int, $service: Int) { configuration(user_id: $user, service_id: $service) { delivery_window } }`
const VALUES = { user: seller.id, service: flex.service_id }

// Whole configurations are among the recorded answers; test/properties/flex.test.ts makes queries of any form.

t.test('answers queries with what clients send around them', async (t) => {
  const field = `configuration(${pair}) { delivery_window }`
  const two = `query A { a: ${field} } query B { b: ${field} }`
  const flag = `query ($on: Boolean!) { configuration(${pair}) { radius delivery_window @include(if: $on) address @skip(if: $on) { zip_code } } }`
  const on = { configuration: { radius: null, delivery_window: 'same_day' } }
  const rows: [name: string, query: string, members: object, body: object][] = [
    ['only __typename', '{ __typename }', {}, { __typename: 'Query' }],
    ['an alias that is another field', `{ configuration(${pair}) { radius: delivery_window } }`, {}, RADIUS_ALIAS],
    ['variables of another order', INT, { variables: { service: flex.service_id, user: seller.id } }, WINDOW],
    ['undeclared variables', INT, { variables: { ...VALUES, more: [1] } }, WINDOW],
    ['a flag on', flag, { variables: { on: true } }, on],
    [
      'a flag off',
      flag,
      { variables: { on: false } },
      { configuration: { radius: null, address: { zip_code: '1043' } } },
    ],
    ['no name', `{ ${field} }`, { operationName: null }, WINDOW],
    ['an empty name', `query Mine { ${field} }`, { operationName: '' }, WINDOW],
    ['the first of two', two, { operationName: 'A' }, { a: { delivery_window: 'same_day' } }],
    ['the second of two', two, { operationName: 'B' }, { b: { delivery_window: 'same_day' } }],
    ['variables null', `{ ${field} }`, { variables: null }, WINDOW],
    ['variables empty', `{ ${field} }`, { variables: {} }, WINDOW],
    ['other members', `{ ${field} }`, { extensions: { a: 1 }, id: 7, query_: '' }, WINDOW],
  ]
  for (const round of ['', ', again'])
    for (const [name, query, members, body] of rows) expectAnswer(t, await ask(query, members), 200, body, name + round)
})

t.test('rejects invalid GraphQL syntax', async (t) => {
  const rows = [
    '',
    ' ',
    '\n,,',
    '# nada',
    '{',
    '}',
    '{}',
    '{ configuration',
    '{ configuration() { radius } }',
    `{ configuration(${pair}) {} }`,
    `{ configuration(${pair}) { radius address {} } }`,
    `{ configuration(${pair}) { radius ... {} } }`,
    `{ configuration(${pair}) { radius ...A } } fragment A on Configuration {}`,
    `query A { configuration(${pair}) { radius } } query B {}`,
    `{ configuration(${pair}) { radius }`,
    `{ configuration(${pair}) { radius } }}`,
    `{ configuration(user_id = 1) { radius } }`,
    'configuration { radius }',
    'consulta { configuration { radius } }',
    `{ configuration(user_id: 1.) { radius } }`,
    `{ configuration(user_id: 01) { radius } }`,
    `{ configuration(user_id: "1) { radius } }`,
    `{ configuration(${pair}) { ... } }`,
    'query ($a) { __typename }',
    'fragment on on Query { __typename }',
    '{ día }',
    'null',
    '7',
  ]
  for (const query of rows) expectAnswer(t, await ask(query), 400, errors.invalidQuery, query)
})

t.test('rejects queries that do not match the schema', async (t) => {
  const ok = `configuration(${pair}) { radius }`
  const two = `query A { ${ok} } query B { ${ok} }`
  const variables = (more: unknown) => ({ variables: more })
  const rows: [name: string, query: string, members?: object][] = [
    ['an unknown root', '{ subscriptions { id } }'],
    ['an unknown field', `{ configuration(${pair}) { color } }`],
    ['an unknown field inside', `{ configuration(${pair}) { address { planet } } }`],
    ['another case', `{ configuration(${pair}) { Radius } }`],
    ['no selection', `{ configuration(${pair}) }`],
    ['no selection inside', `{ configuration(${pair}) { address } }`],
    ['a selection of a text', `{ configuration(${pair}) { delivery_window { id } } }`],
    ['no arguments', '{ configuration { radius } }'],
    ['no service', `{ configuration(user_id: ${seller.id}) { radius } }`],
    ['no user', `{ configuration(service_id: ${flex.service_id}) { radius } }`],
    ['null', `{ configuration(user_id: null, service_id: ${flex.service_id}) { radius } }`],
    ['one more argument', `{ configuration(${pair}, site_id: "MLA") { radius } }`],
    ['an argument of a field', `{ configuration(${pair}) { radius(unit: 1) } }`],
    ['an argument twice', `{ configuration(${pair}, user_id: 1) { radius } }`],
    ['a string', `{ configuration(user_id: "${seller.id}", service_id: 1) { radius } }`],
    ['a block string', `{ configuration(user_id: """${seller.id}""", service_id: 1) { radius } }`],
    ['a fraction', `{ configuration(user_id: 1.0, service_id: 1) { radius } }`],
    ['a list', `{ configuration(user_id: [1], service_id: 1) { radius } }`],
    ['a boolean', `{ configuration(user_id: true, service_id: 1) { radius } }`],
    ['a word', `{ configuration(user_id: ME, service_id: 1) { radius } }`],
    ['too large', `{ configuration(user_id: 9007199254740992, service_id: 1) { radius } }`],
    ['too small', `{ configuration(user_id: -9007199254740992, service_id: 1) { radius } }`],
    ['far too large', `{ configuration(user_id: ${'9'.repeat(400)}, service_id: 1) { radius } }`],
    ['two roots of one name', `{ ${ok} configuration(user_id: 1, service_id: 2) { radius } }`],
    ['two fields of one name', `{ configuration(${pair}) { a: radius a: delivery_window } }`],
    ['an unknown fragment', `{ configuration(${pair}) { ...Some } }`],
    ['an unused fragment', `{ ${ok} } fragment Some on Configuration { radius }`],
    ['only a fragment', 'fragment Some on Configuration { radius }'],
    ['a fragment of another type', `{ configuration(${pair}) { ... on Address { id } } }`],
    ['a fragment of no type', `{ configuration(${pair}) { ... on Nothing { id } } }`],
    [
      'a fragment that contains itself',
      `{ configuration(${pair}) { ...A } } fragment A on Configuration { radius ...A }`,
    ],
    [
      'two fragments that contain each other',
      `{ configuration(${pair}) { ...A } } fragment A on Configuration { ...B } fragment B on Configuration { ...A }`,
    ],
    [
      'a nested fragment that contains itself',
      `{ configuration(${pair}) { address { ...A } } } fragment A on Address { city { ...A } }`,
    ],
    ['an unknown directive', `{ configuration(${pair}) { radius @hide } }`],
    ['a directive without its argument', `{ configuration(${pair}) { radius @skip } }`],
    ['a mutation', `mutation { ${ok} }`],
    ['a subscription', `subscription { ${ok} }`],
    ['a type', 'type A { a: Int }'],
    ['a query and a type', `{ ${ok} } type A { a: Int }`],
    ['introspection', '{ __schema { types { name } } }'],
    ['introspection of a type', '{ __type(name: "Query") { name } }'],
    ['introspection next to a query', `{ ${ok} __schema { queryType { name } } }`],
    ['an unknown name', `query Mine { ${ok} }`, { operationName: 'mine' }],
    ['an operation name for an anonymous query', `{ ${ok} }`, { operationName: 'Mine' }],
    ['two operations and no name', two],
    ['two operations and null', two, { operationName: null }],
    ['two operations and an empty name', two, { operationName: '' }],
    ['two operations of one name', `query A { ${ok} } query A { ${ok} }`, { operationName: 'A' }],
    ['two operations, one of them anonymous', `query A { ${ok} } { ${ok} }`, { operationName: 'A' }],
    ['a name that is not a string', `{ ${ok} }`, { operationName: 7 }],
    ['a name that is false', `{ ${ok} }`, { operationName: false }],
    ['a name in a list', `query A { ${ok} }`, { operationName: ['A'] }],
    ['variables that are not an object', `{ ${ok} }`, variables('{}')],
    ['variables in a list', `{ ${ok} }`, variables([])],
    ['variables of a number', `{ ${ok} }`, variables(0)],
    ['variables of false', `{ ${ok} }`, variables(false)],
    ['variables missing', INT],
    ['variables null', INT, variables(null)],
    ['a variable missing', INT, variables({ user: seller.id })],
    ['a variable null', INT, variables({ ...VALUES, service: null })],
    ...[String(seller.id), 1.5, [seller.id], { id: 1 }, true, 2 ** 53, -(2 ** 53), 1e300, ''].flatMap(
      (user): [string, string, object][] => [
        [`a variable ${JSON.stringify(user)}`, INT, variables({ ...VALUES, user })],
        [`a needed variable ${JSON.stringify(user)}`, INT.replaceAll('Int', 'Int!'), variables({ ...VALUES, user })],
      ],
    ),
    ['a needed variable missing', INT.replaceAll('Int', 'Int!'), variables({ user: seller.id })],
    ['a needed variable null', INT.replaceAll('Int', 'Int!'), variables({ ...VALUES, user: null })],
    ['a variable of another type', INT.replaceAll('Int', 'String'), variables({ user: 'a', service: 'b' })],
    ['a variable of no type', INT.replaceAll('Int', 'Long'), variables(VALUES)],
    [
      'a variable that is not declared',
      'query ($user: Int) { configuration(user_id: $user, service_id: $s) { radius } }',
    ],
    ['an unused variable', `query ($user: Int) { ${ok} }`, variables({ user: 1 })],
    [
      'a flag that is a number',
      `query ($on: Boolean!) { configuration(${pair}) { radius @skip(if: $on) } }`,
      variables({ on: 1 }),
    ],
  ]
  for (const [name, query, members] of rows) expectAnswer(t, await ask(query, members), 400, errors.notOfSchema, name)
})

t.test('accepts integers of 53 bits', async (t) => {
  t.ok(seller.id > 2 ** 31, 'user ids have more than 32 bits')
  const MAX = Number.MAX_SAFE_INTEGER
  for (const id of [0, -1, 2 ** 31, 2 ** 32, MAX, -MAX]) {
    expectAnswer(t, await ask(configurationQuery(id, flex.service_id)), 404, errors.noUser, String(id))
    expectAnswer(t, await ask(INT, { variables: { user: id, service: 1 } }), 404, errors.noUser, `${id} in a variable`)
    expectAnswer(t, await ask(configurationQuery(seller.id, id)), 404, errors.noPair, `service ${id}`)
  }
})

t.test('accepts the largest service id', async (t) => {
  const { seller, flex } = await createFlexSeller()
  const MAX = Number.MAX_SAFE_INTEGER
  await setSubscription(flex.id, { service_id: MAX })
  expectAnswer(
    t,
    await ask(configurationQuery(seller.id, MAX, '{ subscription { user_id service_id } }'), {}, seller),
    200,
    {
      configuration: { subscription: { user_id: seller.id, service_id: MAX } },
    },
  )
  await setSubscription(flex.id, { service_id: flex.service_id })
})

t.test('limits depth and aliases through fragments', async (t) => {
  const nested = (n: number) => `${'{ a '.repeat(n)}${'}'.repeat(n)}`
  const fragments = (n: number) =>
    `{ ...A } fragment A on Query { a { ... { ...B } } } fragment B on Query ${nested(n - 1)}`
  expectAnswer(t, await ask(fragments(10)), 400, errors.notOfSchema, 'depth 10')
  expectAnswer(t, await ask(fragments(11)), 400, errors.invalidQuery, 'depth 11')
  const aliases = (n: number) => Array.from({ length: n }, (_, i) => `a${i}: radius`).join(' ')
  const split = (n: number) =>
    `{ configuration(${pair}) { ...A ${aliases(25)} } } fragment A on Configuration { ${aliases(n)} }`
  t.equal((await ask(split(25))).status, 200, '50 aliases in two places')
  expectAnswer(t, await ask(split(26)), 400, errors.invalidQuery, '51 aliases in two places')
})

t.test('counts training days down by the clock', async (t) => {
  const one = await createSeller()
  await createListing(one)
  const { id, service_id } = await createSubscription(one, 'FLEX', 'pending', 14)
  const SELECTED =
    '{ subscription { status { id } training_times { original { value unit } remaining { value unit } activation_date } } }'
  const readConfiguration = async () =>
    (await ask(configurationQuery(one.id, service_id, SELECTED), {}, one)).body.configuration.subscription
  const times = (daysLeft: number) => ({
    original: { value: 14, unit: 'day' },
    remaining: { value: daysLeft, unit: 'day' },
    activation_date: '2026-03-21T15:00:00Z',
  })
  const rows: [after: number, daysLeft: number][] = [
    [0, 14],
    [1, 14],
    [DAY - 1, 14],
    [DAY, 13],
    [DAY + 1, 13],
    [7 * DAY, 7],
    [13 * DAY, 1],
    [14 * DAY - 1, 1],
    [14 * DAY, 0],
    [15 * DAY, 0],
    [400 * DAY, 0],
    [-3 * DAY, 14],
  ]
  for (const [after, daysLeft] of rows) {
    setClock(NOW + after)
    t.strictSame(
      await readConfiguration(),
      { status: { id: 'pending' }, training_times: times(daysLeft) },
      `after ${after} ms`,
    )
  }
  setClock(NOW)
  for (const status of ['in', 'out'] as const) {
    await setSubscription(id, { status })
    t.strictSame(await readConfiguration(), { status: { id: status }, training_times: null }, status)
  }
  await setSubscription(id, { status: 'pending', training_days: null })
  t.strictSame(await readConfiguration(), { status: { id: 'pending' }, training_times: null }, 'no training')

  const beginner = app.sellers.find(({ site_id }) => site_id === 'MPE')!
  const [{ service_id: otherFlex }] = (await beginner.get(paths.subscriptions('MPE', beginner.id))).body
  const { body } = await beginner.post(paths.configuration('MPE'), {
    query: configurationQuery(beginner.id, otherFlex, SELECTED),
  })
  t.match(body.configuration.subscription, {
    status: { id: 'pending' },
    training_times: { original: { value: 14, unit: 'day' }, remaining: { unit: 'day' } },
  })
})

t.test('answers the current state, not an earlier one', async (t) => {
  const { seller: one, flex: row } = await createFlexSeller()
  const query = configurationQuery(
    one.id,
    row.service_id,
    '{ address { city { id name } } subscription { status { id } } delivery_window is_moderated zones { id } }',
  )
  const readConfiguration = async () => (await ask(query, {}, one)).body.configuration
  const city = { id: 'TUxBQ0JVRU5PU0FJ', name: 'Buenos Aires' }
  t.match(await readConfiguration(), {
    address: { city },
    delivery_window: 'same_day',
    is_moderated: false,
    zones: { length: 11 },
  })
  await setSubscription(row.id, { is_moderated: 1, delivery_window: 'next_day', status: 'out' })
  t.match(await readConfiguration(), {
    subscription: { status: { id: 'out' } },
    delivery_window: 'next_day',
    is_moderated: true,
  })
  await setUser(one.id, { address: JSON.stringify({ ...HOME, city: 'Córdoba' }) })
  t.match(await readConfiguration(), {
    address: { city: { name: 'Córdoba' } },
    zones: { 0: { id: 'Cordoba_Centro' }, length: 7 },
  })
  await setUser(one.id, { address: JSON.stringify({ ...HOME, city: 'Ushuaia' }) })
  t.match(await readConfiguration(), { address: { city: { name: 'Ushuaia' } }, zones: { length: 0 } })
  expectAnswer(t, await ask(query), 403, FOREIGN, 'another caller with the same query')
  expectAnswer(t, await one.post(paths.configuration('MLB'), { query }), 404, errors.noPair, 'on another site')
  expectAnswer(t, await call({ method: 'POST', url: MLA, payload: JSON.stringify({ query }) }), 401, {
    message: 'authorization value not present',
    error: 'unauthorized',
    status: 401,
    cause: [],
  })
  t.match(await readConfiguration(), { delivery_window: 'next_day' }, 'the owner still gets its answer')
  await setSubscription(row.id, { service_id: 999_999 })
  expectAnswer(t, await ask(query, {}, one), 404, errors.noPair, 'the service is gone')
  await setSubscription(row.id, { service_id: row.service_id })

  const both = `{ a: configuration(${pair}) { radius } b: configuration(user_id: ${seller.id}, service_id: ${turbo.service_id}) { radius } }`
  expectAnswer(t, await ask(both), 200, { a: { radius: null }, b: { radius: 3000 } })
  await setSubscription(turbo.id, { radius: 4000 })
  expectAnswer(t, await ask(both), 200, { a: { radius: null }, b: { radius: 4000 } }, 'the second of two has changed')
  await setSubscription(turbo.id, { radius: 3000 })

  const variables = (user: number, service: number) => ({ variables: { user, service } })
  expectAnswer(t, await ask(INT, variables(seller.id, flex.service_id)), 200, WINDOW)
  expectAnswer(t, await ask(INT, variables(seller.id, 1)), 404, errors.noPair, 'the same query with other variables')
  expectAnswer(t, await ask(INT, variables(one.id, row.service_id), one), 200, {
    configuration: { delivery_window: 'next_day' },
  })
})
