import t from 'tap'
import { question } from '../../domains/questions/tables.ts'
import { DAY, MINUTE, NOW, type Person, SECOND, start } from '../support/app.ts'
import { badRequest, expectAnswer, FOREIGN, questionFixtures } from '../support/questions.ts'

const app = await start(t, { scenario: 'demo' })
const { world, control, sellers } = app
const { createUser, createParties, createListing, moveListing, banQuestion, ask, answer, insertQuestion, setClock } =
  questionFixtures(app)
t.beforeEach(() => setClock(NOW))

const expiredScroll = badRequest('scroll_id: is unknown or has expired; begin again with search_type=scan')
const tooDeep = badRequest('offset + limit must be at most 1000; use search_type=scan')

const STATUSES = ['ANSWERED', 'BANNED', 'CLOSED_UNANSWERED', 'DELETED', 'DISABLED', 'UNANSWERED', 'UNDER_REVIEW']
const SORTS = ['item_id', 'from_id', 'date_created', 'seller_id']

interface Page {
  total: number
  questions: { id: number }[]
  scroll_id?: string | null
}

const idsOf = ({ questions }: Page) => questions.map(({ id }) => id)

/**
 * Two sellers, two buyers and their questions, one day apart: a1 to a5 and b1, b2 on two listings of `seller`, c1 to c3
 * on one of `other`.
 */
async function createScene() {
  const one = await createParties()
  const { seller, buyer: ana, item: a } = one
  const { seller: other, buyer: luz, item: c } = await createParties()
  const b = await createListing(seller)
  const names: Record<number, string> = {}
  let day = 12
  const askAs = async (name: string, caller: Person, item: string) => {
    setClock(NOW - --day * DAY)
    const id = await ask(caller, item, `${name}?`)
    names[id] = name
    return id
  }
  await answer(seller, await askAs('a1', ana, a))
  await askAs('a2', luz, a)
  await seller.delete(`/questions/${await askAs('a3', ana, a)}`)
  await banQuestion(await askAs('a4', luz, a))
  await seller.post('/my/questions/hidden', { question_ids: [await askAs('a5', ana, a)] })
  await askAs('b1', ana, b)
  const closed = { status: 'CLOSED_UNANSWERED', date_created: NOW - --day * DAY } as const
  names[await insertQuestion({ ...one, buyer: luz, item: b }, closed)] = 'b2'
  await askAs('c1', ana, c)
  await answer(other, await askAs('c2', luz, c))
  await askAs('c3', seller, c)
  setClock(NOW)
  const findNames = async (caller: Person, url: string) => {
    const { status, body } = await caller.get(url)
    return status === 200 ? idsOf(body).map((id) => names[id]) : status
  }
  return { seller, other, ana, luz, a, b, c, named: findNames }
}

