import type Sqlite from 'better-sqlite3'
import { averages, REPORT_WINDOW_MS } from '../domains/questions/averages.ts'
import type { Told } from './processes.ts'
import { ask, get } from './requests.ts'
import { itemId, NOW, questionId, type Shape } from './scale_world.ts'

/** One call and what it must answer, by the rows themselves. */
export interface Asked {
  path: string
  expected(): unknown
}

export interface ScaleCase {
  name: string
  /**
   * What it reads is bounded, by hours or by rows, of which the smallest world has few: no goal is set for its growth.
   */
  isBounded?: boolean
  /** The n-th call; any n from 0. */
  call(n: number): Asked
  /** What of an answer is compared. */
  told(body: never): unknown
}

const HOUR = 3_600_000
const DAY = 24 * HOUR
const PAGE = 50
const PLACES = 200

interface Page {
  total: number
  questions: { id: number }[]
  scroll_id?: string | null
}
interface Total {
  total: number
}

/** The calls, all of the large seller. */
export async function casesOf(
  { world, server, db }: { world: Shape; server: Told; db: Sqlite.Database },
  wanted: (name: string) => boolean,
) {
  const seller = server.told.sellers[0]!
  const { origin } = db.prepare('SELECT origin FROM world').get() as { origin: number }
  const listing = (n: number) => itemId((n * 7919) % world.items)
  const ownListing = (n: number) => itemId((n * 7919) % world.own)
  const iso = (ms: number) => new Date(ms).toISOString()

  const where = (item?: string) =>
    item ? 'item_id = :item AND user_id = (SELECT seller_id FROM item WHERE id = :item)' : 'user_id = :user'
  const counted = (item: string | undefined, from: number, to: number) =>
    db
      .prepare<[object], number>(
        `SELECT count(*) FROM contact_event WHERE ${where(item)} AND kind = 'phone_views' AND at >= :from AND at < :to`,
      )
      .pluck()
      .get({ item, user: seller.id, from: from - origin, to: to - origin })!
  const total = (name: string, days: number, item?: (n: number) => string): ScaleCase => ({
    name,
    isBounded: days > 30,
    call(n) {
      const to = NOW - (n % 1000) * 61_000
      const from = to - days * DAY
      const subject = item ? `/items/${item(n)}` : `/users/${seller.id}`
      return {
        path: `${subject}/contacts/phone_views?date_from=${iso(from)}&date_to=${iso(to)}`,
        expected: () => counted(item?.(n), from, to),
      }
    },
    told: ({ total }: Total) => total,
  })

  // Days begin at 04:00Z.
  const midnight = Math.floor((NOW - 4 * HOUR) / DAY) * DAY + 4 * HOUR
  const series = (name: string, last: number, unit: 'day' | 'hour', item?: (n: number) => string): ScaleCase => ({
    name,
    call(n) {
      const size = unit === 'day' ? DAY : HOUR
      const end = (unit === 'day' ? midnight : Math.floor(NOW / HOUR) * HOUR) + size - (n % 24) * size
      const subject = item ? `/items/${item(n)}` : `/users/${seller.id}`
      return {
        path: `${subject}/contacts/phone_views/time_window?last=${last}&unit=${unit}&ending=${iso(end - 1)}`,
        expected: () => [last, counted(item?.(n), end - last * size, end)],
      }
    },
    told: ({ total, results }: Total & { results: unknown[] }) => [results.length, total],
  })
  const several: ScaleCase = {
    name: '50 listings, 30 days each',
    call(n) {
      const ids = Array.from({ length: Math.min(PAGE, world.items) }, (_, k) => listing(n * PAGE + k))
      const end = midnight + DAY
      return {
        path: `/items/contacts/phone_views/time_window?last=30&unit=day&ending=${iso(end - 1)}&ids=${ids.join(',')}`,
        expected: () => ids.map((id) => counted(id, end - 30 * DAY, end)),
      }
    },
    told: (all: Total[]) => all.map(({ total }) => total),
  }

  interface Search {
    query: string
    condition: string
    order?: string
    skip?: number
    limit?: number
  }
  const shown = (condition: string) =>
    `FROM question WHERE ${condition}${condition.includes('status') ? '' : ` AND status NOT IN ('DELETED', 'BANNED')`}`
  const search = (name: string, of: (n: number) => Search, more: Partial<ScaleCase> = {}): ScaleCase => ({
    name,
    call(n) {
      const { query, condition, order = 'date_created DESC, id DESC', skip = 0, limit = PAGE } = of(n)
      return {
        path: `/questions/search?${query}&limit=${limit}&offset=${skip}`,
        expected: () => {
          const total = db
            .prepare<[], number>(`SELECT count(*) ${shown(condition)}`)
            .pluck()
            .get()
          const page = `SELECT id ${shown(condition)} ORDER BY ${order} LIMIT ${limit} OFFSET ${skip}`
          return [total, ...db.prepare(page).pluck().all()]
        },
      }
    },
    told: ({ total, questions }: Page) => [total, ...questions.map(({ id }) => id)],
    ...more,
  })
  const own = `seller_id = ${seller.id} AND hidden = 0`
  const bySeller = `seller_id=${seller.id}`

  /** Pages of a scan over all that the seller has, and what they must answer. */
  async function scanned(): Promise<Asked[]> {
    const [count] = db
      .prepare<[], number>(`SELECT count(*) ${shown(own)}`)
      .pluck()
      .all()
    const pages = Math.ceil(count! / PAGE)
    const step = Math.max(1, Math.floor(pages / PLACES))
    const ids = db
      .prepare<[], number>(`SELECT id ${shown(own)} ORDER BY date_created DESC, id DESC`)
      .pluck()
      .all()
    const first = `/questions/search?${bySeller}&limit=${PAGE}&search_type=scan`
    const places: Asked[] = []
    let scroll: string | null | undefined
    for (let page = 0; scroll !== null; page++) {
      const path: string = scroll ? `${first}&scroll_id=${scroll}` : first
      const { body } = await ask(server, get(path, seller.token))
      const answered = JSON.parse(body) as Page
      const expected = ids.slice(page * PAGE, (page + 1) * PAGE)
      const told = answered.questions.map(({ id }) => id)
      if (JSON.stringify(told) !== JSON.stringify(expected)) throw new Error(`page ${page} of a scan answers ${told}`)
      if (page % step === step - 1) places.push({ path, expected: () => [count, ...expected] })
      scroll = answered.scroll_id
    }
    return places
  }
  const places = wanted('scan by seller, any of its pages') ? await scanned() : []

  const reportFor = (now: number) => {
    const rows = db
      .prepare<[object], { date_created: number; answered_at: number | null }>(
        `SELECT date_created, answered_at FROM question WHERE seller_id = :seller AND first_of_buyer = 1
         AND status NOT IN ('DELETED', 'BANNED') AND date_created BETWEEN :since AND :now`,
      )
      .all({ seller: seller.id, since: now - REPORT_WINDOW_MS, now })
    const { total, weekend, weekdays_working_hours, weekdays_extra_hours } = averages(rows, now)
    return [total, weekend, weekdays_working_hours, weekdays_extra_hours]
  }
  interface Minutes {
    response_time: number
  }
  const report: ScaleCase = {
    name: 'response time',
    isBounded: true,
    call: () => ({ path: `/users/${seller.id}/questions/response_time`, expected: () => reportFor(NOW) }),
    told: (body: Record<'total' | 'weekend' | 'weekdays_working_hours' | 'weekdays_extra_hours', Minutes>) =>
      [body.total, body.weekend, body.weekdays_working_hours, body.weekdays_extra_hours].map((p) => p.response_time),
  }

  const question: ScaleCase = {
    name: 'question',
    call(n) {
      const id = questionId((n * 7919) % world.questions)
      const gone = db.prepare<[number], number>(`SELECT status IN ('DELETED', 'BANNED') FROM question WHERE id = ?`)
      const shownId = gone.pluck().get(id) === 1 ? questionId(0) : id
      return { path: `/questions/${shownId}`, expected: () => shownId }
    },
    told: ({ id }: { id: number }) => id,
  }

  return [
    total('total of a listing, 30 days', 30, listing),
    total('total of a seller, 30 days', 30),
    total('total of a seller, 170 days', 170),
    series('series of a listing, 30 days', 30, 'day', listing),
    series('series of a seller, 30 days', 30, 'day'),
    series('series of a seller, 168 hours', 168, 'hour'),
    several,
    question,
    search('search by seller', () => ({ query: bySeller, condition: own })),
    search('count by seller', () => ({ query: bySeller, condition: own, limit: 0 })),
    search('search by seller and status', (n) => {
      const status = ['UNANSWERED', 'ANSWERED', 'DELETED'][n % 3]
      return { query: `${bySeller}&status=${status}`, condition: `${own} AND status = '${status}'` }
    }),
    search('search by seller and dates', (n) => {
      const until = NOW - (n % 60) * DAY - (n % 7) * HOUR
      const since = until - 90 * DAY
      return {
        query: `${bySeller}&date_created.from=${iso(since)}&date_created.to=${iso(until)}`,
        condition: `${own} AND date_created >= ${since} AND date_created < ${until}`,
      }
    }),
    search('search by seller, offset 950', () => ({ query: bySeller, condition: own, skip: 950 }), { isBounded: true }),
    search('search by seller and listing', (n) => ({
      query: `${bySeller}&item=${ownListing(n)}`,
      condition: `${own} AND item_id = '${ownListing(n)}'`,
    })),
    search('search by listing', (n) => ({
      query: `item=${listing(n)}`,
      condition: `item_id = '${listing(n)}'`,
    })),
    search('search by seller, by listing', () => ({
      query: `${bySeller}&sort_fields=item_id&sort_types=ASC`,
      condition: own,
      order: 'item_id, id',
    })),
    search('search by seller, by asker', () => ({
      query: `${bySeller}&sort_fields=from_id&sort_types=ASC`,
      condition: own,
      order: 'from_id, id',
    })),
    {
      name: `scan by seller, any of its pages`,
      call: (n: number) => places[(n * 7919) % places.length]!,
      told: ({ total, questions }: Page) => [total, ...questions.map(({ id }) => id)],
    },
    report,
  ] as ScaleCase[]
}
