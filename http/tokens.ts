import type { FastifyRequest } from 'fastify'
import { QUERY_TOKEN } from './assumptions.ts'
import { stateOf } from './request_state.ts'

const BEARER = 'bearer '

/** The access token as sent; an empty one counts as none [spec: http.token.header, http.token.query]. */
export function sentToken({ headers: { authorization }, query }: FastifyRequest): string | undefined {
  if (authorization) {
    const hasScheme = authorization.slice(0, BEARER.length).toLowerCase() === BEARER
    return hasScheme ? authorization.slice(BEARER.length).trim() || undefined : authorization
  }
  const { access_token: sent } = query as { access_token?: string | string[] }
  return (Array.isArray(sent) ? sent[0] : sent) || undefined
}

/** The token that counts: the assumption `auth.query_token` may reject one that is sent in the query. */
export const effectiveToken = ({ raw, world, headers }: FastifyRequest): string | undefined =>
  !headers.authorization && QUERY_TOKEN.of(world) === 'reject' ? undefined : stateOf(raw).token