t.test('finds the questions that the caller may see', async (t) => {
  const { seller, other, ana, luz, a, b, c, named: findNames } = await createScene()
  const rows: [caller: Person, query: string, found: string | number][] = [
    [seller, '', 'b2 b1 a2 a1'],
    [seller, `seller_id=${seller.id}`, 'b2 b1 a2 a1'],
    [seller, `seller_id=${other.id}`, 403],
    [seller, `seller_id=${other.id}&item=${c}`, 403],
    [seller, `seller_id=${other.id}&from=${seller.id}`, 403],
    [seller, `seller_id=${other.id}&item=${a}`, 403],
    [seller, 'seller_id=2599999999', 403],
    [seller, `item=${a}`, 'a5 a2 a1'],
    [seller, `item_id=${a}`, 'a5 a2 a1'],
    [seller, `item=${c}`, 'c3 c2 c1'],
    [seller, `item=${a.toLowerCase()}`, ''],
    [seller, 'item=MLA1', ''],
    [seller, 'item=nonsense', ''],
    [seller, 'item=', 'b2 b1 a2 a1'],
    [seller, `seller_id=${seller.id}&item=${a}`, 'a2 a1'],
    [seller, `seller_id=${seller.id}&item_id=${b}`, 'b2 b1'],
    [seller, `seller_id=${seller.id}&item=${c}`, ''],
    [seller, `from=${ana.id}`, 'b1 a5 a1'],
    [seller, `from=${luz.id}`, 'b2 a2'],
    [seller, `from=${seller.id}`, 'c3'],
    [seller, `from=${other.id}`, ''],
    [seller, 'from=0', ''],
    [seller, `from=${ana.id}&item=${a}`, 'a5 a1'],
    [seller, `from=${ana.id}&item=${c}`, ''],
    [seller, `from=${seller.id}&item_id=${c}`, 'c3'],
    [seller, `seller_id=${seller.id}&from=${ana.id}`, 'b1 a1'],
    [seller, `seller_id=${seller.id}&from=${ana.id}&item=${a}`, 'a1'],
    [seller, `seller_id=${seller.id}&from=${luz.id}&item=${a}&status=unanswered`, 'a2'],
    [seller, `seller_id=${seller.id}&from=${seller.id}`, ''],

    [seller, 'status=UNANSWERED', 'b1 a2'],
    [seller, 'status=unanswered', 'b1 a2'],
    [seller, 'status=Answered', 'a1'],
    [seller, 'status=closed_unanswered', 'b2'],
    [seller, 'status=ClOsEd_UnAnSwErEd', 'b2'],
    [seller, 'status=under_review', ''],
    [seller, 'status=disabled', ''],
    [seller, 'status=DELETED', 'a3'],
    [seller, 'status=banned', 'a4'],
    [seller, `seller_id=${seller.id}&status=deleted`, 'a3'],
    [seller, `item=${a}&status=deleted`, 'a3'],
    [seller, `item=${a}&status=banned`, 'a4'],
    [seller, `item=${a}&status=UNANSWERED`, 'a5 a2'],
    [seller, `item=${b}&status=deleted`, ''],
    [seller, `item=${c}&status=answered`, 'c2'],
    [seller, `from=${ana.id}&status=deleted`, 'a3'],
    [seller, `from=${luz.id}&item=${a}&status=banned`, 'a4'],
    [seller, `from=${luz.id}&item=${a}&status=deleted`, ''],

    [ana, '', ''],
    [ana, `seller_id=${ana.id}`, ''],
    [ana, `seller_id=${seller.id}`, 403],
    [ana, `seller_id=${seller.id}&from=${ana.id}`, 403],
    [ana, `item=${a}`, 'a5 a2 a1'],
    [ana, `item=${a}&status=answered`, 'a1'],
    [ana, `item=${a}&status=deleted`, ''],
    [ana, `item=${a}&status=banned`, ''],
    [ana, `from=${ana.id}`, 'c1 b1 a5 a1'],
    [ana, `from=${ana.id}&item=${a}`, 'a5 a1'],
    [ana, `from=${ana.id}&item_id=${b}`, 'b1'],
    [ana, `from=${ana.id}&status=unanswered`, 'c1 b1 a5'],
    [ana, `from=${ana.id}&status=deleted`, ''],
    [ana, `from=${ana.id}&item=${a}&status=deleted`, ''],
    [ana, `from=${luz.id}`, ''],
    [ana, `from=${luz.id}&item=${a}`, ''],
    [ana, `from=${luz.id}&status=answered`, ''],
    [luz, `from=${luz.id}`, 'c2 b2 a2'],
    [luz, `from=${luz.id}&status=banned`, ''],
    [other, '', 'c3 c2 c1'],
    [other, `from=${ana.id}`, 'c1'],
    [other, `from=${seller.id}`, 'c3'],
    [other, `from=${ana.id}&item=${a}`, ''],
    [other, `item=${a}&status=deleted`, ''],
    [sellers[0]!, `item=${a}`, 'a5 a2 a1'],
  ]
  const found = (names: string | number) => (typeof names === 'number' ? names : names.split(' ').filter(Boolean))
  for (const [caller, query, names] of rows)
    t.strictSame(await findNames(caller, `/questions/search?${query}`), found(names), `${caller.nickname}: ${query}`)
  for (const [caller, query, names] of [
    [seller, '', 'b2 b1 a2 a1'],
    [seller, `seller_id=${other.id}`, 'b2 b1 a2 a1'],
    [seller, `item=${a}`, 'a2 a1'],
    [seller, `item=${c}`, ''],
    [seller, `from=${ana.id}`, 'b1 a1'],
    [seller, 'status=deleted', 'a3'],
    [ana, '', ''],
  ] as const)
    t.strictSame(await findNames(caller, `/my/received_questions/search?${query}`), found(names), `received: ${query}`)

  await moveListing(c, 'closed')
  t.strictSame(await findNames(seller, `/questions/search?item=${c}&status=closed_unanswered`), ['c3', 'c1'])
  t.strictSame(await findNames(seller, `/questions/search?item=${c}&status=unanswered`), [])
  await moveListing(a, 'under_review')
  t.strictSame(await findNames(seller, '/questions/search?status=UNDER_REVIEW'), ['a2'])
})

