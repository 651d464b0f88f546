import type { Test } from 'tap'
import { setItemStatus } from '../../domains/items/operations.ts'
import { item } from '../../domains/items/tables.ts'
import { issueAccessToken } from '../../domains/oauth/operations.ts'
import { ban } from '../../domains/questions/operations.ts'
import { type QUESTION_STATUSES, question } from '../../domains/questions/tables.ts'
import { type Answer, badRequest, createPerson, errorBody, NOW, notFound, type Person, type TestApp } from './app.ts'

export type Status = (typeof QUESTION_STATUSES)[number]
export type ItemStatus = 'active' | 'paused' | 'closed' | 'under_review' | 'inactive'

export interface Parties {
  seller: Person
  buyer: Person
  /** An active listing of the seller. */
  item: string
}

/** Fixtures for tests of questions: users, listings, questions and the clock. */
interface QuestionFixtures {
  createUser(): Promise<Person>
  /** A new seller with one listing and a new buyer, so that no other questions interfere. */
  createParties(): Promise<Parties>
  createListing(seller: Person, status?: ItemStatus): Promise<string>
  /** Changes the status of a listing as its owner or moderation would. */
  moveListing(item: string, status: ItemStatus): Promise<void>
  /** Bans a question as moderation would. */
  banQuestion(id: number): Promise<void>
  /** Asks over HTTP; returns the id of the question. */
  ask(buyer: Person, item: string, text?: string): Promise<number>
  answer(seller: Person, question_id: number, text?: string): Promise<void>
  /** Inserts a question in a state that no call of buyer or seller produces; returns its id. */
  insertQuestion(stall: Parties, row: Partial<Row>): Promise<number>
  /** Sets the world's clock, ms. */
  setClock(ms: number): void
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

/** Listings that were created in each world. */
const listings = new WeakMap<TestApp['world'], number>()

export function questionFixtures({ world, application, call }: TestApp): QuestionFixtures {
  const createUser = async (): Promise<Person> => {
    const site_id = 'MLA'
    const created = await call({ method: 'POST', url: '/users/test_user', payload: JSON.stringify({ site_id }) })
    const { id, nickname } = created.body
    const grant = { application_id: application.id, user_id: id }
    const token = await world.tx((q) => issueAccessToken(q, world, { ...grant, expires_at: null }, NOW))
    return createPerson({ id, site_id, nickname, token }, call)
  }

  const createListing: QuestionFixtures['createListing'] = async ({ id: seller_id, site_id }, status = 'active') => {
    const n = (listings.get(world) ?? 0) + 1
    listings.set(world, n)
    // Longer than the ids that the API gives.
    const id = `${site_id}77${String(n).padStart(9, '0')}`
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

  /** The body of an answer; throws on another status than the expected one. */
  const bodyOf = ({ status, body, text }: Answer, expected: number) => {
    if (status !== expected) throw new Error(`${status} instead of ${expected}: ${text}`)
    return body
  }

  return {
    createUser,
    createListing,
    async createParties() {
      const seller = await createUser()
      return { seller, buyer: await createUser(), item: await createListing(seller) }
    },
    async moveListing(item, status) {
      const hasMoved = await world.tx((q) => setItemStatus(q, world, item, status))
      if (!hasMoved) throw new Error(`${item} did not become ${status}`)
    },
    async banQuestion(id) {
      if (!(await world.tx((q) => ban(q, world, id)))) throw new Error(`${id} was not banned`)
    },
    ask: async (buyer, item_id, text = '¿Sigue disponible?') =>
      bodyOf(await buyer.post('/questions', { text, item_id }), 201).id,
    async answer(seller, question_id, text = 'Sí.') {
      bodyOf(await seller.post('/answers', { question_id, text }), 200)
    },
    insertQuestion: ({ seller, buyer, item }, row) =>
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
    setClock(ms) {
      world.clock.applySetting({ mode: 'frozen', ms })
    },
  }
}

/** Compares status and whole body including the order of members. */
export const expectAnswer = (t: Test, answer: Answer, status: number, body: unknown, name?: string): boolean =>
  t.strictSame(
    { status: answer.status, body: inLines(answer.body) },
    { status, body: inLines(body) },
    name ?? `${status}`,
  )

const inLines = (value: unknown) => JSON.stringify(value, null, 2)

export { badRequest, errorBody, notFound }
export const NO_TOKEN = errorBody(401, 'unauthorized', 'authorization value not present')
export const INVALID_TOKEN = errorBody(401, 'not_found', 'invalid_token')
export const FOREIGN = errorBody(403, 'access_denied', 'access to the requested resource is forbidden')
