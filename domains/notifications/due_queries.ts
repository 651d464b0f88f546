import { preparedSql, type Q } from '../../db/engine.ts'
import type { DueEntry, DuePeriod, DueSource } from '../due.ts'
import { listSettings, type NotificationRow } from './queries.ts'

/** Attempts of an application in a period: those that wait for another notification have no time yet. */
const DUE = `notification WHERE application_id = :application_id AND status = 'pending' AND behind = 0
  AND leased_until IS NULL AND next_at > :after AND next_at <= :until`
const selectCount = preparedSql<{ n: number }>(`SELECT count(*) AS n FROM ${DUE}`)
const selectDue = preparedSql<NotificationRow>(`SELECT * FROM ${DUE} ORDER BY next_at, id LIMIT :limit`)

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
