import type { Schemas } from '../../../lib/types.ts'
import { read } from '../../world/client.ts'
import { orNull } from '../../world/missing.ts'

export type Delivery = Schemas['ListedDelivery']
export type Attempt = Schemas['DeliveryAttempt']
export type Setting = Schemas['NotificationSetting']
export type Status = Delivery['status']
export type Topic = Delivery['topic']

/** In the order of the filter, with the colour of the badge. */
export const TONES: Record<Status, 'warn' | 'good' | 'info' | 'bad' | 'plain'> = {
  pending: 'info',
  delivered: 'good',
  missed: 'bad',
  held: 'warn',
  dropped: 'plain',
  silenced: 'plain',
}
export const STATUSES = Object.keys(TONES) as Status[]
export const TOPICS: Topic[] = ['questions', 'items', 'leads-credits', 'flex-handshakes']
export const PROFILES: Setting['profile'][] = ['ideal', 'realistic', 'hostile']

export interface Subscription {
  application: Pick<Schemas['Application'], 'id' | 'name'>
  /** null: it gets no notifications. */
  setting: Setting | null
}

/** Applications beyond these are found with the filter only. */
const MAX_APPLICATIONS = 50

export async function readSubscriptions(signal: AbortSignal): Promise<Subscription[]> {
  const { results } = await read('GET /applications', { query: { limit: MAX_APPLICATIONS }, signal })
  return Promise.all(
    results.map(async (application) => ({
      application,
      setting: await orNull(read('GET /applications/{id}/notifications', { path: { id: application.id }, signal })),
    })),
  )
}

/** Whether the receiver's answer does not count as delivered. */
export const isFailed = ({ http_code, error }: Attempt): boolean => http_code !== 200 || error !== null

/** Where the time limit is on the bar of an attempt; what is later ends at 1. */
export const LIMIT_SHARE = 0.75
export const shareOf = (ms: number, limitMs: number): number => Math.min(1, (ms / limitMs) * LIMIT_SHARE)

/** Places of attempts on a line from 0 to 1: later ones, which are far apart, move together. */
export function placesOf(attemptsAt: number[]): number[] {
  const scale = (ms: number) => Math.log1p(ms / 1000)
  const last = scale(attemptsAt.at(-1) ?? 0)
  return attemptsAt.map((ms) => (last === 0 ? 0 : scale(ms) / last))
}