t.test('includes the start of a period and excludes its end', async (t) => {
  const { seller, named: findNames } = await createScene()
  // a1 was asked eleven days ago, 2026-02-24T15:00Z, a2 ten, b1 six, b2 five.
  for (const [query, names] of [
    ['date_created.from=2026-02-24T15:00:00.000Z', 'b2 b1 a2 a1'],
    ['date_created.from=2026-02-24T15:00:00.001Z', 'b2 b1 a2'],
    ['date_created.to=2026-02-25T15:00:00Z', 'a1'],
    ['date_created.to=2026-02-25T15:00:00.001Z', 'a2 a1'],
  ] as const)
    t.strictSame(await findNames(seller, `/questions/search?${query}`), names.split(' '), query)
})

t.test('pages through the results', async (t) => {
  const { seller, buyer, item } = await createParties()
  const ids: number[] = []
  for (let n = 0; n < 5; n++) ids.unshift(await ask(buyer, item, `${n}`))
  const rows: [query: string, limit: number, offset: number, found: number[]][] = [
    ['', 50, 0, ids],
    ['limit=2', 2, 0, ids.slice(0, 2)],
    ['limit=2&offset=2', 2, 2, ids.slice(2, 4)],
    ['limit=2&offset=4', 2, 4, ids.slice(4)],
    ['limit=2&offset=5', 2, 5, []],
    ['offset=3', 50, 3, ids.slice(3)],
    ['limit=0', 0, 0, []],
    ['limit=0&offset=3', 0, 3, []],
    ['limit=100', 100, 0, ids],
    ['limit=100&offset=900', 100, 900, []],
    ['offset=950', 50, 950, []],
    ['limit=0&offset=1000', 0, 1000, []],
  ]
  for (const path of ['/questions/search', '/my/received_questions/search'])
    for (const [query, limit, offset, found] of rows) {
      const { status, body } = await seller.get(`${path}?${query}`)
      t.strictSame(
        [status, body.total, body.limit, body.filters.limit, body.filters.offset, idsOf(body), 'scroll_id' in body],
        [200, 5, limit, limit, offset, found, false],
        `${path}?${query}`,
      )
    }
  for (const query of ['limit=100&offset=901', 'offset=951', 'limit=1&offset=1000', 'limit=0&offset=1001']) {
    expectAnswer(t, await seller.get(`/questions/search?${query}`), 400, tooDeep, query)
    expectAnswer(t, await seller.get(`/my/received_questions/search?${query}`), 400, tooDeep, query)
  }
})

t.test('rejects invalid parameters', async (t) => {
  const { seller, buyer, item } = await createParties()
  const limits = badRequest('limit: must be an integer from 0 to 100')
  const offsets = badRequest('offset: must be an integer, 0 or more')
  const statuses = badRequest(`status: must be one of ${STATUSES.join(', ')}`)
  const instant = (name: string) =>
    badRequest(`date_created.${name}: must be an ISO 8601 date-time, for example 2026-03-01T00:00:00.000-04:00`)
  const fields = badRequest(`sort_fields: must be some of ${SORTS.join(', ')}`)
  const types = badRequest('sort_types: must be ASC or DESC')
  const unequal = badRequest('sort_types: must be one, or as many as sort_fields')
  const foreign = `seller_id=${buyer.id}`
  const rows: [query: string, body: object][] = [
    ['limit=101', limits],
    ['offset=-1', offsets],
    ['seller_id=nonsense', badRequest('seller_id: must be an integer')],
    ['from=nonsense', badRequest('from: must be an integer')],
    [`item=${item}&item=${item}`, badRequest('item: must be string')],
    ['status=open', statuses],
    ['date_created.from=yesterday', instant('from')],
    [
      'date_created.from=2026-03-02&date_created.to=2026-03-01',
      badRequest('date_created.from: must not be after date_created.to'),
    ],
    ['sort_fields=price', fields],
    ['sort_fields=item_id_asc,item_id', badRequest('sort_fields: must not name a field twice')],
    ['sort_types=UP', types],
    ['sort_types=ASC,DESC', unequal],
    ['search_type=all', badRequest('search_type: must be one of scan')],

    // Invalid parameters are reported before missing rights.
    [`${foreign}&limit=101`, limits],
    [`${foreign}&offset=1000`, tooDeep],
  ]
  for (const [query, body] of rows) expectAnswer(t, await seller.get(`/questions/search?${query}`), 400, body, query)
  expectAnswer(t, await seller.get(`/questions/search?${foreign}`), 403, FOREIGN)
})

