import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { changeSwitches, type Switches, type World } from '../../db/world.ts'
import { ASSUMPTIONS, SWITCHES } from '../../domains/assumptions.ts'
import { controlConfig, Page, PagingQuery, StrictBody, viewable } from '../../domains/shared/control_schemas.ts'
import { errorResponses, OneOf, ResponseObject } from '../../domains/shared/schemas.ts'
import { badRequest, notFound } from '../../http/errors/control_errors.ts'
import { nonDefaultSwitches, switchError } from '../../http/switches.ts'

const config = controlConfig('Assumptions', 'Behaviour of this server where that of the real one is not known')

const Assumption = ResponseObject(
  {
    name: Type.String({ description: 'Name', examples: ['contacts.current_bucket'] }),
    source: OneOf(['assumed', 'observed'], {
      description: 'assumed: no public source; observed: seen, but other behaviour may be wanted',
      examples: ['assumed'],
    }),
    means: Type.String({ description: 'What it is about' }),
    value: Type.String({ description: 'Behaviour of this world', examples: ['include'] }),
    alternatives: Type.Array(Type.String(), { description: 'Other possible values; empty if it is fixed' }),
    default: Type.String({ description: 'Value of worlds that choose none', examples: ['include'] }),
  },
  { title: 'Assumption', description: 'A point in which the behaviour of the real service is not known' },
)

/** A value for a switch, as text; also the members of `assume`. */
export const AssumptionValue = Type.String({
  description: 'One of the alternatives',
  examples: ['exclude'],
  'x-message': 'must be a string, one of the alternatives',
})

/** Checks the members of `assume`; 400 if a name is unknown or a value is not allowed. */
export function readSwitches(values: Switches): Switches {
  for (const [name, value] of Object.entries(values)) {
    const error = switchError(SWITCHES, name, value)
    if (error) throw badRequest(Object.hasOwn(SWITCHES, name) ? `assume.${name}: ${error}` : `assume: ${error}`)
  }
  return values
}

function present(world: World, name: string) {
  const { source, means, value } = ASSUMPTIONS[name]!
  if (typeof value === 'string') return { name, source, means, value, alternatives: [], default: value }
  const current = value.of(world)
  const alternatives = value.values.filter((other) => other !== current)
  return { name, source, means, value: current, alternatives, default: value.values[0] }
}

const NAMES = Object.keys(ASSUMPTIONS)
const existingName = (name: string): string => {
  if (!Object.hasOwn(ASSUMPTIONS, name)) throw notFound(`Assumption ${name} not found`)
  return name
}

const assumptions: FastifyPluginAsyncTypebox = async (app) => {
  const params = Type.Object({
    name: Type.String({ description: 'Name of an assumption', examples: ['contacts.current_bucket'] }),
  })

  app.get(
    '/assumptions',
    {
      config: viewable(config),
      schema: {
        summary: 'List the assumptions with the values of this world, by name',
        querystring: Type.Object({
          ...PagingQuery,
          limit: { ...PagingQuery.limit, default: PagingQuery.limit.maximum },
        }),
        response: { 200: Page(Assumption, 'Assumptions by name'), ...errorResponses(400, 404) },
      },
    },
    async ({ world, query: { limit, offset } }) => ({
      paging: { total: NAMES.length, limit, offset },
      results: NAMES.slice(offset, offset + limit).map((name) => present(world, name)),
    }),
  )

  app.get(
    '/assumptions/:name',
    {
      config: viewable(config),
      schema: { summary: 'Read an assumption', params, response: { 200: Assumption, ...errorResponses(404) } },
    },
    async ({ world, params: { name } }) => present(world, existingName(name)),
  )

  app.patch(
    '/assumptions/:name',
    {
      config,
      schema: {
        summary: 'Change an assumption of this world',
        description:
          'Applies from the next request on, also after a restart; reset restores the value that the world was created with. Only assumptions with alternatives can be changed.',
        params,
        body: StrictBody({ value: AssumptionValue }),
        response: { 200: Assumption, ...errorResponses(400, 404) },
      },
    },
    async ({ world, params: { name }, body: { value } }) => {
      if (!Object.hasOwn(SWITCHES, existingName(name))) throw badRequest(`${name}: is fixed`)
      const error = switchError(SWITCHES, name, value)
      if (error) throw badRequest(`value: ${error}`)
      await changeSwitches(world, (switches) => nonDefaultSwitches(SWITCHES, { ...switches, [name]: value }))
      return present(world, name)
    },
  )
}
export default assumptions
