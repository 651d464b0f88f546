import { averages, REPORT_WINDOW_MS } from '../domains/questions/averages.ts'
import { get, sendRequest } from './requests.ts'
import type { ExpectedCall, ScaleCase, ScaleTarget } from './scale_cases.ts'
import { itemId, NOW, questionId } from './scale_world.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const PAGE = 50
/** Pages of a scan that are measured. */
const SCANNED_PAGES = 200
const SCAN = 'scan by seller, any of its pages'

interface Page {
  total: number
  questions: { id: number }[]
  scroll_id?: string | null
}
interface Search {
  query: string
  condition: string
  order?: string
  skip?: number
  limit?: number
}

const comparedPage = ({ total, questions }: Page) => [total, ...questions.map(({ id }) => id)]
const visible = (condition: string) =>
  `FROM question WHERE ${condition}${condition.includes('status') ? '' : ` AND status NOT IN ('DELETED', 'BANNED')`}`

/** One question, searches, a scan, and the response time of the large seller. */
export async function questionCases(target: ScaleTarget, isWanted: (name: string) => boolean): Promise<ScaleCase[]> {
  const pages = isWanted(SCAN) ? await scanAll(target) : []
  return [
    oneQuestion(target),
    ...searches(target),
    { name: SCAN, call: (n) => pages[(n * 7919) % pages.length]!, compared: comparedPage },
    responseTime(target),
  ]
}

function oneQuestion({ world, db }: ScaleTarget): ScaleCase {
  const isHidden = db
    .prepare<[number], number>(`SELECT status IN ('DELETED', 'BANNED') FROM question WHERE id = ?`)
    .pluck()
  return {
    name: 'question',
    call(n) {
      const wanted = questionId((n * 7919) % world.questions)
      const id = isHidden.get(wanted) === 1 ? questionId(0) : wanted
      return { path: `/questions/${id}`, expected: () => id }
    },
    compared: ({ id }: { id: number }) => id,
  }
}

const sellerConditions = ({ server }: ScaleTarget) => {
  const { id } = server.world.sellers[0]!
  return { query: `seller_id=${id}`, condition: `seller_id = ${id} AND hidden = 0` }
}

function searches(target: ScaleTarget): ScaleCase[] {
  const { world } = target
  const { query, condition } = sellerConditions(target)
  const listing = (n: number) => itemId((n * 7919) % world.items)
  const ownListing = (n: number) => itemId((n * 7919) % world.own)
  const search = (name: string, searchOf: (n: number) => Search, isBounded = false): ScaleCase =>
    searchCase(target, name, searchOf, isBounded)
  return [
    search('search by seller', () => ({ query, condition })),
    search('count by seller', () => ({ query, condition, limit: 0 })),
    search('search by seller and status', (n) => {
      const status = ['UNANSWERED', 'ANSWERED', 'DELETED'][n % 3]
      return { query: `${query}&status=${status}`, condition: `${condition} AND status = '${status}'` }
    }),
    search('search by seller and dates', (n) => {
      const until = NOW - (n % 60) * DAY - (n % 7) * HOUR
      const since = until - 90 * DAY
      const [from, to] = [new Date(since).toISOString(), new Date(until).toISOString()]
      return {
        query: `${query}&date_created.from=${from}&date_created.to=${to}`,
        condition: `${condition} AND date_created >= ${since} AND date_created < ${until}`,
      }
    }),
    search('search by seller, offset 950', () => ({ query, condition, skip: 950 }), true),
    search('search by seller and listing', (n) => ({
      query: `${query}&item=${ownListing(n)}`,
      condition: `${condition} AND item_id = '${ownListing(n)}'`,
    })),
    search('search by listing', (n) => ({ query: `item=${listing(n)}`, condition: `item_id = '${listing(n)}'` })),
    search('search by seller, by listing', () => ({
      query: `${query}&sort_fields=item_id&sort_types=ASC`,
      condition,
      order: 'item_id, id',
    })),
    search('search by seller, by asker', () => ({
      query: `${query}&sort_fields=from_id&sort_types=ASC`,
      condition,
      order: 'from_id, id',
    })),
  ]
}

function searchCase({ db }: ScaleTarget, name: string, searchOf: (n: number) => Search, isBounded: boolean): ScaleCase {
  return {
    name,
    isBounded,
    call(n) {
      const { query, condition, order = 'date_created DESC, id DESC', skip = 0, limit = PAGE } = searchOf(n)
      return {
        path: `/questions/search?${query}&limit=${limit}&offset=${skip}`,
        expected() {
          const total = db
            .prepare<[], number>(`SELECT count(*) ${visible(condition)}`)
            .pluck()
            .get()
          const page = `SELECT id ${visible(condition)} ORDER BY ${order} LIMIT ${limit} OFFSET ${skip}`
          return [total, ...db.prepare(page).pluck().all()]
        },
      }
    },
    compared: comparedPage,
  }
}

/** Checks every page of a scan over the seller's questions, and returns some of them. */
async function scanAll(target: ScaleTarget): Promise<ExpectedCall[]> {
  const { server, db } = target
  const { query, condition } = sellerConditions(target)
  const ids = db
    .prepare<[], number>(`SELECT id ${visible(condition)} ORDER BY date_created DESC, id DESC`)
    .pluck()
    .all()
  const step = Math.max(1, Math.floor(Math.ceil(ids.length / PAGE) / SCANNED_PAGES))
  const first = `/questions/search?${query}&limit=${PAGE}&search_type=scan`
  const pages: ExpectedCall[] = []
  let scroll: string | null | undefined
  for (let n = 0; scroll !== null; n++) {
    const path: string = scroll ? `${first}&scroll_id=${scroll}` : first
    const page = JSON.parse((await sendRequest(server, get(path, server.world.sellers[0]!.token))).body) as Page
    const expected = ids.slice(n * PAGE, (n + 1) * PAGE)
    const actual = page.questions.map(({ id }) => id)
    if (JSON.stringify(actual) !== JSON.stringify(expected)) throw new Error(`page ${n} of a scan answers ${actual}`)
    if (n % step === step - 1) pages.push({ path, expected: () => [ids.length, ...expected] })
    scroll = page.scroll_id
  }
  return pages
}

interface Minutes {
  response_time: number
}

function responseTime({ server, db }: ScaleTarget): ScaleCase {
  const seller = server.world.sellers[0]!.id
  return {
    name: 'response time',
    isBounded: true,
    call: () => ({
      path: `/users/${seller}/questions/response_time`,
      expected() {
        const rows = db
          .prepare<[object], { date_created: number; answered_at: number | null }>(
            `SELECT date_created, answered_at FROM question WHERE seller_id = :seller AND first_of_buyer = 1
             AND status NOT IN ('DELETED', 'BANNED') AND date_created BETWEEN :since AND :now`,
          )
          .all({ seller, since: NOW - REPORT_WINDOW_MS, now: NOW })
        const { total, weekend, weekdays_working_hours, weekdays_extra_hours } = averages(rows, NOW)
        return [total, weekend, weekdays_working_hours, weekdays_extra_hours]
      },
    }),
    compared: (body: Record<'total' | 'weekend' | 'weekdays_working_hours' | 'weekdays_extra_hours', Minutes>) =>
      [body.total, body.weekend, body.weekdays_working_hours, body.weekdays_extra_hours].map((p) => p.response_time),
  }
}
