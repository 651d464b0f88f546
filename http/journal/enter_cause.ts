import type { preHandlerHookHandler, RouteOptions } from 'fastify'
import { runWithCause } from '../../db/causes.ts'
import { stateOf } from '../request_state.ts'
import type { CallCause } from './call_cause.ts'
import { authorOf } from './control_call.ts'

export const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Whether calls of a route may change something. */
export const isWriteRoute = ({ method, config }: Pick<RouteOptions, 'method' | 'config'>): boolean =>
  config?.writes || [method].flat().some((one) => !READS.has(one))

/**
 * Makes a call the cause of what its handler changes. It is the last hook before the handler: code that runs when the
 * rest of a body arrives would not have the context of an earlier one.
 */
export const enterCause =
  (kind: CallCause['kind']): preHandlerHookHandler =>
  ({ raw }, _reply, done) => {
    const cause: CallCause = { kind, id: null, by: kind === 'control' ? authorOf(raw) : null, events: [] }
    stateOf(raw).cause = cause
    runWithCause(cause, done)
  }
