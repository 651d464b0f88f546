import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import { keepsState, StrictBody, viewable } from '../../domains/shared/control_schemas.ts'
import { isTooDeep, MAX_LEVELS } from '../../domains/shared/json_depth.ts'
import { errorResponses, OneOf, ResponseObject } from '../../domains/shared/schemas.ts'
import { badRequest } from '../../http/errors.ts'
import type { Entry } from '../../http/journal_entry.ts'
import type { Journals } from '../../http/journals.ts'
import { PathPattern } from '../faults/schemas.ts'
import { config } from './config.ts'
import { type Difference, matchesExpected, nearest, STATUS_CLASSES } from './expectations.ts'
import { DroppedCount, presentRequest, RecordedRequest, RequestFilter, redactedPath, redactedQuery } from './schemas.ts'

const MAX_REQUESTS = 100
const MAX_MISSES = 3
/** Limit of the expectation in the message, characters. */
const MAX_NAME_CHARACTERS = 500

const countField = (description: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      description,
      examples: [1],
      'x-message': 'must be an integer from 0 to 1000000',
    }),
  )
const STATUS_MESSAGE = {
  'x-message': `must be an HTTP status, 0 for no answer, or one of ${STATUS_CLASSES.join(', ')}`,
}
const Expectation = StrictBody(
  {
    method: RequestFilter.method,
    path: PathPattern,
    query: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Query parameters that the call must have; an array for repeated ones',
        examples: [{ item: 'MLA1400000001' }],
        'x-message': 'must be an object of parameters',
      }),
    ),
    body: Type.Optional(
      Type.Unknown({
        description:
          'What the body must contain: these members of objects, all elements of arrays. A form body is an object of strings; a body that is neither JSON nor a form is a string',
        examples: [{ text: 'Sí, tenemos stock.' }],
      }),
    ),
    status: Type.Optional(
      Type.Union(
        [Type.Integer({ minimum: 0, maximum: 599, ...STATUS_MESSAGE }), OneOf([...STATUS_CLASSES], STATUS_MESSAGE)],
        {
          description: 'Status of the answer, or a class such as 2xx; 0: without an answer. Default: any',
          examples: ['2xx'],
          ...STATUS_MESSAGE,
        },
      ),
    ),
    times: countField('Exact number of calls'),
    at_least: countField('Minimum number of calls; default: 1 if neither times nor at_most is given'),
    at_most: countField('Maximum number of calls'),
  },
  { examples: [{ method: 'POST', path: '/answers', body: { question_id: 1 }, times: 1 }] },
)
type Expectation = Static<typeof Expectation>

const MatchedCount = Type.Integer({ description: 'Number of matching requests' })
const Miss = ResponseObject(
  {
    request: ResponseObject(
      {
        id: RecordedRequest.properties.id,
        method: RecordedRequest.properties.method,
        path: RecordedRequest.properties.path,
        query: RecordedRequest.properties.query,
        status: RecordedRequest.properties.response.properties.status,
      },
      { description: 'The request; GET /requests has all members' },
    ),
    differences: Type.Array(
      ResponseObject(
        {
          what: Type.String({ description: 'The member that differs', examples: ['body.question_id'] }),
          expected: Type.Unknown({ description: 'Expected value' }),
          actual: Type.Optional(Type.Unknown({ description: 'Actual value; absent if there is none' })),
        },
        { title: 'Difference', description: 'One difference' },
      ),
      { description: 'Differences, at most 20; empty for a request beyond the expected number' },
    ),
  },
  { title: 'Miss', description: 'A request that nearly matches' },
)
const VerificationFailed = ResponseObject(
  {
    message: Type.String({ description: 'The expectation, and the number of matching requests' }),
    error: Type.Literal('verification_failed', { description: 'Code for programs' }),
    status: Type.Integer({ description: 'HTTP status' }),
    cause: Type.Array(Miss, {
      description: 'If there are too few: the nearest requests, at most 3; if too many: the latest ones',
    }),
    matched: MatchedCount,
    dropped: DroppedCount,
  },
  { title: 'VerificationFailed', description: 'The number of matching requests is not as expected' },
)

