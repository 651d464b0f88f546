import type { FastifyRequest } from 'fastify'
import { REDACTED, redactTokens, SECRETS } from '../http/journal/redaction.ts'

/** Ids, numbers, instants and names may be logged. */
const PLAIN_VALUE = /^[\w.:,+-]{1,64}$/
const SECRET_NAMES = new Set([...SECRETS.request, ...SECRETS.response, 'callback', '_body', 'state', 'admin_token'])

const redactValue = (name: string, value: unknown): string =>
  SECRET_NAMES.has(name) || !PLAIN_VALUE.test(String(value)) ? REDACTED : redactTokens(String(value))

/**
 * A request's URL for the log: route, path, and the query parameters that the route declares. Secrets and free text are
 * redacted; a URL without a route is not logged.
 */
export function redactUrl({ routeOptions, params, query }: FastifyRequest) {
  const { url: route, schema } = routeOptions
  if (route === undefined) return { route: null }
  const path = route.replace(/:(\w+)/g, (_, name: string) =>
    redactValue(name, (params as Record<string, unknown>)[name]),
  )
  const known = (schema?.querystring as { properties?: object } | undefined)?.properties ?? {}
  const redactedQuery = Object.entries((query ?? {}) as Record<string, unknown>).map(
    ([name, value]): [string, string] =>
      name in known
        ? [name, redactValue(name, value)]
        : [PLAIN_VALUE.test(name) ? redactTokens(name) : REDACTED, REDACTED],
  )
  return { route, path, ...(redactedQuery.length > 0 && { query: Object.fromEntries(redactedQuery) }) }
}
