import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { Q } from '../../db/engine.ts'
import {
  addRule,
  type CountedRule,
  deleteRule,
  deleteRules,
  type Rule,
  ruleById,
  ruleCount,
  rulePage,
  updateRule,
} from '../../db/faults.ts'
import { refreshRules, type World } from '../../db/world.ts'
import {
  controlCall,
  controlConfig,
  NoContent,
  Page,
  PagingQuery,
  viewable,
} from '../../domains/shared/control_schemas.ts'
import { conflict } from '../../domains/shared/errors.ts'
import { routesOf } from '../../domains/shared/routes.ts'
import { IdInPath } from '../../domains/shared/schemas.ts'
import { userById } from '../../domains/users/queries.ts'
import { badRequest, notFound } from '../../http/errors/control_errors.ts'
import { resetRateLimit } from '../../http/faults/rate_limit.ts'
import type { Paths } from '../../http/paths.ts'
import { checkKnown } from '../known_paths.ts'
import { readAction } from './action.ts'
import { Fault, FaultChange, MAX_RULES, NewFault, present, seedOf, withoutTrailingSlash } from './schemas.ts'

const config = controlConfig('Faults', 'Rules that make calls fail')

const faultNotFound = (id: unknown) => notFound(`Fault ${id} not found`)
const params = Type.Object({
  id: IdInPath('Number of the rule', 1, faultNotFound, { minimum: 1 }),
})

/** The columns of a match. Throws 400 if there is no such user. */
async function readMatch(
  q: Q,
  match: NonNullable<NewFault['match']>,
): Promise<Pick<Rule, 'method' | 'path' | 'user_id'>> {
  const { method = null, path, user = null } = match
  if (user !== null && !(await userById(q, user))) throw badRequest('match.user: must be a user of this world')
  return { method, path: path === undefined ? null : withoutTrailingSlash(path), user_id: user }
}

/** Creates a rule. Throws 400 or 409 with the name of the invalid member. */
async function createRule(
  world: World,
  { id, match = {}, action, probability = 1, times = null, seed, enabled = true }: NewFault,
): Promise<CountedRule> {
  const parsedAction = readAction(action)
  return world.tx(async (q) => {
    const columns = await readMatch(q, match)
    if ((await ruleCount(q)) >= MAX_RULES) throw conflict(`A world has at most ${MAX_RULES} faults`)
    return addRule(
      q,
      { ...columns, action: parsedAction, probability, times, enabled },
      { id, seed: (id) => seed ?? seedOf(world, id) },
      (id) => conflict(`Fault ${id} exists already`),
    )
  })
}

/** Changes a rule. Throws 400 with the name of the invalid member, or 404. */
function changeRule(world: World, id: number, { match, action, ...fields }: FaultChange): Promise<CountedRule> {
  return world.tx(async (q) => {
    const rule = await ruleById(q, id)
    if (!rule) throw faultNotFound(id)
    return updateRule(q, {
      ...rule,
      ...fields,
      ...(match && (await readMatch(q, match))),
      ...(action && { action: readAction(action) }),
    })
  })
}

const reads: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/faults',
    controlCall(viewable(config), {
      summary: 'List the rules in the order in which they are matched',
      querystring: Type.Object(PagingQuery),
      answer: Page(Fault, 'Rules'),
    }),
    async ({ world: { read }, query: { limit, offset } }) => {
      const { total, rules } = await rulePage(read, { limit, offset })
      return { paging: { total, limit, offset }, results: rules.map(present) }
    },
  )

  app.get(
    '/faults/:id',
    controlCall(viewable(config), { summary: 'Read a rule with its counts', params, answer: Fault }),
    async ({ world, params: { id } }) => {
      const rule = await ruleById(world.read, id)
      if (!rule) throw faultNotFound(id)
      return present(rule)
    },
  )
}

const changes: FastifyPluginAsyncTypebox<{ paths: Paths }> = async (app, { paths }) => {
  app.post(
    '/faults',
    controlCall(config, {
      summary: 'Create a fault rule',
      description:
        'Rules apply before all other checks, also before that of the token. They are matched in the order of their ids. The first rule that applies decides the answer, except that a delay is added to those of later rules. Rules are part of the world: reset and restore revert them. For a single call, send the header `x-sandbox-fault: 503`, `delay=2000`, `drop` or `429`.',
      body: NewFault,
      created: Fault,
    }),
    async ({ world, body }, reply) => {
      const { match: { path } = {}, check_path } = body
      if (check_path && path !== undefined) await checkKnown('match.path', path, { paths, world })
      const rule = await createRule(world, body)
      resetRateLimit(world.generation, rule.id)
      await refreshRules(world)
      return reply.code(201).send(present(rule))
    },
  )

  app.patch(
    '/faults/:id',
    controlCall(config, {
      summary: 'Change a rule, or switch it off or on',
      description: 'Its counts continue; those of `rate_limit` start again with a new `action`.',
      params,
      body: FaultChange,
      answer: Fault,
    }),
    async ({ world, params: { id }, body }) => {
      const rule = await changeRule(world, id, body)
      if (body.action) resetRateLimit(world.generation, id)
      await refreshRules(world)
      return present(rule)
    },
  )

  app.delete(
    '/faults',
    controlCall(config, { summary: 'Delete all rules', answer: NoContent }),
    async ({ world }, reply) => {
      await world.tx(deleteRules)
      await refreshRules(world)
      return reply.code(204).send(null)
    },
  )

  app.delete(
    '/faults/:id',
    controlCall(config, { summary: 'Delete a rule', params, answer: NoContent }),
    async ({ world, params: { id } }, reply) => {
      if ((await world.tx((q) => deleteRule(q, id))) === 0) throw faultNotFound(id)
      await refreshRules(world)
      return reply.code(204).send(null)
    },
  )
}

/** Rules that make calls fail. The header `x-sandbox-fault` does the same for one call. */
export default routesOf(reads, changes)
