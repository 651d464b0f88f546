import type { Operation } from '../support/openapi.ts'
import type { Call } from './answers.ts'
import type { Demo } from './demo.ts'
import { words } from './values.ts'

// What control calls of a batch are about. Few ids, so that calls meet what others have made; the largest among them.

/** Stands for the number of the batch's own world, in addresses and bodies. */
export const HERE = 8_765_432
/** Stands for the number of another world, the one that the batch made last. */
export const THERE = 8_765_433

const MOST = Number.MAX_SAFE_INTEGER

/** A call with the numbers of the worlds that it is about. */
export function placed({ payload, ...call }: Call, here: number, there: number): Call {
  const put = (text: string) => text.replaceAll(String(HERE), String(here)).replaceAll(String(THERE), String(there))
  const url = put(call.url)
  return payload === undefined
    ? { ...call, url }
    : { ...call, url, payload: typeof payload === 'string' ? put(payload) : payload }
}

export const USERS = [7, 8, 2_500_000_101, MOST]
const SOME_USERS = [7, 7, 7, 8, 8, 2_500_000_101, MOST]
export const ITEMS = ['MLA77', 'MLA77', 'MLA77', 'MLA1400000001', 'MLB77', 'MLV77', `MLA${'9'.repeat(20)}`]
export const tokenOf = (user: number) => `PRUEBA-${user}`
export const SECRET = 'SECRETO-DE-PRUEBA'

const QUESTIONS = [5, 5, 6, 13_000_000_001, MOST]
const SHIPMENTS = [5, 5, 43_000_000_001, MOST]
export const LEAD = '5f0c1d0e-6a52-4c1b-9d2e-3b7a8c90d1e2'
const LEADS = [LEAD, LEAD, ...words('00000000-0000-0000-0000-000000000000 FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF')]
const SERVICES = [9, 9, 736_230, 736_231, MOST]

/** Ids by what the address is of. */
const IDS: Record<string, unknown[]> = {
  users: SOME_USERS,
  items: ITEMS,
  questions: QUESTIONS,
  shipments: SHIPMENTS,
  subscriptions: [9, 9, 10, 111_181, MOST],
  loans: LEADS,
  faults: [1, 1, 2, MOST],
  applications: [HERE * 1e9 + 1, 3, 3, 3, MOST],
  notifications: [3, 3, 3, MOST],
  deliveries: [1, 1, 2, MOST],
  worlds: [HERE, THERE, THERE, 1, 999_999],
}

const FIRST = ['1970-01-01T00:00:00Z', '1970-01-01']
const LAST = ['9999-12-31T23:59:59.999Z', '9999-12-31T00:00:00Z']
const RECENT = words(
  '2026-03-07T14:59:59Z 2026-03-01T09:30:00.000-04:00 2026-02-28 2026-03-07T15:00:00Z 2025-12-07T15:00:00Z',
)

const KNOWN: Record<string, unknown[]> = {
  user_id: SOME_USERS,
  seller_id: SOME_USERS,
  buyer_id: [...SOME_USERS, null],
  from: [...SOME_USERS, null],
  user: SOME_USERS,
  item_id: ITEMS,
  application_id: IDS.applications!,
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
  offset: [0, 1, 1000, MOST],
  driver_id: [81_234_567, 1, null],
  service_id: SERVICES,
  secret: [SECRET],
  count: [1, 3, 100],
}

const NOTIFICATIONS: Record<string, unknown[]> = {
  // Nobody listens there.
  callback_url: ['http://127.0.0.1:9/hook', 'http://localhost:9/'],
  profile: ['ideal', 'realistic', 'hostile'],
  overrides: [{}, { off_after: 1, attempts_at: [0] }, { duplicates: 1, silenced: 0.5, jitter_ms: 1000 }],
  topics: [['questions'], ['items', 'questions'], []],
}

const ASSUMPTIONS: Record<string, unknown[]> = {
  name: words('contacts.current_bucket contacts.current_bucket contacts.day_offset contacts.auth auth.query_token'),
  value: words('include exclude exclude -04:00 +05:00 optional required accept reject'),
}

/** What exists for a member or parameter of an operation, or may. */
export function knownOf({ method, path }: Operation, name: string): unknown[] | undefined {
  const of = path.split('/').findLast((part) => !part.startsWith('{') && part !== 'restore')!
  if (of === 'worlds' && method === 'DELETE') return [THERE, 999_999]
  if (name === 'id') return IDS[of]
  if (of === 'worlds' && name === 'from') return [HERE, HERE, 999_999]
  if (of === 'assumptions') return ASSUMPTIONS[name]
  if (of === 'notifications' && name !== 'id') return NOTIFICATIONS[name]
  if (of === 'world' && Object.hasOwn(NOTIFICATIONS, name)) return NOTIFICATIONS[name]
  return Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined
}

const MEMBERS =
  'address { city { id } } subscription { status { id } training_times { remaining { value } activation_date } } delivery_ranges { week { from } } working_days zones { id selected } radius availables { cutoff }'

/** The same for the emulated API, whose calls are tried on what the control calls have left. */
export const PUBLIC: Demo = {
  home: HERE,
  tokens: SOME_USERS.map(tokenOf),
  secrets: [...USERS.map(tokenOf), SECRET],
  known: {
    ...KNOWN,
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
