import { asc } from 'drizzle-orm'
import { $, type Q } from '../../db/engine.ts'
import { derived, insertNumbered } from '../../db/ids.ts'
import { createList, type Paging } from '../../db/lists.ts'
import { countRows, deleteRows, insertInto, rowById, updateById } from '../../db/rows.ts'
import { fault } from '../../db/tables.ts'
import type { FaultRow, World } from '../../db/world.ts'
import { conflict } from '../../domains/shared/errors.ts'
import { userById } from '../../domains/users/queries.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import { type Action, type CountedRule, parseRule } from '../../http/faults/rules.ts'
import { readAction } from './action.ts'
import { type FaultChange, faultNotFound, MAX_RULES, type NewFault, withoutTrailingSlash } from './schemas.ts'

/** One page of the rules in the order in which they are matched, and their total. */
export async function rulePage(q: Q, page: Paging): Promise<{ total: number; rules: CountedRule[] }> {
  const { total, rows } = await listRows(q, {}, page)
  return { total, rules: rows.map(parseRule) }
}
const listRows = createList(fault, [asc(fault.id)])

/** Throws 404 if there is no such rule. */
export async function ruleById(q: Q, id: number): Promise<CountedRule> {
  const row = await selectById(q, id)
  if (!row) throw faultNotFound(id)
  return parseRule(row)
}
const selectById = rowById(fault)

type Match = NonNullable<NewFault['match']>

const matchColumns = ({ method, path, user }: Match): Pick<FaultRow, 'method' | 'path' | 'user_id'> => ({
  method: method ?? null,
  path: path === undefined ? null : withoutTrailingSlash(path),
  user_id: user ?? null,
})

async function checkUser(q: Q, { user }: Match): Promise<void> {
  if (user !== undefined && !(await userById(q, user))) throw badRequest('match.user: must be a user of this world')
}

type NewRule = Omit<NewFault, 'action'> & { action: Action; matched?: number; applied?: number }

/** The row of a new rule. */
export const newRow = (world: { key: string }, id: number, { match = {}, action, ...rule }: NewRule): FaultRow => ({
  id,
  ...matchColumns(match),
  action: JSON.stringify(action),
  probability: rule.probability ?? 1,
  seed: rule.seed ?? Number.parseInt(derived(world.key, `fault ${id}`, 8), 16),
  times: rule.times ?? null,
  matched: rule.matched ?? 0,
  applied: rule.applied ?? 0,
  enabled: rule.enabled === false ? 0 : 1,
})

export const insertRule = insertInto(fault)

/** Stores a rule under the given id, or else the next free one. Throws 400 or 409 with the name of the invalid member. */
export async function createRule(world: World, given: NewFault): Promise<CountedRule> {
  const rule = { ...given, action: readAction(given.action) }
  return world.tx(async (q) => {
    await checkUser(q, given.match ?? {})
    if ((await countAll(q, {})) >= MAX_RULES) throw conflict(`A world has at most ${MAX_RULES} faults`)
    const exists = (id: number) => conflict(`Fault ${id} exists already`)
    return insertNumbered(q, fault, { id: given.id, exists }, async (id) => {
      const row = newRow(world, id, rule)
      await insertRule(q, row)
      return parseRule(row)
    })
  })
}
const countAll = countRows(fault, {})

/** Changes a rule; its counters continue. Throws 400 with the name of the invalid member, or 404. */
export function changeRule(world: World, id: number, change: FaultChange): Promise<CountedRule> {
  const { match, action, enabled, ...fields } = change
  return world.tx(async (q) => {
    const row = await selectById(q, id)
    if (!row) throw faultNotFound(id)
    if (match) await checkUser(q, match)
    const changed = {
      ...{ ...row, ...fields },
      ...(match && matchColumns(match)),
      ...(action && { action: JSON.stringify(readAction(action)) }),
      ...(enabled !== undefined && { enabled: enabled ? 1 : 0 }),
    }
    return parseRule((await update(q, changed))!)
  })
}
const update = updateById(fault, [
  ...(['method', 'path', 'user_id', 'action', 'probability', 'seed', 'times', 'enabled'] as const),
])

/** Deletes a rule. Throws 404 if there is none. */
export async function deleteRule(world: World, id: number): Promise<void> {
  if ((await world.tx((q) => deleteOne(q).run({ id }))) === 0) throw faultNotFound(id)
}
const deleteOne = deleteRows(fault, { id: $ })

export const deleteRules = (world: World): Promise<number> => world.tx((q) => deleteAll(q).run())
const deleteAll = deleteRows(fault, {})
