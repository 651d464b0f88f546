import type { Operation } from '../support/openapi.ts'
import type { Call } from './answers.ts'
import type { DemoValues } from './demo.ts'
import { words } from './values.ts'

// The values of control calls. Few ids, so that calls reach entities of earlier calls; the largest ids among them.

/** A placeholder for the number of the world under test, in URLs and bodies. */
export const THIS_WORLD = 8_765_432
/** A placeholder for the number of the world created last. */
export const OTHER_WORLD = 8_765_433

const MAX = Number.MAX_SAFE_INTEGER

/** A placeholder for the message after a sale that was written last, whose id follows from the number of its world. */
export const LAST_MESSAGE = '0123456789abcdef0123456789abcdef'

export interface Known {
  thisWorld: number
  otherWorld: number
  lastMessage: string
}

/** Replaces the placeholders by what they stand for. */
export function withKnown({ payload, ...call }: Call, { thisWorld, otherWorld, lastMessage }: Known): Call {
  const replaceAll = (text: string) =>
    text
      .replaceAll(String(THIS_WORLD), String(thisWorld))
      .replaceAll(String(OTHER_WORLD), String(otherWorld))
      .replaceAll(LAST_MESSAGE, lastMessage)
  const url = replaceAll(call.url)
  return payload === undefined
    ? { ...call, url }
    : { ...call, url, payload: typeof payload === 'string' ? replaceAll(payload) : payload }
}

export const USERS = [7, 8, 2_500_000_101, MAX]
const SOME_USERS = [7, 7, 7, 8, 8, 2_500_000_101, MAX]
export const ITEMS = ['MLA77', 'MLA77', 'MLA77', 'MLA1400000001', 'MLB77', 'MLV77', `MLA${'9'.repeat(20)}`]
export const tokenOf = (user: number) => `PRUEBA-${user}`
export const SECRET = 'SECRETO-DE-PRUEBA'

const QUESTIONS = [5, 5, 6, 13_000_000_001, MAX]
const SHIPMENTS = [5, 5, 43_000_000_001, MAX]
export const LEAD = '5f0c1d0e-6a52-4c1b-9d2e-3b7a8c90d1e2'
const LEADS = [LEAD, LEAD, ...words('00000000-0000-0000-0000-000000000000 FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF')]
/** Of an empty world: one without payment, and one that is paid. */
const ORDERS = [2_000_010_000_000_001, 2_000_010_000_000_002, 2_000_010_000_000_002, MAX]
const SERVICES = [9, 9, 736_230, 736_231, MAX]

const SUBSCRIPTIONS = [9, 9, 10, 111_181, MAX]

/** Ids by the resource in the path. */
const IDS: Record<string, unknown[]> = {
  users: SOME_USERS,
  items: ITEMS,
  questions: QUESTIONS,
  shipments: SHIPMENTS,
  subscriptions: SUBSCRIPTIONS,
  configuration: SUBSCRIPTIONS,
  zones: SUBSCRIPTIONS,
  loans: LEADS,
  orders: ORDERS,
  messages: [LAST_MESSAGE, LAST_MESSAGE, 'f'.repeat(32)],
  claims: [5_300_000_001, 5_300_000_001, 5_300_000_002, MAX],
  faults: [1, 1, 2, MAX],
  stubs: [1, 1, 2, MAX],
  applications: [THIS_WORLD * 1e9 + 1, 3, 3, 3, MAX],
  notifications: [3, 3, 3, MAX],
  deliveries: [1, 1, 2, MAX],
  requests: [1, 1, 2, MAX],
  worlds: [THIS_WORLD, OTHER_WORLD, OTHER_WORLD, 1, 999_999],
}

const FIRST = ['1970-01-01T00:00:00Z', '1970-01-01']
const LAST = ['9999-12-31T23:59:59.999Z', '9999-12-31T00:00:00Z']
const RECENT = words(
  '2026-03-07T14:59:59Z 2026-03-01T09:30:00.000-04:00 2026-02-28 2026-03-07T15:00:00Z 2025-12-07T15:00:00Z',
)

const VALUES: Record<string, unknown[]> = {
  user_id: SOME_USERS,
  seller_id: SOME_USERS,
  buyer_id: [...SOME_USERS, null],
  from: [...SOME_USERS, null],
  user: SOME_USERS,
  buyer: SOME_USERS,
  item_id: ITEMS,
  application_id: IDS.applications!,
  order_id: ORDERS,
  token: SOME_USERS.map(tokenOf),
  name: ['a', 'a', 'b_2'],
  nickname: ['TIENDA', 'tienda', 'OTRA TIENDA'],
  now: [...RECENT, ...RECENT, ...FIRST, ...LAST],
  at: [...RECENT, ...FIRST],
  date_created: [...RECENT, ...RECENT, ...FIRST],
  by: words('PT2H P1D -P1D PT0S P7W P30D -PT0.5S P2900000D -P20000D'),
  city: ['Buenos Aires', 'buenos aires', 'São Paulo', 'San Justo', 'Atlantis', ''],
  site_id: words('MLA MLA MLA MLB MLM MLV MPY'),
  scenario: ['empty', 'empty', 'empty', 'demo'],
  seed: [1],
  days: [1, 2],
  profile: ['quiet', 'normal'],
  path: ['/questions', '/questions/*', '*', '/users/me', '/_sandbox/users', '/items/MLA77/'],
  action: [
    { status: 503 },
    { status: 429, headers: { 'Retry-After': '1' }, body: { a: 1 } },
    { delay: 1 },
    { drop: true },
  ],
  delay: [0, 1, { min: 0, max: 1 }, { min: 2, max: 1 }],
  limit: [0, 1, 50, 1000],
  offset: [0, 1, 1000, MAX],
  driver_id: [81_234_567, 1, null],
  service_id: SERVICES,
  secret: [SECRET],
  count: [1, 3, 100],
}

