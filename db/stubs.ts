import { and, asc, eq, isNull, lt, or, sql } from 'drizzle-orm'
import { $, prepared, preparedSql, type Q } from './engine.ts'
import { insertNumbered } from './ids.ts'
import { createList, type Paging } from './lists.ts'
import { rowById, updateById } from './rows.ts'
import { stub } from './tables.ts'

/** The calls that a stub answers. */
export interface StubMatch {
  method: string | null
  /** `/orders/{order_id}`, `/orders/*`. */
  path: string
  /** Parameters that a call must have; `*` in a text matches anything. */
  query?: Record<string, unknown> | undefined
  /** Members that objects of its body must have, and all elements of arrays. */
  body?: unknown
}

export interface StubAnswer {
  status: number
  /** Names in lower case. */
  headers?: Record<string, string>
  /** A text is sent as it is, any other value as JSON. */
  body?: unknown
  /** The texts of the body are templates. */
  template?: true
}

/** What decides whether a stub answers a call: all that a world has in memory of its stubs. */
export interface StubRule extends StubMatch {
  id: number
  access: 'public' | 'token'
  /** It also answers calls that the API has. */
  override: boolean
  /** How often it may answer; null for no limit. */
  times: number | null
  /** It was made for a call that nothing answered, and is not accepted yet. */
  proposed?: boolean | undefined
}

/** An answer of the world's own to some calls of the emulated API. */
interface Stub extends StubRule {
  answer: StubAnswer
  /** Of several that match, the lowest answers; then the lowest id. */
  order: number
}

export interface CountedStub extends Stub {
  /** Calls that it has answered. */
  hits: number
}

type Row = typeof stub.$inferSelect
type RuleRow = Pick<Row, 'id' | 'method' | 'path' | 'match' | 'access' | 'override' | 'times'>

const parseRule = ({ match, override, ...row }: RuleRow): StubRule => ({
  ...row,
  ...JSON.parse(match),
  override: override === 1,
})
export const parseStub = ({ answer, position, hits, ...rule }: Row): CountedStub => ({
  ...parseRule(rule),
  answer: JSON.parse(answer),
  order: position,
  hits,
})

/** The columns of a stub. */
export const stubRow = ({ id, method, path, query, body, proposed, answer, ...rest }: Stub) => ({
  ...{ id, method, path, access: rest.access, times: rest.times },
  match: JSON.stringify({ query, body, proposed: proposed || undefined }),
  answer: JSON.stringify(answer),
  override: rest.override ? 1 : 0,
  position: rest.order,
})

/** The stubs of a world that may answer calls, in the order in which they are matched. */
export const activeStubs = async (q: Q): Promise<StubRule[]> => (await selectRules(q).all()).map(parseRule)
const mayAnswer = or(isNull(stub.times), lt(stub.hits, stub.times))
const selectRules = prepared(({ db }) =>
  db
    .select({
      id: stub.id,
      method: stub.method,
      path: stub.path,
      match: stub.match,
      access: stub.access,
      override: stub.override,
      times: stub.times,
    })
    .from(stub)
    .where(mayAnswer)
    .orderBy(asc(stub.position), asc(stub.id)),
)

/** One page of the stubs in the order in which they are matched, and their total. */
export async function stubPage(q: Q, page: Paging): Promise<{ total: number; stubs: CountedStub[] }> {
  const { total, rows } = await listRows(q, {}, page)
  return { total, stubs: rows.map(parseStub) }
}
const listRows = createList(stub, [asc(stub.position), asc(stub.id)])

/** One stub; undefined when there is none. */
export async function stubById(q: Q, id: number): Promise<CountedStub | undefined> {
  const row = await selectById(q, id)
  return row && parseStub(row)
}
const selectById = rowById(stub)

/** How many stubs there are, and the bytes of their answers. */
export const stubTotals = async (q: Q): Promise<{ count: number; bytes: number }> => (await selectTotals(q).one())!
const selectTotals = prepared(({ db }) =>
  db
    .select({
      count: sql<number>`count(*)`.as('count'),
      // Unlike `length` it does not read the texts.
      bytes: sql<number>`coalesce(sum(octet_length(${stub.answer})), 0)`.as('bytes'),
    })
    .from(stub),
)

/** Stores a stub under the given id, or else the next free one. Throws `duplicateError` where the id is taken. */
export const addStub = (
  q: Q,
  given: Omit<Stub, 'id'> & { id?: number | undefined },
  duplicateError: (id: number) => Error,
): Promise<CountedStub> =>
  insertNumbered(q, stub, given.id, duplicateError, async (id) =>
    parseStub((await insertRow(q).one(stubRow({ ...given, id })))!),
  )
const insertRow = preparedSql<typeof stub.$inferSelect>(`
  INSERT INTO stub (id, method, path, match, answer, access, override, position, times)
  VALUES (:id, :method, :path, :match, :answer, :access, :override, :position, :times) RETURNING *`)

/** Stores a changed stub; its counter continues. */
export const updateStub = async (q: Q, changed: Stub): Promise<CountedStub> =>
  parseStub((await update(q, stubRow(changed)))!)
const update = updateById(stub, [
  ...(['method', 'path', 'match', 'answer', 'access', 'override', 'position', 'times'] as const),
])

/** Returns how many stubs were deleted. */
export const deleteStub = (q: Q, id: number): Promise<number> => deleteOne(q).run({ id })
const deleteOne = prepared(({ db }) => db.delete(stub).where(eq(stub.id, $('id'))))

export const deleteStubs = (q: Q): Promise<number> => deleteAll(q).run()
const deleteAll = prepared(({ db }) => db.delete(stub))

/** A call that a stub answers. */
export interface StubHit {
  id: number
  answer: StubAnswer
  /** Calls that it has answered, this one included. */
  hits: number
}

/** Counts a call; undefined when the stub has answered `times` calls, or was deleted. */
export async function countHit(q: Q, id: number): Promise<StubHit | undefined> {
  const row = await incrementHits(q).one({ id })
  return row && { id, answer: JSON.parse(row.answer), hits: row.hits }
}
const incrementHits = prepared(({ db }) =>
  db
    .update(stub)
    .set({ hits: sql`${stub.hits} + 1` })
    .where(and(eq(stub.id, $('id')), mayAnswer))
    .returning({ answer: stub.answer, hits: stub.hits }),
)