t.test('sorts by one or several fields', async (t) => {
  const { seller, buyer: ana, item: a } = await createParties()
  const luz = await createUser()
  const b = await createListing(seller)
  const early = NOW
  const late = NOW + MINUTE
  const names: Record<number, string> = {}
  // Ids ascend from 1 to 6. a is before b, ana before luz.
  for (const [name, when, caller, item] of [
    ['1', late, luz, b],
    ['2', early, ana, b],
    ['3', late, ana, a],
    ['4', early, luz, a],
    ['5', early, ana, a],
    ['6', late, ana, b],
  ] as const) {
    setClock(when)
    names[await ask(caller, item)] = name
  }
  const rows: [query: string, order: string, sorts: string][] = [
    // late 6 3 1, early 5 4 2
    ['', '631542', ''],
    ['sort_types=DESC', '631542', 'date_created DESC'],
    ['sort_types=ASC', '245136', 'date_created ASC'],
    ['sort_fields=date_created&sort_types=asc', '245136', 'date_created ASC'],
    ['sort_fields=date_created_asc', '245136', 'date_created ASC'],
    ['sort_fields=Date_Created_Desc&sort_types=ASC', '245136', 'date_created ASC'],
    ['sort_fields=item_id_ASC,DATE_CREATED_desc', '354612', 'item_id ASC, date_created DESC'],
    // a 3 4 5, b 1 2 6
    ['sort_fields=item_id&sort_types=ASC', '345126', 'item_id ASC'],
    // ana 2 3 5 6, luz 1 4
    ['sort_fields=from_id', '416532', 'from_id DESC'],
    ['sort_fields=seller_id', '654321', 'seller_id DESC'],
    // a: early 4 5, late 3; b: early 2, late 1 6
    ['sort_fields=item_id,date_created&sort_types=ASC', '453216', 'item_id ASC, date_created ASC'],
    ['sort_fields=item_id,date_created&sort_types=DESC,ASC', '216453', 'item_id DESC, date_created ASC'],
    // early: ana 2 5, luz 4; late: ana 3 6, luz 1
    [
      'sort_fields=date_created&sort_fields=from_id&sort_types=ASC&sort_types=DESC',
      '452163',
      'date_created ASC, from_id DESC',
    ],
    ['sort_fields=date_created,%20from_id&sort_types=desc,asc', '361254', 'date_created DESC, from_id ASC'],
    // luz: b late 1, a early 4; ana: b late 6, early 2; a late 3, early 5
    [
      'sort_fields=from_id,item_id,date_created&sort_types=DESC,DESC,ASC',
      '142653',
      'from_id DESC, item_id DESC, date_created ASC',
    ],
    [
      'sort_fields=seller_id,from_id,item_id,date_created&sort_types=ASC',
      '532641',
      'seller_id ASC, from_id ASC, item_id ASC, date_created ASC',
    ],
  ]
  for (const [query, order, sorts] of rows) {
    const { body } = await seller.get(`/questions/search?${query}`)
    t.equal(
      idsOf(body)
        .map((id) => names[id])
        .join(''),
      order,
      query,
    )
    const expected = sorts
      .split(', ')
      .filter(Boolean)
      .map((one) => one.split(' '))
    t.strictSame(
      body.filters.sorts,
      expected.map(([id, type]) => ({ id, type })),
    )
    // A scan has the same order.
    for (const limit of [2]) {
      const scanned: number[] = []
      let next: string | null = ''
      do {
        const page: Page = (
          await seller.get(`/questions/search?${query}&search_type=scan&limit=${limit}${next && `&scroll_id=${next}`}`)
        ).body
        scanned.push(...idsOf(page))
        next = page.scroll_id!
      } while (next)
      t.equal(scanned.map((id) => names[id]).join(''), order, `${query}, scan with limit ${limit}`)
    }
  }
})

