import type { FastifyRequest } from 'fastify'
import { realNow } from '../../db/clock.ts'
import { stateOf } from '../request_state.ts'
import { CONTROL_PREFIX } from '../rewrite_url.ts'
import type { CallCause, CountedWrite } from './call_cause.ts'
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
  return { id, at, world_time, method, path: redactedPathOf(request), status, ms: realNow() - at, cause, write }
}

/** Built from the route: tokens that were chosen by a caller cannot be recognized otherwise. */
function redactedPathOf({ routeOptions: { url = '' }, params }: FastifyRequest): string {
  const path = url.replace(/:(\w+)/g, (_, name: string) =>
    SECRETS.request.has(name) ? REDACTED : redactTokens(String((params as Record<string, unknown>)[name])),
  )
  return path.slice(CONTROL_PREFIX.length, CONTROL_PREFIX.length + MAX_PATH_CHARACTERS)
}
