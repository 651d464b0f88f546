import type { FastifyRequest } from 'fastify'
import { worldOfApplication, worldOfToken } from '../../db/ids.ts'
import type { World } from '../../db/world.ts'
import type { Worlds } from '../../db/worlds.ts'
import { EMPTY_PARAMETER } from '../../http/assumptions.ts'
import { parseJson } from '../../http/bodies.ts'
import { stateOf } from '../../http/request_state.ts'
import { switchWorld } from '../../http/request_world.ts'
import { invalidRequest } from './errors.ts'

export type Parameters = Record<string, string>

/**
 * Parameters of an OAuth call: those of the query, overridden by those of a form, JSON or multipart body. A malformed
 * body has no parameters.
 */
export async function parseParameters({
  query,
  body,
  raw,
  world,
}: Pick<FastifyRequest, 'query' | 'body' | 'raw' | 'world'>): Promise<Parameters> {
  return { ...queryParameters(query, world), ...(await bodyParameters(body, stateOf(raw).contentType ?? '')) }
}

/** Those that no call needs [spec: http.query.empty]. */
const OPTIONAL = new Set(['state', 'code_challenge', 'code_challenge_method', 'code_verifier'])

function queryParameters(query: unknown, world: World): Parameters {
  const parameters = scalarParameters(query)
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== '') continue
    if (OPTIONAL.has(name) && EMPTY_PARAMETER.of(world) === 'reject')
      throw invalidRequest(name, 'must not be empty', 'http.query.empty')
    delete parameters[name]
  }
  return parameters
}

/** The world in the address, else the world whose number is in the code, refresh token or application id. */
export function resolveWorld(
  worlds: Worlds,
  request: FastifyRequest,
  { code, refresh_token, client_id }: Parameters,
): Promise<World> | World {
  if (stateOf(request.raw).worldNumber !== undefined) return request.world
  const id = worldOfToken(code ?? refresh_token ?? '') ?? worldOfApplication(Number(client_id))
  return switchWorld(worlds, request, id)
}

async function bodyParameters(body: unknown, contentType: string): Promise<Parameters> {
  if (typeof body !== 'string' || body.trim() === '') return {}
  if (/^multipart\/form-data/i.test(contentType)) return multipartParameters(body, contentType)
  // Some clients send JSON with the content type of a form, and forms as JSON: the text decides.
  const { value } = parseJson(body)
  return scalarParameters(
    typeof value === 'object' && value !== null ? value : Object.fromEntries(new URLSearchParams(body)),
  )
}

async function multipartParameters(body: string, contentType: string): Promise<Parameters> {
  try {
    const form = await new Response(body, { headers: { 'content-type': contentType } }).formData()
    return scalarParameters(Object.fromEntries(form))
  } catch {
    return {}
  }
}

/** Keeps texts and numbers, and the first of a list of these; drops other values. */
function scalarParameters(source: unknown): Parameters {
  const flatten = ([name, value]: [string, unknown]): [string, string][] => {
    const first = Array.isArray(value) ? value[0] : value
    return typeof first === 'string' || typeof first === 'number' ? [[name, String(first)]] : []
  }
  return Object.fromEntries(Object.entries(source as object).flatMap(flatten))
}
