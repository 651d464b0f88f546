import type { FastifyRequest } from 'fastify'
import { worldOfApplication, worldOfToken } from '../../db/ids.ts'
import type { World } from '../../db/world.ts'
import { DEFAULT_WORLD, type Worlds } from '../../db/worlds.ts'
import { parseJson } from '../../http/bodies.ts'
import { stateOf } from '../../http/request_state.ts'
import { switchWorld } from '../../http/request_world.ts'

export type Parameters = Record<string, string>

/**
 * Parameters of an OAuth call, from wherever clients put them: a form, JSON or multipart body, else the query. What the
 * body says wins. A body that cannot be read gives none.
 */
export async function parseParameters({
  query,
  body,
  raw,
}: Pick<FastifyRequest, 'query' | 'body' | 'raw'>): Promise<Parameters> {
  return { ...scalarParameters(query), ...(await bodyParameters(body, stateOf(raw).contentType ?? '')) }
}

/**
 * The world that a call is for: the one in its address, else the one whose number the code, refresh token or
 * application bears.
 */
export function resolveWorld(
  worlds: Worlds,
  request: FastifyRequest,
  { code, refresh_token, client_id }: Parameters,
): Promise<World> | World {
  if (stateOf(request.raw).worldNumber !== undefined) return request.world
  const id = worldOfToken(code ?? refresh_token ?? '') ?? worldOfApplication(Number(client_id))
  return switchWorld(worlds, request, worlds.has(id) ? id : DEFAULT_WORLD)
}

async function bodyParameters(body: unknown, contentType: string): Promise<Parameters> {
  if (typeof body !== 'string' || body.trim() === '') return {}
  if (/^multipart\/form-data/i.test(contentType)) return multipartParameters(body, contentType)
  // Some clients send JSON as a form and forms as JSON: the text itself says which it is.
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

/** Single texts and numbers; the first of several; anything else is not a parameter. */
function scalarParameters(source: unknown): Parameters {
  const flatten = ([name, value]: [string, unknown]): [string, string][] => {
    const first = Array.isArray(value) ? value[0] : value
    return typeof first === 'string' || typeof first === 'number' ? [[name, String(first)]] : []
  }
  return Object.fromEntries(Object.entries(source as object).flatMap(flatten))
}
