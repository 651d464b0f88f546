import { idInResource } from '../../domains/notifications/delivery/attempt_log.ts'
import { type Call, isClientError } from './call.ts'
import type { AuditedDelivery, View } from './view.ts'

/** A write that was made again, because its notification came again. */
interface RepeatedWrite {
  delivery: AuditedDelivery
  first: Call
  second: Call
}

/** Writes after the second attempt of a notification that repeat an earlier one, and are refused or create something. */
export const repeatedWrites = ({ calls, deliveries }: View): RepeatedWrite[] =>
  deliveries.flatMap((delivery) => {
    const [, second] = delivery.attempts
    if (second?.startedAt === undefined) return []
    const start = delivery.attempts[0]!.startedAt ?? second.startedAt
    const id = idInResource(delivery.resource)
    const writes = calls.filter(
      (call) =>
        call.entry.method === 'POST' &&
        call.entry.application_id === delivery.application_id &&
        call.entry.at >= start &&
        names(call, id),
    )
    const first = writes.find(({ isSuccess }) => isSuccess)
    return writes
      .filter((call) => first && isRepetition(call, first) && call.entry.at >= second.startedAt!)
      .map((call) => ({ delivery, first: first!, second: call }))
  })

const isRepetition = (call: Call, first: Call): boolean =>
  call.id > first.id &&
  call.path === first.path &&
  call.entry.user_id === first.entry.user_id &&
  (call.entry.status === 201 || isClientError(call.entry.status))

/** Whether an id is in the path or is a member of the body. `id`: in lower case. */
const names = ({ path, body = {} }: Call, id: string): boolean =>
  [...path.split('/'), ...Object.values(body)].some((part) => String(part).toLowerCase() === id)
