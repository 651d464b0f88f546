import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { changeSwitches, type Switches, type World } from '../../db/world.ts'
import { ASSUMPTIONS, SWITCHES } from '../../domains/assumptions.ts'
import { controlConfig, Page, PagingQuery, StrictBody } from '../../domains/shared/control_schemas.ts'
import { errorResponses, OneOf, ResponseObject } from '../../domains/shared/schemas.ts'
import { badRequest, notFound } from '../../http/errors.ts'
import { nonDefaultSwitches, switchError } from '../../http/switches.ts'

const config = controlConfig('Assumptions', 'What this server does where nobody knows what the real one does')

const Assumption = ResponseObject(
  {
    name: Type.String({ description: 'Name', examples: ['contacts.current_bucket'] }),
    source: OneOf(['assumed', 'observed'], {
      description: 'assumed: nothing public was found; observed: it was seen, but may well be wanted otherwise',
      examples: ['assumed'],
    }),
    means: Type.String({ description: 'What it is about' }),
    value: Type.String({ description: 'What this world does', examples: ['include'] }),
    alternatives: Type.Array(Type.String(), { description: 'What it can do instead; empty where it is fixed' }),
  },
  { title: 'Assumption', description: 'A point in which it is not known what the real service does' },
)

/** A value for a switch, as text; also the members of `assume`. */
export const AssumptionValue = Type.String({
  description: 'One of the alternatives',
  examples: ['exclude'],
  'x-message': 'must be a text, one of the alternatives',
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
  if (typeof value === 'string') return { name, source, means, value, alternatives: [] }
  const current = value.of(world)
  return { name, source, means, value: current, alternatives: value.values.filter((other) => other !== current) }
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
      config,
      schema: {
        summary: 'All assumptions, by name, and how this world stands to them',
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
    { config, schema: { summary: 'One assumption', params, response: { 200: Assumption, ...errorResponses(404) } } },
    async ({ world, params: { name } }) => present(world, existingName(name)),
  )

  app.patch(
    '/assumptions/:name',
    {
      config,
      schema: {
        summary: 'Make this world behave otherwise',
        description:
          'From the next request on, and after a restart; reset goes back to what the world was made with. Only those with alternatives can be changed.',
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