t.test('sorts by seller and listing across several sellers', async (t) => {
  const [one, two] = [await createParties(), await createParties()]
  const { buyer } = one
  const first = await ask(buyer, two.item)
  const second = await ask(buyer, one.item)
  const third = await ask(buyer, two.item)
  const sorted = async (caller: string) => idsOf((await buyer.get(`/questions/search?from=${buyer.id}&${caller}`)).body)
  t.strictSame(await sorted('sort_fields=seller_id&sort_types=ASC'), [second, first, third])
  t.strictSame(await sorted('sort_fields=seller_id&sort_types=DESC'), [third, first, second])
  t.strictSame(await sorted('sort_fields=item_id&sort_types=ASC'), [second, first, third])
})

t.test('ends a scan after a full last page, and at once without results', async (t) => {
  const { seller, buyer, item } = await createParties()
  const none = (await seller.get('/questions/search?search_type=scan')).body
  t.strictSame([none.total, none.questions, none.scroll_id], [0, [], null])
  const ids = [await ask(buyer, item), await ask(buyer, item)].reverse()
  const full = (await seller.get('/questions/search?search_type=scan&limit=2')).body
  t.strictSame([idsOf(full), full.scroll_id], [ids, null])
  const deep = (await seller.get('/questions/search?search_type=scan&offset=5000&limit=1')).body
  t.strictSame([deep.filters.offset, idsOf(deep)], [0, [ids[0]]], 'a scan has no offset')
})

t.test('a scroll_id has no offset beside it [spec: questions.search.scan_offset]', async (t) => {
  const { seller, buyer, item } = await createParties()
  const ids = [await ask(buyer, item), await ask(buyer, item)].reverse()
  const { scroll_id } = (await seller.get('/questions/search?search_type=scan&limit=1')).body
  const next = `/questions/search?scroll_id=${scroll_id}&limit=1`
  const combined = badRequest('offset: cannot be combined with scroll_id')
  for (const offset of [0, 1]) expectAnswer(t, await seller.get(`${next}&offset=${offset}`), 400, combined)
  for (const query of ['offset=', 'search_type=scan'])
    t.strictSame(idsOf((await seller.get(`${next}&${query}`)).body), ids.slice(1), query)
  await control('PATCH /assumptions/questions.scan_offset', { value: 'ignore' })
  t.strictSame(idsOf((await seller.get(`${next}&offset=5000`)).body), ids.slice(1), 'ignored')
  await control('PATCH /assumptions/questions.scan_offset', { value: 'reject' })
})

t.test('limit=0 stays at the place of a scan while questions remain [spec: questions.search.scan]', async (t) => {
  const { seller, buyer, item } = await createParties()
  const nothing = (await seller.get('/questions/search?search_type=scan&limit=0')).body
  t.strictSame([nothing.total, nothing.questions, nothing.scroll_id], [0, [], null], 'no question remains')
  const ids = [await ask(buyer, item), await ask(buyer, item)].reverse()
  const pageAfter = async (limit: number, scroll_id = '') => {
    const url = `/questions/search?search_type=scan&limit=${limit}&scroll_id=${scroll_id}`
    return (await seller.get(url)).body as Page & { limit: number; filters: { limit: number } }
  }
  const start = await pageAfter(0)
  t.strictSame([start.total, start.limit, start.filters.limit, start.questions], [2, 0, 0, []])
  const first = await pageAfter(1, start.scroll_id!)
  t.strictSame(idsOf(first), ids.slice(0, 1), 'from the start')
  const between = await pageAfter(0, first.scroll_id!)
  t.equal(between.scroll_id, first.scroll_id, 'the same place')
  setClock(NOW + 4 * MINUTE)
  const later = await pageAfter(0, between.scroll_id!)
  setClock(NOW + 8 * MINUTE)
  const second = await pageAfter(1, later.scroll_id!)
  t.strictSame([idsOf(second), second.scroll_id], [ids.slice(1), null], 'each answer lasts five minutes')
})

