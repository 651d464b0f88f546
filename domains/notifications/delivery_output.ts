import { fields, type Output, printable, table } from '../shared/commands.ts'

export interface Delivery {
  id: number
  _id: string
  application_id: number
  user_id: number
  topic: string
  resource: string
  status: string
  attempts: number
  received: string
  next_at: string | null
}

interface Try {
  n: number
  sent: string
  url: string
  request: { headers: Record<string, string>; body: string }
  ms: number
  http_code: number | null
  error: string | null
}

export interface DeliveryWithAttempts extends Delivery {
  cause: { kind: string; id: number | null } | null
  waits_for: { reason: string; until: string | null; behind: number | null } | null
  tries: Try[]
}

/** One notification with its attempts, and what they have sent. */
export const formatDelivery = ({ tries, cause, waits_for, ...delivery }: DeliveryWithAttempts): Output => [
  fields({
    ...delivery,
    cause: cause && `${cause.kind} ${cause.id ?? 'in flight'}`,
    'waits for': waits_for && formatWait(waits_for),
  }),
  '',
  table(
    ['attempt', 'sent', 'to', 'took', 'answer', 'error'],
    tries.map(({ n, sent, url, ms, http_code, error }) => [n, sent, url, `${ms} ms`, http_code, error]),
  ),
  ...tries.map(formatSent),
]

const WAITS: Record<string, string> = {
  in_flight: 'the answer to an attempt',
  clock_stopped: 'the clock, which is frozen, to reach',
  first_attempt: 'the first attempt, at',
  retry: 'the next attempt, at',
  duplicate: 'the duplicate, at',
  turn: 'another attempt of the application to end',
}

const formatWait = ({ reason, until, behind }: NonNullable<DeliveryWithAttempts['waits_for']>): string =>
  reason === 'behind'
    ? `delivery ${behind}, an earlier one of the resource`
    : [WAITS[reason] ?? reason, until ?? []].flat().join(' ')

const formatSent = ({ n, url, request: { headers, body } }: Try): Output => [
  '',
  `attempt ${n} sent: POST ${printable(url)}`,
  ...Object.entries(headers).map((header) => header.map(printable).join(': ')),
  printable(body),
]
