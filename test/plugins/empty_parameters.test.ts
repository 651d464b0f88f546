import t from 'tap'
import { type Answer, badRequest, errorBody, ITEM, start } from '../support/app.ts'

const app = await start(t)
const { call, control, application, seller } = app
const INSTANT = 'must be an ISO 8601 date-time, for example 2026-03-01T00:00:00.000-04:00'

const comparable = ({ status, text, headers }: Answer) => ({ status, text, headers })

/** Calls, the optional parameters that they can do without, and what `reject` answers to each. */
const CALLS: [url: string, parameters: Record<string, unknown>][] = [
  ['/currencies', { attributes: badRequest('attributes: must not be empty') }],
  ['/currencies/ARS', { attributes: badRequest('attributes: must not be empty') }],
  ['/users/me', { attributes: badRequest('attributes: must not be empty') }],
  [`/items?ids=${ITEM}`, { attributes: badRequest('attributes: must not be empty') }],
  [
    '/questions/search',
    {
      seller_id: badRequest('seller_id: must be an integer'),
      item: badRequest('item: must not be empty'),
      item_id: badRequest('item_id: must not be empty'),
      from: badRequest('from: must be an integer'),
      status: badRequest(
        'status: must be one of ANSWERED, BANNED, CLOSED_UNANSWERED, DELETED, DISABLED, UNANSWERED, UNDER_REVIEW',
      ),
      'date_created.from': badRequest(`date_created.from: ${INSTANT}`),
      'date_created.to': badRequest(`date_created.to: ${INSTANT}`),
      sort_fields: badRequest('sort_fields: must not be empty'),
      sort_types: badRequest('sort_types: must not be empty'),
      limit: badRequest('limit: must be an integer from 0 to 100'),
      offset: badRequest('offset: must be an integer, 0 or more'),
      search_type: badRequest('search_type: must be one of scan'),
      scroll_id: badRequest('scroll_id: must not be empty'),
      api_version: badRequest('api_version: must not be empty'),
    },
  ],
  ['/my/received_questions/search?limit=2', { offset: badRequest('offset: must be an integer, 0 or more') }],
  [`/users/${seller.id}/questions_blacklist`, { limit: badRequest('limit: must be an integer from 0 to 100') }],
  [
    `/items/${ITEM}/contacts/questions/time_window?last=2&unit=day`,
    {
      ids: { code: 'bad_request', message: 'ids: must be 1 to 50 listing identifiers separated by commas' },
      ending: { code: 'bad_request', message: `ending: ${INSTANT}` },
      order: { code: 'bad_request', message: 'order: must be one of asc, desc' },
    },
  ],
  [
    `/missed_feeds?app_id=${application.id}`,
    {
      limit: badRequest('limit: must be an integer from 0 to 100'),
      offset: badRequest('offset: must be an integer from 0'),
    },
  ],
  [
    `/vis/loans/search?seller_id=${seller.id}&date_from=2026-02-01T00:00:00&date_to=2026-03-01T00:00:00`,
    {
      item_id: badRequest('item_id must match the item pattern M[A-Z]{2}[0-9]+'),
      status: badRequest('Invalid status'),
      financial_entity_id: badRequest('Invalid financial entity'),
      limit: badRequest('limit: must be an integer from 0 to 100'),
      offset: badRequest('offset: must be an integer, 0 or more'),
    },
  ],
]

const withParameter = (url: string, text: string) => `${url}${url.includes('?') ? '&' : '?'}${text}`
const forms = (name: string) => [`${name}=`, name, `&${name}=&`, `${encodeURIComponent(name).replace('s', '%73')}=`]

t.test('an empty optional parameter counts as absent', async (t) => {
  for (const [url, parameters] of CALLS) {
    const expected = comparable(await seller.get(url))
    t.equal(expected.status, 200, url)
    for (const name of Object.keys(parameters))
      for (const form of forms(name))
        t.strictSame(comparable(await seller.get(withParameter(url, form))), expected, withParameter(url, form))
    const all = Object.keys(parameters)
      .map((name) => `${name}=`)
      .join('&')
    t.strictSame(comparable(await seller.get(withParameter(url, all))), expected, `${url}: all at once`)
  }
})