t.test('a scan keeps the filters and the sort of its first call', async (t) => {
  const { seller, buyer, item } = await createParties()
  const otherItem = await createListing(seller)
  const ids = [await ask(buyer, item), await ask(buyer, item), await ask(buyer, item)]
  await ask(buyer, otherItem)
  const answered = await ask(buyer, item)
  await answer(seller, answered)
  const first = (
    await seller.get(
      `/questions/search?search_type=scan&limit=1&item=${item}&status=unanswered&sort_fields=date_created,item_id&sort_types=ASC`,
    )
  ).body
  t.strictSame([first.total, idsOf(first)], [3, [ids[0]]])
  const bare = (await seller.get(`/questions/search?search_type=scan&limit=1&scroll_id=${first.scroll_id}`)).body
  t.strictSame([bare.total, idsOf(bare)], [3, [ids[1]]])
  t.strictSame(bare.filters, first.filters)
  t.strictSame(bare.available_filters, first.available_filters)
  const others = (
    await seller.get(
      `/questions/search?search_type=scan&scroll_id=${first.scroll_id}&item=${otherItem}&status=answered&sort_types=DESC`,
    )
  ).body
  t.strictSame([others.total, idsOf(others), others.scroll_id], [3, ids.slice(1), null], 'other parameters are ignored')
})

t.test('a scan tolerates questions that appear or disappear', async (t) => {
  const { seller, buyer, item } = await createParties()
  const ids: number[] = []
  for (let n = 0; n < 6; n++) {
    setClock(NOW + n)
    ids.push(await ask(buyer, item, `${n}`))
  }
  const [one, two, three, four, five, six] = ids
  const begin = async (types: string) =>
    (await seller.get(`/questions/search?search_type=scan&limit=2&sort_types=${types}`)).body
  const down = await begin('DESC')
  const up = await begin('ASC')
  t.strictSame(
    [idsOf(down), idsOf(up)],
    [
      [six, five],
      [one, two],
    ],
  )
  // The last question of each earlier page and one later question are deleted, and a new one is added.
  for (const id of [two, five, three]) await seller.delete(`/questions/${id}`)
  setClock(NOW + MINUTE)
  const newest = await ask(buyer, item)
  const rest = async ({ scroll_id }: Page) =>
    (await seller.get(`/questions/search?scroll_id=${scroll_id}&limit=100`)).body
  const restDown = await rest(down)
  t.strictSame(
    [restDown.total, idsOf(restDown), restDown.scroll_id],
    [4, [four, one], null],
    'the new one is before the scan’s position',
  )
  const restUp = await rest(up)
  t.strictSame(
    [restUp.total, idsOf(restUp), restUp.scroll_id],
    [4, [four, six, newest], null],
    'the new one is after the scan’s position',
  )
})

t.test('a scan goes beyond the limit of pages', async (t) => {
  const { seller, buyer, item } = await createParties()
  await world.tx(async (q) => {
    for (let n = 0; n < 1050; n++)
      q.db
        .insert(question)
        .values({
          seller_id: seller.id,
          item_id: item,
          from_id: buyer.id,
          text: `${n}`,
          status: 'UNANSWERED',
          // Ten per second.
          date_created: NOW + Math.floor(n / 10) * SECOND,
          first_of_buyer: n === 0 ? 1 : 0,
        })
        .run()
  })
  const texts: number[] = []
  let next: string | null = ''
  let pages = 0
  do {
    const { body } = await seller.get(
      `/questions/search?search_type=scan&limit=100${next && `&scroll_id=${encodeURIComponent(next)}`}`,
    )
    texts.push(...body.questions.map(({ text }: { text: string }) => Number(text)))
    next = body.scroll_id
    pages++
  } while (next)
  t.equal(pages, 11)
  t.strictSame(
    texts,
    Array.from({ length: 1050 }, (_, n) => 1049 - n),
    'each one once, in order',
  )
  const last = (await seller.get('/questions/search?limit=100&offset=900')).body
  t.strictSame([last.total, last.questions[99].text], [1050, '50'])
})

