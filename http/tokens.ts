import type { FastifyRequest } from 'fastify'
import { QUERY_TOKEN } from './assumptions.ts'
import { type ApiError, badParameter } from './errors/errors.ts'
import { stateOf } from './request_state.ts'

const BEARER = 'bearer '

/**
 * Reads the access token: that of the header, else that of the query. An empty one, another scheme and a header without
 * a scheme count as none [spec: http.token.header, http.token.query].
 */
export function readToken({ headers: { authorization }, query, raw }: FastifyRequest): string | undefined {
  const state = stateOf(raw)
  if (authorization?.slice(0, BEARER.length).toLowerCase() === BEARER)
    state.token = authorization.slice(BEARER.length).trim() || undefined
  if (state.token !== undefined) return state.token
  const { access_token: sent } = query as { access_token?: string | string[] }
  state.isTokenRepeated = Array.isArray(sent)
  state.token = [sent].flat().find(Boolean)
  state.isQueryToken = state.token !== undefined
  return state.token
}

/** The token that counts: the assumption `auth.query_token` may reject one that is sent in the query. */
export function effectiveToken({ raw, world }: FastifyRequest): string | undefined {
  const { token, isQueryToken } = stateOf(raw)
  return isQueryToken && QUERY_TOKEN.of(world) === 'reject' ? undefined : token
}

/** The error of a query with several tokens, if they count [spec: http.query.repeated]. */
export function repeatedToken({ raw, world }: FastifyRequest): ApiError | undefined {
  if (!stateOf(raw).isTokenRepeated || QUERY_TOKEN.of(world) === 'reject') return undefined
  const error = badParameter('access_token', 'must be sent once', 'http.query.repeated')
  return Object.assign(error, { violation: { ...error.violation, check: 'token' } })
}