t.test('an empty callback asks for a plain answer', async (t) => {
  for (const url of ['/currencies/ARS', '/nowhere', '/questions/1', '/w/1/currencies'])
    for (const form of ['callback=', 'callback', '&callback=&', 'c%61llback=', 'callback=&_method=POST&_body=%7B%7D'])
      t.strictSame(comparable(await call(withParameter(url, form))), comparable(await call(url)), `${url}?${form}`)
})

t.test('an empty required parameter is a bad parameter', async (t) => {
  const rows: [url: string, body: unknown][] = [
    ['/items?ids=', badRequest('ids: must be 1 to 20 listing identifiers separated by commas')],
    ['/missed_feeds?app_id=', badRequest('app_id: must be an integer')],
    [
      `/items/${ITEM}/contacts/questions?date_from=&date_to=2026-03-01`,
      { code: 'bad_request', message: `date_from: ${INSTANT}` },
    ],
    [
      `/items/${ITEM}/contacts/questions/time_window?last=&unit=day`,
      { code: 'bad_request', message: 'last: must be an integer from 1 to 1000' },
    ],
    [
      `/vis/loans/search?seller_id=${seller.id}&date_from=&date_to=2026-03-01T00:00:00`,
      badRequest('Invalid date_from format, must follow ISO format'),
    ],
    ['/vis/loans/search?seller_id=', badRequest('seller_id must match the value obtained from the token')],
    [
      '/authorization?response_type=code&client_id=',
      { ...errorBody(400, 'invalid_request', 'client_id is required'), error_description: 'client_id is required' },
    ],
  ]
  for (const [url, body] of rows) t.strictSame((await seller.get(url)).body, body, url)
})

t.test('OAuth reads empty parameters of a query as absent', async (t) => {
  const address = `client_id=${application.id}&redirect_uri=${encodeURIComponent(application.redirect_uri)}`
  const url = `/authorization?response_type=code&${address}`
  const expected = await call(url)
  t.equal(expected.status, 200)
  for (const name of ['state', 'code_challenge', 'code_challenge_method'])
    t.strictSame((await call(`${url}&${name}=`)).text, expected.text, name)
  const picked = await call({ method: 'POST', url: `${url}&state=&code_challenge=&user_id=${seller.id}` })
  t.equal(picked.status, 302)
  t.notMatch(picked.headers.location, /state=/)
})

t.test('calls.empty_parameter = reject answers 400', async (t) => {
  t.equal((await control('PATCH /assumptions/calls.empty_parameter', { value: 'reject' })).status, 200)
  for (const [url, parameters] of CALLS) {
    t.equal((await seller.get(url)).status, 200, url)
    for (const [name, body] of Object.entries(parameters))
      for (const form of forms(name)) {
        const answer = await seller.get(withParameter(url, form))
        t.strictSame([answer.status, answer.body], [400, body], withParameter(url, form))
      }
  }
  const invalidCallback = errorBody(
    400,
    'invalid_callback',
    'callback: must be the name of a function, at most 128 characters',
  )
  for (const form of ['callback=', 'callback'])
    t.strictSame((await call(`/currencies/ARS?${form}`)).body, invalidCallback)
  const message = 'state: must not be empty'
  for (const method of ['GET', 'POST'] as const)
    t.strictSame(
      (await call({ method, url: '/authorization?state=' })).body,
      {
        ...errorBody(400, method === 'GET' ? 'bad_request' : 'invalid_request', message),
        error_description: message,
      },
      method,
    )
  t.equal((await call('/currencies/ARS?access_token=')).status, 200, 'an empty token counts as none')
  t.equal((await call('/currencies/ARS?unknown=')).status, 200, 'unknown parameters are ignored')
})
