import type { FastifyRequest } from 'fastify'
import { HIDDEN, SECRETS, withoutTokens } from '../domains/sandbox/redaction.ts'

/** Ids, numbers, instants, names of things: what may be shown of an address. */
const PLAIN = /^[\w.:,+-]{1,64}$/
const SECRET = new Set([...SECRETS.sent, ...SECRETS.answered, 'callback', '_body', 'state', 'admin_token'])

const shown = (name: string, value: unknown): string =>
  SECRET.has(name) || !PLAIN.test(String(value)) ? HIDDEN : withoutTokens(String(value))

/**
 * A request's address as a log may keep it: its route, the path with its parts, and of the query what the route knows.
 * Secrets and free text are hidden; of an address that no route takes nothing is told.
 */
export function addressIn({ routeOptions, params, query }: FastifyRequest) {
  const { url: route, schema } = routeOptions
  if (route === undefined) return { route: null }
  const path = route.replace(/:(\w+)/g, (_, name: string) => shown(name, (params as Record<string, unknown>)[name]))
  const known = (schema?.querystring as { properties?: object } | undefined)?.properties ?? {}
  const asked = Object.entries((query ?? {}) as Record<string, unknown>).map(([name, value]): [string, string] =>
    name in known ? [name, shown(name, value)] : [PLAIN.test(name) ? withoutTokens(name) : HIDDEN, HIDDEN],
  )
  return { route, path, ...(asked.length > 0 && { query: Object.fromEntries(asked) }) }
}