t.test('a scroll_id expires five minutes after its page', async (t) => {
  const { seller, buyer, item } = await createParties()
  for (let n = 0; n < 3; n++) await ask(buyer, item)
  const path = '/questions/search?search_type=scan&limit=1'
  const first = (await seller.get(path)).body.scroll_id
  setClock(NOW + 5 * MINUTE - 1)
  const { status, body } = await seller.get(`${path}&scroll_id=${first}`)
  t.equal(status, 200)
  setClock(NOW + 5 * MINUTE)
  expectAnswer(t, await seller.get(`${path}&scroll_id=${first}`), 400, expiredScroll)
  setClock(NOW + 10 * MINUTE - 2)
  t.equal((await seller.get(`${path}&scroll_id=${body.scroll_id}`)).status, 200, 'the next page has its own scroll_id')
  setClock(NOW + 10 * MINUTE - 1)
  expectAnswer(t, await seller.get(`${path}&scroll_id=${body.scroll_id}`), 400, expiredScroll)
})

t.test('rejects a scroll_id of another caller or a modified one', async (t) => {
  const { seller, buyer, item } = await createParties()
  const other = await createParties()
  for (const { item: at } of [{ item }, { item }, other, other]) await ask(buyer, at)
  const path = '/questions/search?search_type=scan&limit=1'
  const { scroll_id } = (await seller.get(path)).body
  const otherScroll = (await other.seller.get(path)).body.scroll_id
  const [state, signature] = scroll_id.split('.')
  const [otherState] = otherScroll.split('.')
  const forgedState = Buffer.from(
    JSON.stringify({ ...JSON.parse(Buffer.from(state, 'base64url').toString()), caller: other.seller.id }),
  ).toString('base64url')
  for (const caller of [buyer, other.seller])
    expectAnswer(t, await caller.get(`${path}&scroll_id=${scroll_id}`), 400, expiredScroll, 'another caller')
  const flip = (text: string, n: number) => `${text.slice(0, n)}${text[n] === 'A' ? 'B' : 'A'}${text.slice(n + 1)}`
  const rows: [name: string, sent: string][] = [
    ['text after the signature', `${scroll_id}.junk`],
    ['a word', 'nonsense'],
    ['a dot', '.'],
    ['null', 'null'],
    ['the state alone', state],
    ['the state without a signature', `${state}.`],
    ['the signature alone', `.${signature}`],
    ['a longer signature', `${scroll_id}0`],
    ['a shorter signature', scroll_id.slice(0, -1)],
    ['one character of the state', flip(scroll_id, 3)],
    ['one character of the signature', flip(scroll_id, scroll_id.length - 1)],
    ['a state of another scan', `${otherState}.${signature}`],
  ]
  for (const [name, sent] of rows)
    expectAnswer(t, await seller.get(`${path}&scroll_id=${sent}`), 400, expiredScroll, name)
  t.strictSame(
    (await seller.get(`${path}&scroll_id=`)).body,
    (await seller.get(path)).body,
    'an empty one starts a scan: clients send it in the first call',
  )
  expectAnswer(
    t,
    await other.seller.get(`${path}&scroll_id=${forgedState}.${signature}`),
    400,
    expiredScroll,
    'with another caller inserted',
  )
  expectAnswer(
    t,
    await seller.get(`${path}&scroll_id=${scroll_id}&scroll_id=${scroll_id}`),
    400,
    badRequest('scroll_id: must be string'),
  )
  t.equal((await seller.get(`${path}&scroll_id=${scroll_id}`)).status, 200, 'still valid')
})

t.test('omits hidden questions from the seller’s search', async (t) => {
  const { seller, buyer, item } = await createParties()
  const hidden = await ask(buyer, item)
  const visible = await ask(buyer, item)
  const scan = (await seller.get('/questions/search?search_type=scan&limit=1')).body
  await seller.post('/my/questions/hidden', { question_ids: [hidden] })
  const found = async (caller: Person, query: string) => {
    const { body } = await caller.get(`/questions/search?${query}`)
    t.equal(body.total, body.questions.length, 'the total matches')
    return idsOf(body)
  }
  t.strictSame(await found(seller, ''), [visible])
  const rest = (await seller.get(`/questions/search?scroll_id=${scan.scroll_id}`)).body
  t.strictSame([rest.total, idsOf(rest)], [1, []], 'omitted from a scan as well')
  t.strictSame(await found(seller, 'status=UNANSWERED'), [visible])
  t.strictSame(await found(seller, `item=${item}`), [visible, hidden])
  t.strictSame(await found(buyer, `item=${item}`), [visible, hidden])
  t.strictSame(await found(buyer, `from=${buyer.id}`), [visible, hidden])
})
