import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { isSwitch, SWITCHES, type Switches, switchError } from '../../db/switches.ts'
import { setSwitch, type World } from '../../db/world.ts'
import { DOMAINS } from '../../domains/index.ts'
import { controlConfig, Page, PagingQuery, StrictBody } from '../../domains/shared/control_schemas.ts'
import { errorResponses, OneOf, ResponseObject } from '../../domains/shared/schemas.ts'
import { type Assumptions, COMMON_ASSUMPTIONS } from '../../http/assumptions.ts'
import { badRequest, notFound } from '../../http/errors.ts'

const config = controlConfig('Assumptions', 'What this server does where nobody knows what the real one does')

/** All that this server assumes; each part stands beside the code that obeys it. */
export const ASSUMPTIONS: Assumptions = Object.assign(
  {},
  COMMON_ASSUMPTIONS,
  ...DOMAINS.map(({ assumptions }) => assumptions),
)

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

/** Reads `{name: value}`; 400 naming what is unknown or not allowed. */
export function readSwitches(values: Record<string, string>): Partial<Switches> {
  for (const [name, value] of Object.entries(values)) {
    const complaint = switchError(name, value)
    if (complaint) throw badRequest(isSwitch(name) ? `assume.${name}: ${complaint}` : `assume: ${complaint}`)
  }
  return values
}

function present({ switches }: World, name: string) {
  const { source, means, value } = ASSUMPTIONS[name]!
  if (!isSwitch(name)) return { name, source, means, value: value!, alternatives: [] }
  const current = switches[name]
  return { name, source, means, value: current, alternatives: SWITCHES[name].filter((other) => other !== current) }
}

const NAMES = Object.keys(ASSUMPTIONS).sort()
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
      if (!isSwitch(existingName(name))) throw badRequest(`${name}: is fixed`)
      const complaint = switchError(name, value)
      if (complaint) throw badRequest(`value: ${complaint}`)
      await setSwitch(world, name as keyof Switches, value)
      return present(world, name)
    },
  )
}
export default assumptions
