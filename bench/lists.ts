import { join } from 'node:path'
import { FIRST_QUESTION, insertQuestions, numbers, writeMany } from './many_rows.ts'
import { type Measurement, measurementsTable } from './measurements.ts'
import { folder, ourServer, progress } from './processes.ts'
import { get, sendRequest } from './requests.ts'
import { median, two, whole } from './tables.ts'
import { startWatchedServer, type WatchedServer } from './watched_server.ts'

// Pages of 50 out of many rows that are as uneven as possible: one seller has all, one buyer has 670,000 answers, and
// one listing a tenth of them.

const QUESTIONS = 1_000_000
const LEADS = 200_000
const CALLS = 15
const MAX_QUESTIONS_MS = 40
const MAX_LEADS_MS = 20
const MAX_OVERVIEW_MS = 20
const MAX_TURN_MS = 100

const DAY = 24 * 3_600_000
const SPAN = 180 * DAY
/** Leads of a search are at most three months old. */
const LEAD_SPAN = 80 * DAY

interface List {
  name: string
  path: string
  /** Default: the seller. */
  as?: 'buyer'
  maxMs: number
}

/** Pages of questions and leads with every combination of filters, and the time that a migration of them takes. */
export async function measureLists(wanted: string[] = []): Promise<string> {
  const data = join(folder, 'lists')
  const { world, stop } = await ourServer(data)
  await stop()
  const [seller, buyer] = [world.sellers[0]!, world.buyers[0]!]
  const begun = performance.now()
  fill(join(data, 'world-1.sqlite'), seller.id, buyer.id)
  progress(`${QUESTIONS} questions and ${LEADS} leads in ${whole((performance.now() - begun) / 1000)} s`)
  const server = await startWatchedServer(data)
  try {
    const measurements: Measurement[] = []
    for (const list of [OVERVIEW, ...questionLists(seller.id, buyer.id), ...leadLists(seller.id, buyer.id)])
      if (wanted.length === 0 || wanted.some((part) => list.name.includes(part)))
        measurements.push(await measureList(server, list, list.as === 'buyer' ? buyer.token : seller.token))
    return measurementsTable(measurements)
  } finally {
    await server.stop()
  }
}

let serial = 0
/** An unused parameter makes each call unique, so that none is answered from a cache; control calls are never cached. */
const uncached = (path: string) => `${path}&n=${++serial}`

async function measureList(server: WatchedServer, { name, path, maxMs }: List, token: string): Promise<Measurement> {
  const ms: number[] = []
  await server.loopReport()
  for (let n = 0; n < CALLS; n++) {
    const start = performance.now()
    const { status, body } = await sendRequest(server, get(path.startsWith('/_sandbox') ? path : uncached(path), token))
    ms.push(performance.now() - start)
    if (status !== 200) throw new Error(`${path} answers ${status} ${body}`)
  }
  const { longestCpu } = await server.loopReport()
  progress(`${name}: ${two(median(ms))} ms`)
  return {
    name,
    value: `${two(median(ms))} ms, at most ${two(Math.max(...ms))}; longest turn ${two(longestCpu)} ms`,
    goal: `${maxMs} ms, ${MAX_TURN_MS}`,
    isMet: median(ms) <= maxMs && longestCpu <= MAX_TURN_MS,
  }
}

const OVERVIEW: List = { name: 'control overview', path: '/_sandbox/overview', maxMs: MAX_OVERVIEW_MS }

function questionLists(seller: number, buyer: number): List[] {
  const item = 'MLA1400000001'
  const until = new Date(Date.now() - 30.3 * DAY).toISOString()
  const since = new Date(Date.now() - 170.6 * DAY).toISOString()
  const period = `date_created.from=${since}&date_created.to=${until}`
  const controlled = [
    '',
    `seller_id=${seller}`,
    `item_id=${item}`,
    `seller_id=${seller}&item_id=${item}`,
    `from=${buyer}`,
    `from=${buyer}&since=${since}`,
    `since=${since}&until=${until}`,
    `seller_id=${seller}&until=${until}`,
    `before=${FIRST_QUESTION + QUESTIONS / 2}`,
    'q=azul',
    'q=nowhere',
    ...['ANSWERED', 'UNANSWERED', 'DISABLED', 'UNDER_REVIEW'].flatMap((status) => [
      `status=${status}`,
      `seller_id=${seller}&status=${status}`,
      `item_id=${item}&status=${status}`,
    ]),
  ].map((query) => ({ name: `control ${query || 'all'}`, path: `/_sandbox/questions?limit=50&${query}` }))
  const filters = ['', `item=${item}`, `from=${buyer}`, `item=${item}&from=${buyer}`].flatMap((filter) =>
    ['', 'status=answered', 'status=unanswered', 'status=disabled', period].map((more) =>
      [filter, more].filter(Boolean).join('&'),
    ),
  )
  const search = (query: string) => `/questions/search?limit=50&${query}`
  const searches = filters.flatMap((query): Omit<List, 'maxMs'>[] => [
    { name: `search ${query || 'received'}`, path: search(query) },
    { name: `search of the seller ${query}`, path: search(`seller_id=${seller}&${query}`) },
    ...(query === '' ? [] : [{ name: `search by the buyer ${query}`, path: search(query), as: 'buyer' as const }]),
  ])
  return [...controlled, ...searches].map((list) => ({ ...list, maxMs: MAX_QUESTIONS_MS }))
}

function leadLists(seller: number, buyer: number): List[] {
  const iso = (ms: number) => new Date(ms).toISOString().slice(0, 19)
  const dates = `date_from=${iso(Date.now() - LEAD_SPAN)}&date_to=${iso(Date.now())}`
  const search = `/vis/loans/search?seller_id=${seller}&${dates}&limit=50`
  return [
    ...['', 'status=all', 'status=rejected', 'status=all&financial_entity_id=SCOTIA', 'item_id=MLA1400000001'].map(
      (query) => ({ name: `leads ${query || 'approved'}`, path: `${search}&${query}` }),
    ),
    ...[
      '',
      `seller_id=${seller}`,
      'status=rejected',
      `seller_id=${seller}&status=rejected`,
      `buyer_id=${buyer}`,
      'expired=true',
      'expired=false',
    ].map((query) => ({
      name: `control leads ${query || 'all'}`,
      path: `/_sandbox/loans?limit=50&${query}`,
    })),
  ].map((list) => ({ ...list, maxMs: MAX_LEADS_MS }))
}

function fill(file: string, seller: number, buyer: number): void {
  const now = Date.now()
  writeMany(file, ['question', 'credit_lead'], (draft) => {
    insertQuestions(draft, { count: QUESTIONS, seller, buyer, now, span: SPAN })
    draft.run(
      `${numbers(LEADS)} INSERT INTO credit_lead (id, item_id, seller_id, buyer_id, down_payment_amount, installments_number,
       installments_amount, financial_entity_id, status, date_created)
     SELECT printf('00000000-0000-4000-8000-%012x', n), 'MLA' || (1400000001 + n % 10), ${seller}, ${buyer}, 1000, 12, 100,
       CASE n % 3 WHEN 0 THEN 'SCOTIA' ELSE 'MERCADO_PAGO' END, CASE n % 4 WHEN 0 THEN 'rejected' ELSE 'approved' END,
       ${now - LEAD_SPAN} + n / 50 * 50 * ${LEAD_SPAN / LEADS}
     FROM number`,
    )
  })
}
