import type { InjectOptions } from 'fastify'
import type { Test } from 'tap'
import { setItemStatus } from '../../domains/items/operations.ts'
import { item } from '../../domains/items/tables.ts'
import { issueAccessToken } from '../../domains/oauth/operations.ts'
import { ban } from '../../domains/questions/operations.ts'
import { type QUESTION_STATUSES, question } from '../../domains/questions/tables.ts'
import { type Answer, NOW, type Person, type TestApp } from './app.ts'

export type Status = (typeof QUESTION_STATUSES)[number]
export type ItemStatus = 'active' | 'paused' | 'closed' | 'under_review' | 'inactive'

export interface Stall {
  seller: Person
  buyer: Person
  /** An active listing of the seller. */
  item: string
}

/** What a test of questions needs: people, listings and questions of its own, and the hands of the clock. */
export interface Market {
  person(): Promise<Person>
  /** A new seller with one listing, and a new buyer: nobody else's questions are in the way. */
  stall(): Promise<Stall>
  listing(seller: Person, status?: ItemStatus): Promise<string>
  /** Moves a listing as its owner or moderation would. */
  move(item: string, status: ItemStatus): Promise<void>
  /** Bans a question as moderation would. */
  banned(id: number): Promise<void>
  /** Asks over HTTP; answers the new question's id. */
  ask(buyer: Person, item: string, text?: string): Promise<number>
  answer(seller: Person, question_id: number, text?: string): Promise<void>
  /** A question that no call of buyer or seller leaves like this; answers its id. */
  put(stall: Stall, row: Partial<Row>): Promise<number>
  /** Sets the world's clock, ms. */
  at(ms: number): void
}

interface Row {
  status: Status
  text: string
  date_created: number
  answer_text: string
  answer_status: 'ACTIVE' | 'DISABLED' | 'BANNED'
  answered_at: number
  first_of_buyer: number
  hold: number
  suspected_spam: number
}

export function marketOf({ world, application, call }: TestApp): Market {
  let listings = 0

  const person = async (): Promise<Person> => {
    const site_id = 'MLA'
    const made = await call({ method: 'POST', url: '/users/test_user', payload: JSON.stringify({ site_id }) })
    const { id, nickname } = made.body
    const grant = { application_id: application.id, user_id: id }
    const token = await world.tx((q) => issueAccessToken(q, world, grant, NOW, null))
    const as = (asked: InjectOptions) =>
      call({ ...asked, headers: { authorization: `Bearer ${token}`, ...asked.headers } })
    return {
      id,
      site_id,
      nickname,
      token,
      get: (url, more) => as({ method: 'GET', url, ...more }),
      delete: (url, more) => as({ method: 'DELETE', url, ...more }),
      post: (url, body, more) =>
        as({ method: 'POST', url, payload: typeof body === 'string' ? body : JSON.stringify(body), ...more }),
    }
  }

  const listing: Market['listing'] = async ({ id: seller_id, site_id }, status = 'active') => {
    const id = `${site_id}77${String(++listings).padStart(8, '0')}`
    await world.tx(async (q) =>
      q.db
        .insert(item)
        .values({
          id,
          site_id,
          title: 'Silla',
          seller_id,
          price: 1000,
          currency_id: 'ARS',
          status,
          shipping_mode: 'me2',
          in_flex: 0,
          date_created: NOW,
          last_updated: NOW,
        })
        .run(),
    )
    return id
  }

  /** The body of an answer that has to be of this status for the test to go on. */
  const done = ({ status, body, text }: Answer, expected: number) => {
    if (status !== expected) throw new Error(`${status} instead of ${expected}: ${text}`)
    return body
  }

  return {
    person,
    listing,
    async stall() {
      const seller = await person()
      return { seller, buyer: await person(), item: await listing(seller) }
    },
    async move(item, status) {
      const moved = await world.tx((q) => setItemStatus(q, world, item, status))
      if (!moved) throw new Error(`${item} did not become ${status}`)
    },
    async banned(id) {
      if (!(await world.tx((q) => ban(q, world, id)))) throw new Error(`${id} was not banned`)
    },
    ask: async (buyer, item_id, text = '¿Sigue disponible?') =>
      done(await buyer.post('/questions', { text, item_id }), 201).id,
    async answer(seller, question_id, text = 'Sí.') {
      done(await seller.post('/answers', { question_id, text }), 200)
    },
    put: ({ seller, buyer, item }, row) =>
      world.tx(
        async (q) =>
          q.db
            .insert(question)
            .values({
              seller_id: seller.id,
              item_id: item,
              from_id: buyer.id,
              text: '¿Sigue disponible?',
              status: 'UNANSWERED',
              date_created: world.clock.now(),
              first_of_buyer: 1,
              ...row,
            })
            .returning({ id: question.id })
            .get().id,
      ),
    at(ms) {
      world.clock.applySetting({ mode: 'frozen', ms })
    },
  }
}

/** Holds status and whole body, members in their order, against what was to be answered. */
export const says = (t: Test, answer: Answer, status: number, body: unknown, name?: string): boolean =>
  t.strictSame(
    { status: answer.status, body: inLines(answer.body) },
    { status, body: inLines(body) },
    name ?? `${status}`,
  )

const inLines = (value: unknown) => JSON.stringify(value, null, 2)

export const refused = (status: number, error: string, message: string) => ({ message, error, status, cause: [] })
export const NO_TOKEN = refused(401, 'unauthorized', 'authorization value not present')
export const INVALID_TOKEN = refused(401, 'not_found', 'invalid_token')
export const FOREIGN = refused(403, 'access_denied', 'access to the requested resource is forbidden')
export const badRequest = (message: string) => refused(400, 'bad_request', message)
export const notFound = (message: string) => refused(404, 'not_found', message)
