import Sqlite from 'better-sqlite3'
import type { WorldInfo } from '../control/worlds/world_info.ts'
import { configurationQuery } from './configuration.ts'
import { get, post } from './requests.ts'

// The requests that both our server and minimal.ts are measured with.

export const READ_GOAL = 0.85
export const WRITE_GOAL = 0.8
/** The minimal server answers a prepared object and runs no query. */
const QUERY_GOAL = 0.7
/** Unanswered questions, which POST /answers uses up. */
export const POOL = 100_000

const DAY = 24 * 3_600_000

export interface Case {
  name: string
  goal: number
  /** Writes rows that the case needs to the file that both servers get a copy of. */
  prepare?(db: Sqlite.Database): void
  /** The number of different requests. */
  distinct: number
  /** The n-th request as its bytes. */
  request(n: number): string
  /** Number of requests in a warm-up of about half a second. */
  warmUp: number
}

/** The cases on a demo world; `file` is read for ids only. */
export function casesOf(world: WorldInfo, file: string): Case[] {
  const db = new Sqlite(file, { readonly: true })
  try {
    return [
      ...questionReads(world, db),
      ...configurationReads(world, db),
      leadSearch(world),
      askCase(world, db),
      answerCase(world, db),
    ]
  } finally {
    db.close()
  }
}

function questionReads({ sellers }: WorldInfo, db: Sqlite.Database): Case[] {
  const seller = sellers[0]!
  const questions = db
    .prepare<[number], number>(`SELECT id FROM question WHERE seller_id = ? AND status <> 'DELETED' LIMIT 256`)
    .pluck()
    .all(seller.id)
  return [
    {
      name: 'question',
      goal: READ_GOAL,
      distinct: questions.length,
      request: (n) => get(`/questions/${questions[n]}`, seller.token),
      warmUp: 6000,
    },
    {
      name: 'search',
      goal: READ_GOAL,
      distinct: 1,
      request: () => get(`/questions/search?seller_id=${seller.id}&limit=50`, seller.token),
      warmUp: 1500,
    },
    {
      name: 'series',
      goal: READ_GOAL,
      distinct: sellers.length,
      request: (n) => get(`/users/${sellers[n]!.id}/contacts/phone_views/time_window?last=30&unit=day`, seller.token),
      warmUp: 3000,
    },
  ]
}

function configurationReads({ sellers }: WorldInfo, db: Sqlite.Database): Case[] {
  const subscriptions = db
    .prepare<[], { user_id: number; site_id: string; service_id: number }>(
      `SELECT user_id, site_id, service_id FROM flex_subscription WHERE mode = 'FLEX' AND status = 'in'`,
    )
    .all()
  const tokens = new Map(sellers.map(({ id, token }) => [id, token]))
  const request = ({ user_id, site_id, service_id }: (typeof subscriptions)[number], blanks: string) =>
    post(`/shipping/flex/sites/${site_id}/configuration/v3`, tokens.get(user_id)!, {
      query: configurationQuery(user_id, service_id) + blanks,
    })
  return [
    {
      // The same query repeatedly, as from a client that polls: it is not executed again.
      name: 'configuration',
      goal: QUERY_GOAL,
      distinct: subscriptions.length,
      request: (n) => request(subscriptions[n]!, ''),
      warmUp: 4000,
    },
    {
      // For comparison: more query texts than are cached, so that each is parsed, validated and executed.
      name: 'new query',
      goal: 0,
      distinct: 100 * subscriptions.length,
      request: (n) => request(subscriptions[n % subscriptions.length]!, ' '.repeat(n / subscriptions.length)),
      warmUp: 500,
    },
  ]
}

function leadSearch({ sellers }: WorldInfo): Case {
  const seller = sellers.find(({ site_id }) => site_id === 'MLB')!
  const day = (days: number) => `${new Date(Date.now() + days * DAY).toISOString().slice(0, 10)}T00:00:00`
  return {
    name: 'leads',
    goal: READ_GOAL,
    distinct: 1,
    prepare(db) {
      const insert = db.prepare(
        `INSERT INTO credit_lead (id, item_id, seller_id, buyer_id, down_payment_amount, installments_number,
         installments_amount, proposal_id, financial_entity_id, status, date_created)
         VALUES (?, 'MLB1400000015', ?, 2500000211, 15000.5, 48, 1234.56, '1234567', 'SANTANDER', 'approved', ?)`,
      )
      for (let n = 0; n < 1000; n++)
        insert.run(`00000000-0000-4000-8000-${String(n).padStart(12, '0')}`, seller.id, Date.now() - n * 3_600_000)
    },
    request: () =>
      get(`/vis/loans/search?seller_id=${seller.id}&date_from=${day(-80)}&date_to=${day(2)}&limit=100`, seller.token),
    warmUp: 1500,
  }
}

function askCase({ buyers }: WorldInfo, db: Sqlite.Database): Case {
  const askable = db
    .prepare<[number, number], string>(
      `SELECT id FROM item WHERE status = 'active' AND seller_id <> ?
       AND seller_id NOT IN (SELECT seller_id FROM blocked_buyer WHERE buyer_id = ?)`,
    )
    .pluck()
  const pairs = buyers.flatMap((buyer) => askable.all(buyer.id, buyer.id).map((item_id) => ({ buyer, item_id })))
  return {
    name: 'ask',
    goal: WRITE_GOAL,
    distinct: Number.POSITIVE_INFINITY,
    request: (n) => {
      const { buyer, item_id } = pairs[n % pairs.length]!
      return post('/questions', buyer.token, { item_id, text: `Hola, ¿tienen stock para llevar hoy? (${n})` })
    },
    warmUp: 1500,
  }
}

function answerCase({ sellers }: WorldInfo, db: Sqlite.Database): Case {
  const seller = sellers[0]!
  const item = db
    .prepare<[number], string>(`SELECT id FROM item WHERE seller_id = ? AND status = 'active' LIMIT 1`)
    .pluck()
    .get(seller.id)!
  const first = 14_000_000_000
  return {
    name: 'answer',
    goal: WRITE_GOAL,
    distinct: POOL,
    prepare(db) {
      // Three questions per buyer, so that counting a buyer's answered questions takes as long as in the demo.
      const insert = db.prepare(
        `INSERT INTO question (id, seller_id, item_id, from_id, text, status, date_created, first_of_buyer)
         VALUES (?, ?, ?, ?, 'Hola, ¿hacen envíos al interior? Gracias.', 'UNANSWERED', ?, ?)`,
      )
      const now = Date.now()
      for (let n = 0; n < POOL; n++)
        insert.run(first + n, seller.id, item, 9e9 + Math.floor(n / 3), now - 1000 * (POOL - n), n % 3 === 0 ? 1 : 0)
    },
    request: (n) =>
      post('/answers', seller.token, {
        question_id: first + n,
        text: 'Hola, ¡buen día! Sí, enviamos a todo el país.',
      }),
    warmUp: 1500,
  }
}
