import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { realNow } from '../../db/clock.ts'
import { stateOf } from '../request_state.ts'
import { CONTROL_PREFIX } from '../rewrite_url.ts'
import type { CallCause, CountedWrite } from './call_cause.ts'
import { AGENT } from './journal_entry.ts'
import { REDACTED, redactTokens, SECRETS } from './redaction.ts'

/** A control call that may have changed the world. It has no secrets. */
export interface ControlCall {
  /** Counts from 1 in each generation of the world, in the order of the answers. */
  id: number
  /** Real time, ms, of the request. */
  at: number
  /** World time, ms, of the answer. */
  world_time: number
  method: string
  /** Without the prefix of the control plane. */
  path: string
  /** Who made it: a command, the console, or an agent; null: not known. */
  by: string | null
  status: number
  /** Duration, ms. */
  ms: number
  cause: CallCause | undefined
  /** Present if it is one of the `controlCalls` that its history counts. */
  write: CountedWrite | undefined
}

const MAX_PATH_CHARACTERS = 200

export function createControlCall(
  request: FastifyRequest,
  { id, status, write }: Pick<ControlCall, 'id' | 'status' | 'write'>,
): ControlCall {
  const { method, world, raw } = request
  const { receivedAt: at, cause } = stateOf(raw)
  if (cause) cause.id = id
  const world_time = world.clock.now()
  return {
    id,
    at,
    world_time,
    method,
    path: redactedPathOf(request),
    by: authorOf(raw),
    status,
    ms: realNow() - at,
    cause,
    write,
  }
}

/** What our own programs send; others are not known. */
export function authorOf({ headers }: IncomingMessage): string | null {
  // Browsers set the user agent themselves.
  if (headers['x-sandbox-by'] === 'console') return 'console'
  const agent = headers['user-agent'] ?? ''
  return agent === AGENT || /^mercadito( [a-z-]{1,20}){1,2}$/.test(agent) ? agent : null
}

/** Built from the route: tokens that were chosen by a caller cannot be recognized otherwise. */
function redactedPathOf({ routeOptions: { url = '' }, params }: FastifyRequest): string {
  const path = url.replace(/:(\w+)/g, (_, name: string) =>
    SECRETS.request.has(name) ? REDACTED : redactTokens(String((params as Record<string, unknown>)[name])),
  )
  return path.slice(CONTROL_PREFIX.length, CONTROL_PREFIX.length + MAX_PATH_CHARACTERS)
}
