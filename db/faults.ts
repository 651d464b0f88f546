import { and, asc, eq, isNull, lt, or, sql } from 'drizzle-orm'
import { $, prepared, type Q } from './engine.ts'
import { insertNumbered } from './ids.ts'
import { createList, type Paging } from './lists.ts'
import { columnValues, rowById, updateById } from './rows.ts'
import { fault } from './tables.ts'

/** The effect on a call: exactly one member. */
export type Action =
  | { status: number; body?: unknown; headers?: Record<string, string> }
  /** Ms, or a random number from `min` to `max`. */
  | { delay: number | { min: number; max: number } }
  /** The connection closes without an answer. */
  | { drop: true }
  | { rate_limit: RateLimit }
  /** The error of two writes of a listing at once. */
  | { optimistic_lock: true }
  /** Names of members that an answer about orders lacks. */
  | { partial: string[] }
  /** The limits of the real service, as far as they are published. */
  | { limits: 'published' }

/** Calls of one user in `window` seconds. */
export interface RateLimit {
  limit: number
  window: number
  /** Whose time it is; default: real time. */
  clock?: 'real' | 'world'
}

/** A rule by which some calls of the emulated API fail. */
export interface Rule {
  id: number
  method: string | null
  path: string | null
  user_id: number | null
  action: Action
  /** 0 to 1. */
  probability: number
  seed: number
  /** How often it may be applied; null for no limit. */
  times: number | null
  /** A rule that is off matches nothing. */
  enabled: boolean
}

export interface CountedRule extends Rule {
  /** Matching calls so far. */
  matched: number
  /** Calls that it was applied to so far. */
  applied: number
}

type Row = typeof fault.$inferSelect
const parseRow = (row: Row): CountedRule => ({ ...row, action: JSON.parse(row.action), enabled: row.enabled === 1 })

/** The rules of a world that are on, in the order in which they are matched. */
export const enabledRules = async (q: Q): Promise<CountedRule[]> => (await selectEnabled(q).all()).map(parseRow)
const selectEnabled = prepared(({ db }) => db.select().from(fault).where(eq(fault.enabled, 1)).orderBy(asc(fault.id)))

/** One page of the rules in the order in which they are matched, and their total. */
export async function rulePage(q: Q, page: Paging): Promise<{ total: number; rules: CountedRule[] }> {
  const { total, rows } = await listRows(q, {}, page)
  return { total, rules: rows.map(parseRow) }
}
const listRows = createList(fault, [asc(fault.id)])

export const ruleCount = async (q: Q): Promise<number> => (await countAll(q).one())!.n
const countAll = prepared(({ db }) => db.select({ n: sql<number>`count(*)`.as('n') }).from(fault))

/** One rule; undefined when there is none. */
export async function ruleById(q: Q, id: number): Promise<CountedRule | undefined> {
  const row = await selectById(q, id)
  return row && parseRow(row)
}
const selectById = rowById(fault)

/** Stores a rule under the given id, or else the next free one. Throws `duplicateError` where the id is taken. */
export const addRule = (
  q: Q,
  rule: Omit<Rule, 'id' | 'seed'>,
  given: { id: number | undefined; seed: (id: number) => number },
  duplicateError: (id: number) => Error,
): Promise<CountedRule> =>
  insertNumbered(q, fault, given.id, duplicateError, async (id) =>
    parseRow((await insertRule(q).one(toValues({ ...rule, id, seed: given.seed(id) })))!),
  )
const toValues = (rule: Rule) => ({
  ...rule,
  action: JSON.stringify(rule.action),
  enabled: rule.enabled ? 1 : 0,
})
const insertRule = prepared(({ db }) =>
  db
    .insert(fault)
    .values({ ...columnValues(fault), matched: 0, applied: 0 })
    .returning(),
)

/** Stores a changed rule; its counters continue. */
export const updateRule = async (q: Q, rule: Rule): Promise<CountedRule> => parseRow((await update(q, toValues(rule)))!)
const update = updateById(fault, [
  ...(['method', 'path', 'user_id', 'action', 'probability', 'seed', 'times', 'enabled'] as const),
])

/** Returns how many rules were deleted. */
export const deleteRule = (q: Q, id: number): Promise<number> => deleteOne(q).run({ id })
const deleteOne = prepared(({ db }) => db.delete(fault).where(eq(fault.id, $('id'))))

export const deleteRules = (q: Q): Promise<number> => deleteAll(q).run()
const deleteAll = prepared(({ db }) => db.delete(fault))

/** Counts a matching call; returns the new count, undefined when the rule has been deleted. */
export const countMatch = async (q: Q, id: number): Promise<number | undefined> =>
  (await incrementMatched(q).one({ id }))?.matched
const incrementMatched = prepared(({ db }) =>
  db
    .update(fault)
    .set({ matched: sql`${fault.matched} + 1` })
    .where(eq(fault.id, $('id')))
    .returning({ matched: fault.matched }),
)

/** Counts a call that the rule is applied to; false when that has happened `times` times. */
export const countApplied = async (q: Q, id: number): Promise<boolean> => (await incrementApplied(q).run({ id })) > 0
const incrementApplied = prepared(({ db }) =>
  db
    .update(fault)
    .set({ applied: sql`${fault.applied} + 1` })
    .where(and(eq(fault.id, $('id')), or(isNull(fault.times), lt(fault.applied, fault.times)))),
)