const NOTIFICATIONS: Record<string, unknown[]> = {
  // A port without a listener.
  callback_url: ['http://127.0.0.1:9/hook', 'http://localhost:9/'],
  profile: ['ideal', 'realistic', 'hostile'],
  overrides: [{}, { off_after: 1, attempts_at: [0] }, { duplicates: 1, silenced: 0.5, jitter_ms: 1000 }],
  topics: [['questions'], ['items', 'questions'], []],
}

const SERIES: Record<string, unknown[]> = {
  ...{ from: RECENT, to: RECENT },
  points: [
    [{ at: '2026-03-07T14:00:00Z', total: 3 }],
    [
      { at: '2026-03-07T04:00:00Z', total: 0 },
      { at: '2026-03-06T04:00:00Z', total: 30 },
    ],
  ],
}

const FLEX: Record<string, unknown[]> = {
  delivery_ranges: [{ week: [10, 12, 14].map((from) => ({ from, to: from + 2, capacity: 30, cutoff: 12 })) }, {}],
  radius: [3000, 8000],
  zones: [[{ id: 'CABA' }], []],
}

/** Short times: a call that waits for notifications must not take long. */
const INBOX: Record<string, unknown[]> = { status: [200, 503, 302], ms: [0, 1], before: [1, 2, MAX] }

const STUBS: Record<string, unknown[]> = {
  path: ['/reviews/{id}', '/reviews/*', '/reviews/7', '/users/me', '/_sandbox/x'],
  query: [{ seller: '*' }, {}],
  answer: [{ status: 503 }, { body: { id: '{{params.id}}' }, template: true }, { body: '{{x}}', template: true }],
}

const ASSUMPTIONS: Record<string, unknown[]> = {
  name: words('contacts.current_bucket contacts.current_bucket contacts.day_offset contacts.auth auth.query_token'),
  value: words('include exclude exclude -04:00 +05:00 optional required accept reject'),
}

/** Existing or allowed values of a member or parameter of an operation. */
export function valuesFor({ method, path }: Operation, name: string): unknown[] | undefined {
  const resource = path
    .split('/')
    .findLast((part) => !part.startsWith('{') && !/^(restore|pay|cancel|refund)$/.test(part))!
  if (resource === 'worlds' && method === 'DELETE') return [OTHER_WORLD, 999_999]
  if (name === 'id') return IDS[resource]
  if (resource === 'worlds' && name === 'from') return [THIS_WORLD, THIS_WORLD, 999_999]
  if (resource === 'series' && Object.hasOwn(SERIES, name)) return SERIES[name]
  if (/^(configuration|zones)$/.test(resource)) return FLEX[name]
  if (resource === 'stubs' && Object.hasOwn(STUBS, name)) return STUBS[name]
  if (resource === 'inbox' && Object.hasOwn(INBOX, name)) return INBOX[name]
  if (resource === 'assumptions') return ASSUMPTIONS[name]
  if (resource === 'notifications' && name !== 'id') return NOTIFICATIONS[name]
  if (resource === 'world' && Object.hasOwn(NOTIFICATIONS, name)) return NOTIFICATIONS[name]
  return Object.hasOwn(VALUES, name) ? VALUES[name] : undefined
}

const MEMBERS =
  'address { city { id } } subscription { status { id } training_times { remaining { value } activation_date } } delivery_ranges { week { from } } working_days zones { id selected } radius availables { cutoff }'

/** The same for the emulated API, which is called after the control calls. */
export const EMULATED_VALUES: DemoValues = {
  worldId: THIS_WORLD,
  tokens: SOME_USERS.map(tokenOf),
  secrets: [...USERS.map(tokenOf), SECRET],
  values: {
    ...VALUES,
    from: SOME_USERS,
    buyer_id: SOME_USERS,
    site_id: words('MLA MLA MLA MLB MLV'),
    item: ITEMS,
    ids: ITEMS,
    question_id: [...QUESTIONS, ...ITEMS],
    question_ids: QUESTIONS,
    questions_ids: QUESTIONS,
    id: ['ARS'],
    last: [1, 7, 24],
    unit: ['hour', 'day'],
    shipment_id: SHIPMENTS,
    credit_id: LEADS.map((id) => id.toLowerCase()),
    date_from: [...RECENT, ...FIRST, '2026-02-01T00:00:00'],
    date_to: [...RECENT, ...LAST, '2026-03-07T15:00:00'],
    ending: [...RECENT, ...FIRST, ...LAST],
    'date_created.from': [...RECENT, ...FIRST],
    'date_created.to': [...RECENT, ...LAST],
    text: ['¿Tiene garantía?'],
    query: SOME_USERS.flatMap((user) =>
      SERVICES.map((service) => `{ configuration(user_id: ${user}, service_id: ${service}) { ${MEMBERS} } }`),
    ),
    operationName: [''],
    variables: [{}],
    delivery_ranges: [{ week: [10, 12, 14].map((from) => ({ from, to: from + 2, capacity: 30, cutoff: 12 })) }],
    zones: [[{ id: 'CABA' }]],
  },
}
