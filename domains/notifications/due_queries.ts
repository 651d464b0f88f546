import { and, asc, eq, gt, isNull, lte, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import type { DueEntry, DuePeriod, DueSource } from '../due.ts'
import { listSettings, type NotificationRow } from './queries.ts'
import { notification } from './tables.ts'

/** Attempts of an application in a period: those that wait for another notification have no time yet. */
const isDue = and(
  eq(notification.application_id, $('application_id')),
  eq(notification.status, 'pending'),
  eq(notification.behind, 0),
  isNull(notification.leased_until),
  gt(notification.next_at, $('after')),
  lte(notification.next_at, $('until')),
)
const selectCount = prepared(({ db }) =>
  db
    .select({ n: sql<number>`count(*)`.as('n') })
    .from(notification)
    .where(isDue),
)
const selectDue = prepared(({ db }) =>
  db
    .select()
    .from(notification)
    .where(isDue)
    .orderBy(asc(notification.next_at), asc(notification.id))
    .limit($('limit')),
)

const present = ({ id, next_at: at, attempts, resource, user_id, application_id }: NotificationRow): DueEntry => ({
  at,
  kind: 'attempt',
  effect: 'sent',
  id,
  resource,
  user_id,
  application_id,
  n: attempts + 1,
})

async function countAttempts(q: Q, period: DuePeriod): Promise<number> {
  let total = 0
  for (const { application_id } of await listSettings(q))
    total += (await selectCount(q).one({ application_id, ...period }))!.n
  return total
}

async function findAttempts(q: Q, period: DuePeriod, limit: number): Promise<DueEntry[]> {
  const entries: DueEntry[] = []
  for (const { application_id } of await listSettings(q))
    entries.push(...(await selectDue(q).all({ application_id, ...period, limit })).map(present))
  return entries.sort((a, b) => a.at - b.at).slice(0, limit)
}

/** [spec: notifications.schedule] */
export const due: readonly DueSource[] = [
  {
    kind: 'attempt',
    effect: 'sent',
    count: ({ read }, period) => countAttempts(read, period),
    find: ({ read }, period, limit) => findAttempts(read, period, limit),
  },
]
