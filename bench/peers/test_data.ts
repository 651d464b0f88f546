import Sqlite from 'better-sqlite3'
import type { ReadyServer } from '../processes.ts'
import { type Answer, get, post, send, sendRequest } from '../requests.ts'

// The requests, and our answers, which the others must give too.

export const ROWS = ['question', 'page', 'series', 'me', 'missing', 'create'] as const
export type RowName = (typeof ROWS)[number]

/** Those that the other servers are measured with, too. */
export const PEER_ROWS: readonly RowName[] = ['question', 'page', 'series', 'create']

/** A request with its answer, for servers that send fixed texts. */
export interface FixedAnswer {
  row: RowName
  method: string
  path: string
  query: Record<string, string>
  status: number
  body: string
}

/** The data of a server that runs queries: only what the four answers need. */
export interface Rows {
  /** The seller's questions, newest first, as single answers and as in a search. */
  questions: object[]
  found: object[]
  /** Hours with phone views: ms since the epoch, and their number. */
  hours: [at: number, n: number][]
  buyers: { id: number; token: string }[]
  items: { id: string; seller_id: number }[]
}

export interface TestData {
  seller: number
  /** The question and the listing that the writes between reads change. */
  newest: number
  item: string
  /** Complete requests by row; several for writes. */
  requests: Record<RowName, string[]>
  fixed: FixedAnswer[]
  rows: Rows
}

/** Bytes of the body of the question that is requested, if there is one of this size. */
const TYPICAL = 435
/** Different questions that are asked. */
const ASKS = 256
const DAY = 24 * 3_600_000

/** Calls our server; `file` is a copy of its world. */
export async function collectTestData(ours: ReadyServer, file: string): Promise<TestData> {
  const { id: seller, token } = ours.world.sellers[0]!
  const json = async (text: string): Promise<Answer & { json: Record<string, unknown> }> => {
    const answer = await sendRequest(ours, text)
    if (answer.status >= 300 && answer.status !== 404) throw new Error(`${text}\n${answer.status} ${answer.body}`)
    return { ...answer, json: JSON.parse(answer.body) }
  }
  const found: { id: number }[] = []
  for (let total = 1; found.length < total; ) {
    const { json: page } = await json(
      get(`/questions/search?seller_id=${seller}&limit=50&offset=${found.length}`, token),
    )
    found.push(...(page.questions as { id: number }[]))
    total = page.total as number
  }
  const bodies = new Map<number, string>()
  for (const { id } of found) bodies.set(id, (await json(get(`/questions/${id}`, token))).body)
  const off = (id: number) => Math.abs(Buffer.byteLength(bodies.get(id)!) - TYPICAL)
  const typical = found.map(({ id }) => id).reduce((best, id) => (off(id) < off(best) ? id : best))

  const { asks, item, hours, items } = readWorldFile(file, seller, ours.world.buyers)
  const requests: TestData['requests'] = {
    question: [get(`/questions/${typical}`, token)],
    page: [get(`/questions/search?seller_id=${seller}&limit=50`, token)],
    series: [get(`/users/${seller}/contacts/phone_views/time_window?last=30&unit=day`, token)],
    // Of a seller it sums the sales, which the minimum has none of.
    me: [get('/users/me', asks[0]!.token)],
    missing: [get('/questions/1', token)],
    create: asks.map(({ token, item_id }, n) =>
      post('/questions', token, { item_id, text: `Hola, ¿tienen stock para llevar hoy? (${n})` }),
    ),
  }
  const fixed = await Promise.all(
    ROWS.map(async (row): Promise<FixedAnswer> => {
      const [text] = requests[row] as [string]
      const { status, body } = await json(text)
      const [method, target] = text.split(' ', 2) as [string, string]
      const { pathname, searchParams } = new URL(target, 'http://bench')
      return { row, method, path: pathname, query: Object.fromEntries(searchParams), status, body }
    }),
  )
  const questions = found.map(({ id }) => JSON.parse(bodies.get(id)!))
  const buyers = ours.world.buyers.map(({ id, token }) => ({ id, token }))
  return { seller, newest: found[0]!.id, item, requests, fixed, rows: { questions, found, hours, buyers, items } }
}

/** Data that no call has in this form. */
function readWorldFile(file: string, seller: number, buyers: { id: number; token: string }[]) {
  const db = new Sqlite(file, { readonly: true })
  const { origin } = db.prepare<[], { origin: number }>('SELECT origin FROM world').get()!
  const hours = db
    .prepare<[number], [hour: number, n: number]>(
      `SELECT hour, n FROM contact_user_hour WHERE user_id = ? AND kind = 'phone_views' ORDER BY hour`,
    )
    .raw()
    .all(seller)
    .map(([hour, n]): [number, number] => [origin + hour * 3_600_000, n])
    .filter(([at]) => at > Date.now() - 40 * DAY)
  const items = db.prepare<[], { id: string; seller_id: number }>('SELECT id, seller_id FROM item').all()
  // Listings of other sellers, because new questions must not slow down the page that is measured.
  const askable = db
    .prepare<[number, number, number], string>(
      `SELECT id FROM item WHERE status = 'active' AND seller_id NOT IN (?, ?)
       AND seller_id NOT IN (SELECT seller_id FROM blocked_buyer WHERE buyer_id = ?)`,
    )
    .pluck()
  const asks = buyers
    .flatMap(({ id, token }) => askable.all(id, seller, id).map((item_id) => ({ token, item_id })))
    .slice(0, ASKS)
  const item = items.find(({ seller_id }) => seller_id === seller)!.id
  db.close()
  return { asks, item, hours, items }
}

export type AfterRow = 'page' | 'series'

/** Writes that change a page and restore it, or change a series. */
export const writesOf = (row: AfterRow, { newest, item }: TestData): string[] =>
  row === 'series'
    ? [send('POST', '/_sandbox/contacts', undefined, { kind: 'phone_view', item_id: item })]
    : [true, false].map((hold) => send('PATCH', `/_sandbox/questions/${newest}`, undefined, { flags: { hold } }))