interface Bounds {
  min: number
  max: number
}

function readBounds({ times, at_least, at_most }: Expectation): Bounds {
  if (times !== undefined && (at_least !== undefined || at_most !== undefined))
    throw badRequest('times: cannot be combined with at_least or at_most')
  if (times !== undefined) return { min: times, max: times }
  const min = at_least ?? (at_most === undefined ? 1 : 0)
  const max = at_most ?? Number.POSITIVE_INFINITY
  if (min > max) throw badRequest('at_least: must not be above at_most')
  return { min, max }
}

const requestCount = (n: number): string => `${n} ${n === 1 ? 'request' : 'requests'}`

function describeBounds({ min, max }: Bounds): string {
  if (min === max) return `exactly ${requestCount(min)}`
  if (max === Number.POSITIVE_INFINITY) return `at least ${requestCount(min)}`
  return min === 0 ? `at most ${requestCount(max)}` : `${min} to ${requestCount(max)}`
}

/** The expectation on one line: `POST /answers with body {"question_id":1}`. */
function describeExpectation({ method, path, query, body, status }: Expectation): string {
  const rest = [
    ...(query === undefined ? [] : [`query ${JSON.stringify(query)}`]),
    ...(body === undefined ? [] : [`body ${JSON.stringify(body)}`]),
    ...(status === undefined ? [] : [status === 0 ? 'no answer' : `status ${status}`]),
  ].join(' and ')
  const name = `${method ?? 'any method'} ${path}${rest && ` with ${rest}`}`
  return name.length > MAX_NAME_CHARACTERS ? `${name.slice(0, MAX_NAME_CHARACTERS)}…` : name
}

const presentMiss = (entry: Entry, differences: Difference[]) => ({
  request: {
    id: entry.id,
    method: entry.method,
    path: redactedPath(entry),
    query: redactedQuery(entry),
    status: entry.status,
  },
  differences,
})

const verify: FastifyPluginAsyncTypebox<{ journals: Journals }> = async (app, { journals }) => {
  app.post(
    '/verify',
    {
      config: keepsState({ ...viewable(config), internal: true }),
      schema: {
        summary: 'Verify that calls were made',
        description:
          'Searches the requests of GET /requests, with secrets as `***`. A body of more than 8 KiB is compared as text. 409 has the nearest requests and their differences.',
        body: Expectation,
        response: {
          200: ResponseObject(
            {
              matched: MatchedCount,
              dropped: DroppedCount,
              requests: Type.Array(RecordedRequest, {
                description: `The matching requests, oldest first; at most ${MAX_REQUESTS}`,
              }),
            },
            { title: 'Verified', description: 'The expectation is met' },
          ),
          409: VerificationFailed,
          ...errorResponses(400, 404),
        },
      },
    },
    async ({ world, body: expected }, reply) => {
      const bounds = readBounds(expected)
      if (isTooDeep(expected.body)) throw badRequest(`body: must have at most ${MAX_LEVELS} levels`)
      if (isTooDeep(expected.query)) throw badRequest(`query: must have at most ${MAX_LEVELS} levels`)
      const journal = journals.of(world.generation)
      const { dropped } = journal
      const matched: Entry[] = []
      const misses: Entry[] = []
      for (const entry of journal.requests.values()) (matchesExpected(expected, entry) ? matched : misses).push(entry)
      if (matched.length >= bounds.min && matched.length <= bounds.max)
        return {
          matched: matched.length,
          dropped,
          requests: matched.slice(0, MAX_REQUESTS).map((entry) => presentRequest(world.generation, entry)),
        }
      const tooFew = matched.length < bounds.min
      const cause = tooFew
        ? nearest(expected, misses, MAX_MISSES).map(({ entry, differences }) => presentMiss(entry, differences))
        : matched.slice(-MAX_MISSES).map((entry) => presentMiss(entry, []))
      return reply.code(409).send({
        message: `Expected ${describeBounds(bounds)} of ${describeExpectation(expected)}; found ${matched.length} among ${matched.length + misses.length}${dropped > 0 ? `, and ${dropped} earlier requests are no longer stored` : ''}`,
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
