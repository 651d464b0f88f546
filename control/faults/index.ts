import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { refreshFaults } from '../../db/world.ts'
import {
  controlCall,
  controlConfig,
  NoContent,
  Page,
  PagingQuery,
  viewable,
} from '../../domains/shared/control_schemas.ts'
import { routesOf } from '../../domains/shared/routes.ts'
import { IdInPath } from '../../domains/shared/schemas.ts'
import { resetRateLimit } from '../../http/faults/rate_limit.ts'
import type { Paths } from '../../http/paths.ts'
import { checkKnown } from '../known_paths.ts'
import { changeRule, createRule, deleteRule, deleteRules, ruleById, rulePage } from './operations.ts'
import { Fault, FaultChange, faultNotFound, NewFault, present } from './schemas.ts'

const config = controlConfig('Faults', 'Rules that make calls fail')

const params = Type.Object({
  id: IdInPath('Number of the rule', 1, faultNotFound, { minimum: 1 }),
})

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
    async ({ world, params: { id } }) => present(await ruleById(world.read, id)),
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
      await refreshFaults(world)
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
      await refreshFaults(world)
      return present(rule)
    },
  )

  app.delete(
    '/faults',
    controlCall(config, { summary: 'Delete all rules', answer: NoContent }),
    async ({ world }, reply) => {
      await deleteRules(world)
      await refreshFaults(world)
      return reply.code(204).send(null)
    },
  )

  app.delete(
    '/faults/:id',
    controlCall(config, { summary: 'Delete a rule', params, answer: NoContent }),
    async ({ world, params: { id } }, reply) => {
      await deleteRule(world, id)
      await refreshFaults(world)
      return reply.code(204).send(null)
    },
  )
}

/** Rules that make calls fail. The header `x-sandbox-fault` does the same for one call. */
export default routesOf(reads, changes)
