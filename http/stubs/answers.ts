import type { FastifyRequest } from 'fastify'
import type { World } from '../../db/world.ts'
import { apiError } from '../errors/errors.ts'
import type { Caller } from '../fastify_types.ts'
import { jsonAs } from '../html.ts'
import type { StubHit } from './operations.ts'
import type { PathParameters, StubCall } from './stubs.ts'
import type { Values, WorldValue } from './templates.ts'

export interface AnsweredCall extends StubCall {
  params: PathParameters
}

/** Reads a value of the world that a template uses; undefined if there is none. */
export type ReadWorldValue = (
  name: WorldValue,
  call: AnsweredCall & { world: World; caller: Caller | undefined },
) => Promise<unknown>

interface Context {
  request: FastifyRequest
  readWorldValue: ReadWorldValue
}

/** The body that a stub answers; undefined if it has none. */
export async function answerTextOf(hit: StubHit, call: AnsweredCall, context: Context): Promise<string | undefined> {
  const { body, template, headers = {} } = hit.answer
  if (body === undefined) return undefined
  if (!template) return typeof body === 'string' ? body : jsonAs(headers['content-type'], JSON.stringify(body))
  // Most worlds have no templates.
  const { renderBody, TemplateError, worldValuesOf } = await import('./templates.ts')
  const { request, readWorldValue } = context
  const { world } = request
  const values: Record<string, unknown> = callValues(hit, call, request)
  for (const name of worldValuesOf(body))
    values[name] = await readWorldValue(name, { ...call, world, caller: request.caller ?? undefined })
  try {
    return renderBody(hit.answer, values)
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    throw apiError('http.stubs', 500, 'stub_failed', `The answer of stub ${hit.id} ${error.message}`)
  }
}

const SECRET_HEADERS = ['authorization', 'cookie', 'proxy-authorization']

/** Templates cannot repeat a token or a cookie. */
function callValues({ hits }: StubHit, call: AnsweredCall, { headers, world }: FastifyRequest): Values {
  const { access_token: _, ...query } = call.query
  const now = new Date(world.clock.now()).toISOString()
  return {
    ...{ method: call.method, path: call.path, params: call.params, query, body: call.body },
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !SECRET_HEADERS.includes(name))),
    ...{ now, now_ms: world.clock.now(), date: now.slice(0, 10), hit: hits },
  }
}
