import t from 'tap'
import type { AnyEvent, Attempt, Fact, RequestEvent } from '../../lib/types.ts'
import { chainOf, linksOf, rowsOf } from '../../web/world/chain.ts'
import { addEntries, type Entry, entryOf, historyOf } from '../../web/world/entries.ts'
import { MAX_ENTRIES } from '../../web/world/pages.ts'
import { select } from '../../web/world/selection.ts'

const AT = '2026-03-02T12:00:00.000Z'
const START = Date.parse(AT)
const after = (ms: number) => new Date(START + ms).toISOString()

const request = (id: number, members: Partial<RequestEvent> & { after_delivery?: object | null }): AnyEvent =>
  ({
    ...{
      type: 'request',
      id,
      at: AT,
      real_at: after(id * 100),
      method: 'GET',
      path: '/questions/72',
      status: 200,
      ms: 2,
    },
    ...{
      user_id: 1,
      application_id: 1,
      faults: [],
      stub: null,
      error: null,
      found: null,
      changes: [],
      after_delivery: null,
    },
    ...members,
  }) as unknown as AnyEvent
const fact = (id: number, cause: Fact['cause'], real_at = id === 41 ? after(10) : after(2000)): Fact => ({
  ...{ type: 'fact', id, topic: 'questions', resource: '/questions/72', users: [1], at: AT },
  ...{ cause, real_at },
})
const attempt = (delivery_id: number, n: number, fact_id: number): Attempt => ({
  ...{ type: 'attempt', delivery_id, n, fact_id, application_id: 1, user_id: 1, topic: 'questions' },
  ...{ resource: '/questions/72', status: 'delivered', ms: 20, http_code: 200, error: null },
  ...{ sent: AT, limit_ms: 500, left_ms: 480, real_sent: after(fact_id === 41 ? 15 : 2010) },
})
const control = (id: number, changes: number[], path = '/questions'): AnyEvent => ({
  ...{ type: 'control', id, method: 'POST', path, by: null, status: 201, ms: 3, at: AT },
  ...{ real_at: after(10), changes },
})

/** A buyer asks in the console; the program reads, is refused once, and answers. */
const STORY: AnyEvent[] = [
  // The change is reported before the call that made it has ended.
  fact(41, { kind: 'control', id: null }),
  control(5, [41]),
  attempt(83, 1, 41),
  request(17, { after_delivery: { id: 83, n: 1, inferred: true } }),
  request(18, { method: 'POST', status: 400, after_delivery: { id: 83, n: 1, inferred: true } }),
  request(19, { path: '/currencies' }),
  fact(42, { kind: 'request', id: null }),
  request(20, { method: 'POST', changes: [42], after_delivery: { id: 83, n: 1, inferred: true } }),
  attempt(84, 1, 42),
  attempt(84, 2, 42),
]
const entriesOf = (events: AnyEvent[]): Entry[] =>
  events.flatMap((event, n) => entryOf(event, START + n * 10, START, n) ?? [])
const entries = entriesOf(STORY)
const links = linksOf(entries)
const ALL = ['c5', 'f41', 'a83.1', 'r17', 'r18', 'r20', 'f42', 'a84.1', 'a84.2']

t.test('a chain goes from the first cause to the last effect, whatever was picked', async (t) => {
  for (const key of ALL) t.strictSame(chainOf(entries, links, key), ALL, key)
  t.strictSame(chainOf(entries, links, 'r19'), ['r19'])
  t.strictSame(chainOf(entries, links, 'r999'), [])
  t.strictSame(
    ['f41', 'a83.1', 'r18', 'f42', 'a84.2', 'c5'].map((key) => links.causeOf.get(key)),
    [
      { key: 'c5', inferred: false },
      { key: 'f41', inferred: false },
      { key: 'a83.1', inferred: true },
      { key: 'r20', inferred: false },
      { key: 'f42', inferred: false },
      undefined,
    ],
  )
})

t.test('a line of the timeline reads from cause to effect', async (t) => {
  const cells = rowsOf(entries, links).map((row) => row.cells.map((cell) => cell?.key ?? '-').join(' '))
  t.strictSame(cells, ['c5 - f41 a83.1', '- r17 - -', '- r18 - -', '- r19 - -', '- r20 f42 a84.1', '- - - a84.2'])
})

t.test('an effect that comes much later has a line of its own', async (t) => {
  const late = entries.map((entry) => (entry.key === 'a83.1' ? { ...entry, realAt: START + 60_000 } : entry))
  t.equal(rowsOf(late, linksOf(late)).find(({ cells }) => cells[3]?.key === 'a83.1')?.cells[2], undefined)
})

