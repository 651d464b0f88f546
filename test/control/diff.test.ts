import { readdirSync } from 'node:fs'
import t from 'tap'
import { errorBody, ITEM, NOON, start, valuesOf } from '../support/app.ts'
import { keptServers } from '../support/kept.ts'

const app = await start(t)
const { worlds } = app

/** A new world with one question asked, which is answered after the snapshot `asked`. */
async function createStory(name = 'asked') {
  const world = await app.createWorld({ scenario: 'quiet', now: NOON })
  const { control, seller, buyer } = world
  const { body: question } = await buyer.post('/questions', { item_id: ITEM, text: '¿Hay stock?' })
  await control('POST /snapshots', { name })
  await seller.post('/answers', { question_id: question.id, text: 'Sí' })
  return { ...world, question: question.id as number }
}

const answered = (before: string, after: string) => ({ before, after, count: 1 })

t.test('counts the rows that differ, by table', async (t) => {
  const { control } = await createStory()
  const { status, body } = await control('GET /diff')
  t.strictSame(
    [status, body],
    [
      200,
      {
        from: { state: 'start', now: NOON },
        to: { state: 'now', now: NOON },
        tables: [
          { table: 'outbox', added: 2, removed: 0, changed: 0, by_status: [] },
          {
            ...{ table: 'question', added: 1, removed: 0, changed: 0 },
            by_status: [{ before: null, after: 'ANSWERED', count: 1 }],
          },
          { table: 'contact_event', added: 1, removed: 0, changed: 0, by_status: [] },
        ],
        passed: [],
      },
    ],
  )
  t.strictSame((await control('GET /diff?from=asked')).body.tables, [
    { table: 'outbox', added: 1, removed: 0, changed: 0, by_status: [] },
    { table: 'question', added: 0, removed: 0, changed: 1, by_status: [answered('UNANSWERED', 'ANSWERED')] },
  ])
  t.strictSame((await control('GET /diff?from=now&to=snapshot:asked')).body.tables, [
    { table: 'outbox', added: 0, removed: 1, changed: 0, by_status: [] },
    { table: 'question', added: 0, removed: 0, changed: 1, by_status: [answered('ANSWERED', 'UNANSWERED')] },
  ])
  t.strictSame((await control('GET /diff?from=now&to=now')).body.tables, [])
})

t.test('says what only time has brought about', async (t) => {
  const { control, seller, buyer } = await createStory()
  const passed = async (query = '') => (await control(`GET /diff${query}`)).body.passed
  await control('POST /loans', { item_id: ITEM, buyer_id: buyer.id })
  await control('POST /tokens', { user_id: seller.id, expires_in: 60 })
  await control('POST /snapshots', { name: 'before' })
  await control('POST /clock/advance', { by: '30d' })
  const brought = [
    { kind: 'lead', effect: 'expires', count: 1 },
    { kind: 'token', effect: 'expires', count: 1 },
  ]
  const byKind = (a: { kind: string }, b: { kind: string }) => a.kind.localeCompare(b.kind)
  t.strictSame((await passed('?from=before')).sort(byKind), brought)
  t.strictSame(await passed('?from=now&to=before'), [], 'earlier')
})

t.test('lists the rows of a table that differ', async (t) => {
  const { control, question, buyer, seller } = await createStory()
  const asked = {
    id: question,
    seller_id: seller.id,
    item_id: ITEM,
    from_id: buyer.id,
    text: '¿Hay stock?',
    status: 'UNANSWERED',
    date_created: NOON,
    answer_text: null,
    answer_status: null,
    answered_at: null,
    first_of_buyer: 1,
    deleted_from_listing: 0,
    hold: 0,
    suspected_spam: 0,
    hidden: 0,
  }
  t.strictSame((await control('GET /diff/question?to=asked')).body, {
    from: { state: 'start', now: NOON },
    to: { state: 'asked', now: NOON },
    paging: { total: 1, limit: 50, offset: 0 },
    results: [{ change: 'added', key: { id: question }, before: null, after: asked }],
  })
  t.strictSame((await control('GET /diff/question?from=asked&to=start')).body.results, [
    { change: 'removed', key: { id: question }, before: asked, after: null },
  ])
  t.strictSame((await control('GET /diff/question?from=asked')).body.results, [
    {
      change: 'changed',
      key: { id: question },
      before: { status: 'UNANSWERED', answer_text: null, answer_status: null, answered_at: null },
      after: { status: 'ANSWERED', answer_text: 'Sí', answer_status: 'ACTIVE', answered_at: NOON },
    },
  ])
})

