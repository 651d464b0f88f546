import { type Static, Type } from '@sinclair/typebox'
import { StrictBody } from '../../domains/shared/control_schemas.ts'
import { Integer, OneOf } from '../../domains/shared/schemas.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import { MAX_DELAY_MS } from '../../http/faults/faults.ts'
import type { Action } from '../../http/faults/rules.ts'
import { checkJson, readHeaders } from '../answers.ts'

const MAX_BODY_BYTES = 64 * 1024
const MAX_WINDOW_SECONDS = 24 * 3600

const delayField = (more = '') => ({
  type: 'integer',
  minimum: 0,
  maximum: MAX_DELAY_MS,
  'x-message': `must be ms from 0 to ${MAX_DELAY_MS}${more}`,
})
const positive = (maximum: number, description: string, message: string) =>
  Type.Integer({ minimum: 1, maximum, description, examples: [10], 'x-message': message })

export const ActionFields = {
  status: Type.Optional(
    Integer(400, 599, 'Status of the answer; without `body` the API’s error for this status is sent', {
      examples: [503],
    }),
  ),
  body: Type.Optional(
    Type.Unknown({
      description: `With status: body of the answer; a string unchanged, any other value as JSON`,
    }),
  ),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String({ 'x-message': 'must be a string' }), {
      description: 'With status: headers of the answer',
      examples: [{ 'retry-after': '30' }],
      'x-message': 'must be a string',
    }),
  ),
  delay: Type.Optional(
    Type.Unsafe<number | { min: number; max: number }>({
      description: 'Delay in ms, or a random one from min to max',
      examples: [2000],
      if: { type: 'object' },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: {
        type: 'object',
        required: ['min', 'max'],
        additionalProperties: false,
        properties: {
          min: { ...delayField(), description: 'Minimum, ms' },
          max: { ...delayField(), description: 'Maximum, ms' },
        },
      },
      else: delayField(', or {min, max} of them'),
    }),
  ),
  drop: Type.Optional(
    Type.Literal(true, {
      description: 'The connection is closed without an answer',
      'x-message': 'must be true',
    }),
  ),
  optimistic_lock: Type.Optional(
    Type.Literal(true, {
      description: 'As after two writes of a listing at once: 409 `conflict`, `item optimistic locking error`',
      'x-message': 'must be true',
    }),
  ),
  partial: Type.Optional(
    Type.Array(
      Type.String({ pattern: '^[a-z_]{1,60}$', 'x-message': 'must be an array of 1 to 30 different names of members' }),
      {
        minItems: 1,
        maxItems: 30,
        uniqueItems: true,
        description:
          'Members that answers about orders lack: 206, null in their place, and `X-Content-Missing` with their names',
        examples: [['buyer', 'shipping']],
        'x-message': 'must be an array of 1 to 30 different names of members',
      },
    ),
  ),
  rate_limit: Type.Optional(
    StrictBody(
      {
        limit: positive(1_000_000, 'Calls that pass in a window', 'must be an integer from 1 to 1000000'),
        window: positive(
          MAX_WINDOW_SECONDS,
          'Seconds, from its first call',
          `must be seconds from 1 to ${MAX_WINDOW_SECONDS}`,
        ),
        clock: Type.Optional(
          OneOf(['real', 'world'], {
            description: 'Whose seconds: default real time',
            'x-message': 'must be real or world',
          }),
        ),
      },
      {
        description: 'Calls beyond it get 429 with Retry-After; counted by user, or by address without a token',
        'x-message': 'must be {limit, window}',
      },
    ),
  ),
  limits: Type.Optional(
    OneOf(['published'], {
      description: 'Limits of the real service',
      'x-message': 'must be published',
    }),
  ),
}

export const action = StrictBody(ActionFields, {
  description: 'The effect: exactly one of status, delay, drop, optimistic_lock, partial, rate_limit and limits',
  'x-message': 'must be an object with one of status, delay, drop, optimistic_lock, partial, rate_limit and limits',
})

/** Throws 400 if members contradict each other. */
export function readAction(sent: Static<typeof action>): Action {
  const { status, body, headers, delay, drop, optimistic_lock, partial, rate_limit, limits } = sent
  const given = [status, delay, drop, optimistic_lock, partial, rate_limit, limits].filter((one) => one !== undefined)
  if (given.length !== 1)
    throw badRequest(
      'action: must have exactly one of status, delay, drop, optimistic_lock, partial, rate_limit and limits',
    )
  if (status === undefined && (body !== undefined || headers !== undefined))
    throw badRequest('action: body and headers are allowed with status only')
  if (delay !== undefined) {
    if (typeof delay === 'object' && delay.min > delay.max) throw badRequest('action.delay: min must not be above max')
    return { delay }
  }
  if (drop) return { drop: true }
  if (optimistic_lock) return { optimistic_lock: true }
  if (partial) return { partial }
  if (rate_limit) return { rate_limit }
  if (limits) return { limits: 'published' }
  checkJson('action.body', body, MAX_BODY_BYTES)
  return {
    status: status!,
    ...(body !== undefined && { body }),
    ...(headers && { headers: readHeaders('action.headers', headers) }),
  }
}