t.test('moves of the clock are shown once, with what they cause', async (t) => {
  const moved = entriesOf([
    { type: 'clock', mode: 'frozen', now: after(3_600_000), before: AT, cause: { kind: 'control', id: 6 } },
    control(6, [43], '/clock/advance'),
    { type: 'clock', mode: 'real', now: AT, before: AT, cause: null },
    { type: 'world', change: 'reset' },
  ])
  t.strictSame(
    moved.map(({ key, lane, at }) => [key, lane, at]),
    [
      ['c6', 'outside', START],
      ['k2', 'outside', START],
    ],
  )
})

t.test('known entries are replaced, and the oldest dropped', async (t) => {
  const again = entryOf(request(17, { status: 503 }), START, START, 0)!
  const added = addEntries(entries, [again])
  t.equal(added.length, entries.length)
  t.strictSame(
    added.find(({ key }) => key === 'r17'),
    again,
  )
  t.equal(addEntries(entries, []), entries)
  const many = Array.from({ length: MAX_ENTRIES + 5 }, (_, n) => entryOf(request(n, {}), START, START, n)!)
  t.strictSame([addEntries([], many).length, addEntries([], many)[0]!.key], [MAX_ENTRIES, 'r5'])
})

const recorded = (id: number, changes: number[], delivery: number | null = null) => ({
  ...{ id, at: after(id * 100), world_time: AT, method: 'POST', path: '/answers', query: { a: ['1', '2'], b: '3' } },
  ...{
    headers: {},
    body: null,
    truncated: false,
    user_id: 1,
    application_id: 1,
    faults: [],
    stub: null,
    error: null,
    found: null,
    changes,
  },
  response: { status: 200, body: null, truncated: false, ms: 5 },
  after_delivery: delivery === null ? null : { id: delivery, n: 1, inferred: true },
})
const controlCall = (id: number, changes: number[]) => ({
  ...{ id, method: 'POST', path: '/questions', by: null, status: 201, ms: 3, at: AT },
  ...{ real_at: after(10), changes },
})
const BY_CONTROL: Fact['cause'] = { kind: 'control', id: 5 }
/** When something was done that a call has caused; an earlier version did not store it. */
const realOf = (cause: Fact['cause']) => cause && after(cause.kind === 'control' ? 11 : cause.id! * 100 + 1)
const pastFact = (id: number, cause: Fact['cause']) => ({
  ...{ ...fact(id, cause), topic: 'questions' as const, real_at: realOf(cause) },
})
const delivery = (id: number, fact_id: number, cause: Fact['cause']) => ({
  ...{ type: 'delivery' as const, id, _id: 'x', application_id: 1, user_id: 1, topic: 'questions' as const, fact_id },
  ...{ resource: '/questions/72', status: 'delivered' as const, attempts: 1, received: AT, next_at: null, cause },
  real_at: realOf(cause),
})

t.test('the past is read from lists, in the order of real time', async (t) => {
  const past = historyOf({
    requests: [recorded(18, []), recorded(17, [42])],
    controlCalls: [controlCall(5, [43, 44])],
    facts: [
      pastFact(44, BY_CONTROL),
      pastFact(43, BY_CONTROL),
      pastFact(42, { kind: 'request', id: 17 }),
      pastFact(41, null),
    ],
    deliveries: [
      delivery(86, 44, BY_CONTROL),
      delivery(85, 43, BY_CONTROL),
      delivery(84, 42, { kind: 'request', id: 17 }),
      delivery(83, 41, null),
    ],
  })
  t.strictSame(
    past.map(({ key }) => key),
    ['f41', 'd83', 'c5', 'f43', 'f44', 'd85', 'd86', 'r17', 'f42', 'd84', 'r18'],
  )
  t.match(past[7]!.event, { type: 'request', path: '/answers?a=1&a=2&b=3', status: 200, real_at: after(1700) })
  const pastLinks = linksOf(past)
  t.strictSame(chainOf(past, pastLinks, 'd84'), ['r17', 'f42', 'd84'])
  t.strictSame(chainOf(past, pastLinks, 'f44'), ['c5', 'f43', 'f44', 'd85', 'd86'])
})