t.test('compares automatic snapshots and other worlds', async (t) => {
  const { control, id } = await createStory()
  const { headers } = await control('POST /clock/advance', { by: 'PT1H' }, { 'x-sandbox-snapshot': 'later' })
  const snapshot = headers['x-sandbox-snapshot']
  t.strictSame((await control(`GET /diff/world?from=${snapshot}`)).body, {
    from: { state: snapshot, now: NOON },
    to: { state: 'now', now: '2026-03-02T13:00:00.000Z' },
    paging: { total: 1, limit: 50, offset: 0 },
    results: [
      {
        change: 'changed',
        key: { id },
        before: { clock_ms: Date.parse(NOON) },
        after: { clock_ms: Date.parse(NOON) + 3_600_000 },
      },
    ],
  })
  const other = await createStory()
  const { body } = await control(`GET /diff?from=world:${other.id}`)
  t.strictSame(body.from, { state: `world:${other.id}`, now: NOON })
  t.strictSame(
    body.tables.filter(({ table }: { table: string }) => table === 'question' || table === 'world'),
    [{ table: 'world', added: 1, removed: 1, changed: 0, by_status: [] }],
  )
})

t.test('pages through many rows, in the order of their keys', async (t) => {
  const { control } = await createStory()
  await control('PUT /contacts/series', {
    kind: 'phone_view',
    item_id: ITEM,
    unit: 'hour',
    points: [
      { at: '2026-03-02T10:00:00Z', total: 1_100 },
      { at: '2026-03-02T11:00:00Z', total: 3 },
    ],
  })
  const pages = []
  for (const offset of [0, 1_000, 1_104]) {
    const { body } = await control(`GET /diff/contact_event?limit=1000&offset=${offset}`)
    t.strictSame(body.paging, { total: 1_104, limit: 1_000, offset })
    pages.push(body.results)
  }
  t.strictSame(valuesOf(pages, 'length'), [1_000, 104, 0])
  const rows: { key: { kind: string; at: string; seq: number } }[] = pages.flat()
  const keys = rows.map(({ key }) => `${key.kind} ${key.at} ${String(key.seq).padStart(6, '0')}`)
  t.strictSame(keys, keys.toSorted())
  t.equal(new Set(keys).size, 1_104)
  t.equal(rows.filter(({ key }) => key.at >= '2026-03-02T11:00').length, 4)
})

t.test('shows no secret, not even to its administrator', async (t) => {
  const { control } = await createStory()
  const { body: application } = await control('POST /applications', { redirect_uri: 'https://example.com/back' })
  await control('POST /tokens', { user_id: 2_500_000_101, token: 'sesame' })
  await control(`PUT /applications/${application.id}/notifications`, {
    callback_url: 'http://127.0.0.1:9/hook?key=s3cret',
    topics: ['questions'],
  })
  const secrets = [application.secret, 'sesame', 's3cret']
  t.ok(secrets.every((secret) => typeof secret === 'string'))
  let text = ''
  for (const table of ['application', 'access_token', 'notification_setting']) {
    const answer = await control(`GET /diff/${table}`)
    t.ok(answer.body.paging.total > 0, table)
    text += answer.text
  }
  for (const secret of secrets) t.notOk(text.includes(secret))
  t.match(text, '"secret":"***"')
})

t.test('rejects unknown states and tables', async (t) => {
  const { control } = await createStory()
  const answers = [
    ['/diff?from=x', 404, 'not_found', 'from: snapshot x not found'],
    ['/diff?to=snapshot:..%2F..%2Fetc', 404, 'not_found', 'to: snapshot ../../etc not found'],
    ['/diff?to=auto.9999', 404, 'not_found', 'to: snapshot auto.9999 not found'],
    ['/diff?to=world:9999', 404, 'not_found', 'to: world 9999 not found'],
    ['/diff?to=world:1e0', 404, 'not_found', 'to: world 1e0 not found'],
    ['/diff?from=', 400, 'bad_request', 'from: must be the name of a state'],
    ['/diff?since=now', 400, 'bad_request', undefined],
    ['/diff/question?limit=1001', 400, 'bad_request', 'limit: must be an integer from 0 to 1000'],
  ] as const
  for (const [url, status, code, message] of answers) {
    const answer = await control(`GET ${url}`)
    t.equal(answer.status, status, url)
    t.match(answer.body, errorBody(status, code, message ?? answer.body.message), url)
  }
  const { status, body } = await control('GET /diff/contact_user_hour')
  t.equal(status, 404)
  t.match(body.message, /^Table contact_user_hour not found: world, sequence, /)
})

t.test('leaves no file behind', async (t) => {
  const { control } = await createStory()
  // Templates are prepared in the background.
  const files = () => readdirSync(worlds.folder).filter((name) => !name.startsWith('template-'))
  const before = files()
  await Promise.all(['/diff', '/diff?from=asked', '/diff?from=x', '/diff/item'].map((url) => control(`GET ${url}`)))
  t.strictSame(files(), before)
})

t.test('compares a kept world with its start after a restart', async (t) => {
  const { open } = keptServers(t, { scenario: 'quiet' })
  const first = await open()
  await first.buyer.post('/questions', { item_id: ITEM, text: '¿Hay stock?' })
  await first.server.close()
  const second = await open()
  t.strictSame((await second.control('GET /diff')).body.tables, [
    { table: 'outbox', added: 1, removed: 0, changed: 0, by_status: [] },
    {
      ...{ table: 'question', added: 1, removed: 0, changed: 0 },
      by_status: [{ before: null, after: 'UNANSWERED', count: 1 }],
    },
    { table: 'contact_event', added: 1, removed: 0, changed: 0, by_status: [] },
  ])
})
