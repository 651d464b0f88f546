import { asc, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { insertNumbered } from '../../db/ids.ts'
import { createList, type Paging } from '../../db/lists.ts'
import { deleteRows, insertInto, rowById, updateById } from '../../db/rows.ts'
import { stub } from '../../db/tables.ts'
import { conflict } from '../../domains/shared/errors.ts'
import { parseRule, type StubAnswer, type StubRule } from '../../http/stubs/stubs.ts'

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

export const parseStub = (row: Row): CountedStub => ({
  ...parseRule(row),
  answer: JSON.parse(row.answer),
  order: row.position,
  hits: row.hits,
})

const stubRow = ({ id, method, path, query, body, proposed, answer, ...rest }: CountedStub): Row => ({
  ...{ id, method, path, access: rest.access, times: rest.times },
  match: JSON.stringify({ query, body, proposed: proposed || undefined }),
  answer: JSON.stringify(answer),
  override: rest.override ? 1 : 0,
  position: rest.order,
  hits: rest.hits,
})

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

/** Stores a stub under the given id, or else the next free one. Throws 409 where the id is taken. */
export function addStub(q: Q, given: Omit<Stub, 'id'> & { id?: number | undefined }): Promise<CountedStub> {
  const exists = (id: number) => conflict(`Stub ${id} exists already`)
  return insertNumbered(q, stub, { id: given.id, exists }, async (id) => {
    const created = { ...given, id, hits: 0 }
    await insertStub(q, created)
    return created
  })
}
const insertRow = insertInto(stub)
/** Resolves with false if there is one with its id. */
export const insertStub = (q: Q, created: CountedStub): Promise<boolean> => insertRow(q, stubRow(created))

/** Stores a changed stub; its counter continues. */
export const updateStub = async (q: Q, changed: CountedStub): Promise<CountedStub> =>
  parseStub((await update(q, stubRow(changed)))!)
const update = updateById(stub, [
  ...(['method', 'path', 'match', 'answer', 'access', 'override', 'position', 'times'] as const),
])

/** Resolves with how many stubs were deleted. */
export const deleteStub = (q: Q, id: number): Promise<number> => deleteOne(q).run({ id })
const deleteOne = deleteRows(stub, { id: $ })

export const deleteStubs = (q: Q): Promise<number> => deleteAll(q).run()
const deleteAll = deleteRows(stub, {})