t.test('a chain is the same when the page is loaded again', async (t) => {
  const past = historyOf({
    requests: [recorded(20, [42], 83), recorded(18, [], 83), recorded(17, [], 83)],
    controlCalls: [controlCall(5, [41])],
    facts: [pastFact(42, { kind: 'request', id: 20 }), pastFact(41, BY_CONTROL)],
    deliveries: [delivery(84, 42, { kind: 'request', id: 20 }), delivery(83, 41, BY_CONTROL)],
  })
  // Deliveries have taken the places of their attempts.
  const expected = ['c5', 'f41', 'd83', 'r17', 'r18', 'r20', 'f42', 'd84']
  for (const key of expected) t.strictSame(chainOf(past, linksOf(past), key), expected, key)
})

t.test('changes that were undone do not belong to the call that made others with their ids', async (t) => {
  const past = historyOf({
    requests: [recorded(20, [42]), recorded(17, [42])],
    controlCalls: [],
    facts: [pastFact(42, { kind: 'request', id: 20 })],
    deliveries: [delivery(84, 42, { kind: 'request', id: 20 })],
  })
  t.strictSame(chainOf(past, linksOf(past), 'f42'), ['r20', 'f42', 'd84'])
  t.strictSame(chainOf(past, linksOf(past), 'r17'), ['r17'])
})

t.test('guessed causes that form a circle end', async (t) => {
  const circle = entriesOf([fact(41, { kind: 'request', id: 17 }), attempt(83, 1, 41), request(17, {})])
  const guessed = entriesOf([request(17, { changes: [41], after_delivery: { id: 83, n: 1, inferred: true } })])
  const all = addEntries(circle, guessed)
  t.strictSame(chainOf(all, linksOf(all), 'f41').toSorted(), ['a83.1', 'f41', 'r17'])
})

t.test('entries are ordered by real time, whatever the clock of the world says', async (t) => {
  const back = { ...fact(44, null), at: after(-86_400_000), real_at: after(2500) }
  const ahead = { ...attempt(85, 1, 44), sent: after(31 * 86_400_000), real_sent: after(2600) }
  const keys = addEntries(entries, entriesOf([ahead, back, request(30, { at: after(-1) })])).map(({ key }) => key)
  t.strictSame(keys.slice(-3), ['f44', 'a85.1', 'r30'])
})

t.test('events that are missing are said in their lane; those of the clock are shown by their calls', async (t) => {
  const gaps = entriesOf([
    { type: 'gap', after: 3, first: 316 },
    { type: 'gap', kind: 'request', after: 1, first: 5 },
    { type: 'gap', kind: 'clock', after: 1, first: 3 },
  ])
  t.strictSame(
    gaps.map(({ lane, event }) => [lane, event]),
    [
      ['changes', { type: 'gap', after: 3, first: 316 }],
      ['calls', { type: 'gap', kind: 'request', after: 1, first: 5 }],
    ],
  )
})

t.test('the chain of a program that polls ends at the read that it repeats', async (t) => {
  const poll = (id: number, delivery: number) =>
    request(id, { path: `/questions/search?n=${id}`, after_delivery: { id: delivery, n: 1, inferred: true } })
  const polled = addEntries(
    entries,
    entriesOf([
      poll(21, 83),
      poll(22, 83),
      request(23, { after_delivery: { id: 84, n: 1, inferred: true } }),
      poll(24, 84),
    ]),
  )
  const polledLinks = linksOf(polled)
  t.strictSame(chainOf(polled, polledLinks, 'c5').toSorted(), [...ALL, 'r21'].toSorted())
  for (const key of ['r22', 'r23', 'r24']) t.strictSame(chainOf(polled, polledLinks, key), [key], key)
})

t.test('filters keep lines with an entry that passes all; a lane leaves its own', async (t) => {
  const rows = rowsOf(entries, links)
  const keysOf = (query: Parameters<typeof select>[1]) =>
    select(rows, query).map(({ cells }) => cells.flatMap((cell) => cell?.key ?? []).join(' '))
  t.equal(select(rows, { q: '' }), rows)
  t.strictSame(keysOf({ status: 'refused' }), ['r18'])
  t.strictSame(keysOf({ status: '4xx', user: '1' }), ['r18'])
  t.strictSame(keysOf({ status: '5xx' }), [])
  t.strictSame(keysOf({ user: '2' }), [])
  t.strictSame(keysOf({ q: 'CURRENCIES' }), ['r19'])
  t.strictSame(keysOf({ topic: 'questions' }), ['c5 f41 a83.1', 'r20 f42 a84.1', 'a84.2'])
  t.strictSame(keysOf({ topic: 'items' }), [])
  t.strictSame(keysOf({ lane: 'webhooks', status: '2xx' }), ['a83.1', 'a84.1', 'a84.2'])
})
