import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import { badRequest } from '../../plugins/errors.ts'
import type { Entry, Journals } from '../../plugins/journals.ts'
import { ResponseObject, errorResponses } from '../shared/atoms.ts'
import { CallShape, Dropped, pathShown, presentCall, queryOf, Which } from './calls.ts'
import { isTooDeep, MOST_LEVELS } from './depth.ts'
import { type Difference, isOne, nearest } from './expectations.ts'
import { PathPattern } from './fault_rules.ts'
import { body, Sandbox } from './shapes.ts'

const MOST_SHOWN = 100
const MOST_MISSES = 3
/** Letters of what was expected, in the message. */
const MOST_NAME = 500

const number = (description: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      description,
      examples: [1],
      'x-message': 'must be an integer from 0 to 1000000',
    }),
  )
const Expectation = body(
  {
    method: Which.method,
    path: PathPattern,
    query: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Parameters that it must have, among others; an array where one comes more than once',
        examples: [{ item: 'MLA1400000001' }],
        'x-message': 'must be an object of parameters',
      }),
    ),
    body: Type.Optional(
      Type.Unknown({
        description:
          'What its body must have: of objects these members, among others; of arrays all elements. A form is an object of texts; what is neither JSON nor a form is a text',
        examples: [{ text: 'Sí, tenemos stock.' }],
      }),
    ),
    times: number('Exactly so often'),
    at_least: number('So often or more; 1 when nothing else is said'),
    at_most: number('So often or less'),
  },
  { examples: [{ method: 'POST', path: '/answers', body: { question_id: 1 }, times: 1 }] },
)
type Expectation = Static<typeof Expectation>

const Matched = Type.Integer({ description: 'Requests that were as expected' })
const Miss = ResponseObject(
  {
    request: ResponseObject(
      {
        id: CallShape.properties.id,
        method: CallShape.properties.method,
        path: CallShape.properties.path,
        query: CallShape.properties.query,
        status: CallShape.properties.response.properties.status,
      },
      { description: 'Which one it is; GET /requests tells all of it' },
    ),
    differences: Type.Array(
      ResponseObject(
        {
          what: Type.String({ description: 'Where they differ', examples: ['body.question_id'] }),
          expected: Type.Unknown({ description: 'What was expected there' }),
          actual: Type.Optional(Type.Unknown({ description: 'What was there; absent for nothing' })),
        },
        { title: 'Difference', description: 'One of them' },
      ),
      { description: 'What was not as expected, at most 20; none of a request that was one too many' },
    ),
  },
  { title: 'Miss', description: 'A request that came near' },
)
const Failed = ResponseObject(
  {
    message: Type.String({ description: 'What was expected, and how often it happened' }),
    error: Type.Literal('verification_failed', { description: 'Code for programs' }),
    status: Type.Integer({ description: 'HTTP status' }),
    cause: Type.Array(Miss, { description: 'Too few: the nearest misses, at most 3. Too many: the latest of them' }),
    matched: Matched,
    dropped: Dropped,
  },
  { title: 'VerificationFailed', description: 'It was not called so often' },
)

interface Bounds {
  least: number
  most: number
}

function boundsOf({ times, at_least, at_most }: Expectation): Bounds {
  if (times !== undefined && (at_least !== undefined || at_most !== undefined))
    throw badRequest('times: stands alone, without at_least and at_most')
  if (times !== undefined) return { least: times, most: times }
  const least = at_least ?? (at_most === undefined ? 1 : 0)
  const most = at_most ?? Number.POSITIVE_INFINITY
  if (least > most) throw badRequest('at_least: must not be above at_most')
  return { least, most }
}

const calls = (n: number): string => `${n} ${n === 1 ? 'request' : 'requests'}`

function inWords({ least, most }: Bounds): string {
  if (least === most) return `exactly ${calls(least)}`
  if (most === Number.POSITIVE_INFINITY) return `at least ${calls(least)}`
  return least === 0 ? `at most ${calls(most)}` : `${least} to ${calls(most)}`
}

/** `POST /answers with body {"question_id":1}`: what was expected, on one line. */
function nameOf({ method, path, query, body }: Expectation): string {
  const rest = [
    ...(query === undefined ? [] : [`query ${JSON.stringify(query)}`]),
    ...(body === undefined ? [] : [`body ${JSON.stringify(body)}`]),
  ].join(' and ')
  const name = `${method ?? 'any method'} ${path}${rest && ` with ${rest}`}`
  return name.length > MOST_NAME ? `${name.slice(0, MOST_NAME)}…` : name
}

const missOf = (entry: Entry, differences: Difference[]) => ({
  request: {
    id: entry.id,
    method: entry.method,
    path: pathShown(entry),
    query: queryOf(entry),
    status: entry.status,
  },
  differences,
})

const verify: FastifyPluginAsyncTypebox<{ journals: Journals }> = async (app, { journals }) => {
  app.post(
    '/verify',
    {
      config: Sandbox.requests,
      schema: {
        summary: 'Whether it was called as you expect',
        description:
          'Looks through what GET /requests lists, secrets as `***` there too. A body of more than 8 KiB can only be told apart as a text. 409 names the nearest misses and what differed.',
        body: Expectation,
        response: {
          200: ResponseObject(
            {
              matched: Matched,
              dropped: Dropped,
              requests: Type.Array(CallShape, { description: `Those, oldest first; at most ${MOST_SHOWN}` }),
            },
            { title: 'Verified', description: 'It was' },
          ),
          409: Failed,
          ...errorResponses(400, 404),
        },
      },
    },
    async ({ world, body: expected }, reply) => {
      const bounds = boundsOf(expected)
      if (isTooDeep(expected.body)) throw badRequest(`body: must have at most ${MOST_LEVELS} levels`)
      if (isTooDeep(expected.query)) throw badRequest(`query: must have at most ${MOST_LEVELS} levels`)
      const journal = journals.of(world.generation)
      const { dropped } = journal
      const matched: Entry[] = []
      const misses: Entry[] = []
      for (const entry of journal.entries()) (isOne(expected, entry) ? matched : misses).push(entry)
      if (matched.length >= bounds.least && matched.length <= bounds.most)
        return {
          matched: matched.length,
          dropped,
          requests: matched.slice(0, MOST_SHOWN).map(presentCall),
        }
      const tooFew = matched.length < bounds.least
      const cause = tooFew
        ? nearest(expected, misses, MOST_MISSES).map(({ entry, differences }) => missOf(entry, differences))
        : matched.slice(-MOST_MISSES).map((entry) => missOf(entry, []))
      return reply.code(409).send({
        message: `Expected ${inWords(bounds)} of ${nameOf(expected)}; found ${matched.length} among ${matched.length + misses.length}${dropped > 0 ? `, and ${dropped} were forgotten` : ''}`,
        error: 'verification_failed' as const,
        status: 409,
        cause,
        matched: matched.length,
        dropped,
      })
    },
  )
}
export default verify
