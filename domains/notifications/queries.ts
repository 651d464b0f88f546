import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { $, prepared, type Q, type Tables } from '../../db/engine.ts'
import type {
  notification,
  notification_attempt,
  notification_setting,
  notification_topic,
} from '../../db/schema/notifications.ts'

export type NotificationRow = typeof notification.$inferSelect
export type AttemptRow = typeof notification_attempt.$inferSelect
export type TopicRow = typeof notification_topic.$inferSelect
export type SettingRow = typeof notification_setting.$inferSelect
/** What a person says of it; the rest follows from the profile. */
export type SettingInput = Omit<SettingRow, 'in_order'>

/** How an application is told; undefined when it is not. */
export const settingOf = (q: Q, application_id: number): Promise<SettingRow | undefined> =>
  selectSetting(q).one({ application_id })
const selectSetting = prepared(({ db, t: { notification_setting: s } }) =>
  db
    .select()
    .from(s)
    .where(eq(s.application_id, $('application_id'))),
)

/** The applications of a world that are told anything. */
export const listSettings = (q: Q): Promise<SettingRow[]> => selectSettings(q).all()
const selectSettings = prepared(({ db, t: { notification_setting: s } }) =>
  db.select().from(s).orderBy(asc(s.application_id)),
)

/** Topics that were switched off for an application, in order of their names. */
export const switchedOffTopics = (q: Q, application_id: number): Promise<TopicRow[]> =>
  selectSwitchedOff(q).all({ application_id })
const selectSwitchedOff = prepared(({ db, t: { notification_topic: n } }) =>
  db
    .select()
    .from(n)
    .where(and(eq(n.application_id, $('application_id')), isNotNull(n.off_at)))
    .orderBy(asc(n.topic)),
)

/** World time of the earliest attempt that nobody is at, of all applications of a world, ms; null for none. */
export async function earliestDue(q: Q): Promise<number | null> {
  let first: number | null = null
  for (const { application_id } of await listSettings(q)) {
    const due = await nextDue(q, application_id)
    if (due !== null && (first === null || due < first)) first = due
  }
  return first
}

/** World time of an application's earliest attempt that nobody is at, ms; null for none. */
export const nextDue = async (q: Q, application_id: number): Promise<number | null> =>
  (await selectNextDue(q).one({ application_id }))?.next_at ?? null
const selectNextDue = prepared(({ db, t: { notification: n } }) =>
  db
    .select({ next_at: n.next_at })
    .from(n)
    .where(
      and(eq(n.application_id, $('application_id')), eq(n.status, 'pending'), eq(n.behind, 0), isNull(n.leased_until)),
    )
    .orderBy(n.next_at, n.id)
    .limit(1),
)

/** How many notifications wait to be tried, or tried again. */
export const countPending = async (q: Q): Promise<number> => (await selectPendingCount(q).one())?.total ?? 0
const selectPendingCount = prepared(({ db, t: { notification: n, notification_setting: s } }) =>
  db
    .select({ total: sql<number>`count(*)` })
    .from(n)
    .where(and(sql`${n.application_id} IN (SELECT ${s.application_id} FROM ${s})`, eq(n.status, 'pending'))),
)

export interface MissedRow {
  /** What the last attempt sent. */
  data: string
  url: string
  ms: number
  http_code: number | null
  body: string
  /** JSON. */
  headers: string
}

/**
 * What an application was not told in all its attempts, the latest first, with the last attempt. `topic` empty: any.
 */
export const missedNotifications = (
  q: Q,
  filter: { application_id: number; topic: string; since: number; limit: number; offset: number },
): Promise<MissedRow[]> => selectMissed(q).all(filter)
const selectMissed = prepared(({ db, t: { notification: n, notification_attempt: a } }) =>
  db
    .select({ data: a.data, url: a.url, ms: a.ms, http_code: a.http_code, body: a.body, headers: a.headers })
    .from(n)
    .innerJoin(a, and(eq(a.notification_id, n.id), eq(a.n, n.attempts)))
    .where(
      and(
        eq(n.application_id, $('application_id')),
        eq(n.status, 'missed'),
        sql`(${$('topic')} = '' OR ${n.topic} = ${$('topic')})`,
        sql`${n.ended_at} >= ${$('since')}`,
      ),
    )
    .orderBy(sql`${n.id} DESC`)
    .limit($('limit'))
    .offset($('offset')),
)

/** Which notifications are asked for; what is absent: any. */
export interface NotificationFilter {
  application_id?: number
  user_id?: number
  topic?: string
  resource?: string
  status?: string
}
const NO_FILTER: Required<NotificationFilter> = { application_id: 0, user_id: 0, topic: '', resource: '', status: '' }

/** Notifications: how many, and the page asked for, the latest first. */
export async function findNotifications(
  q: Q,
  { limit, offset, ...filter }: NotificationFilter & { limit: number; offset: number },
): Promise<{ total: number; rows: NotificationRow[] }> {
  const values = { ...NO_FILTER, ...filter }
  return {
    total: (await countMatching(q).one(values))!.n,
    rows: await pageOfMatching(q).all({ ...values, limit, offset }),
  }
}
const matchesFilter = ({ notification: n }: Tables) =>
  and(
    ...(['application_id', 'user_id'] as const).map((name) => sql`(${$(name)} = 0 OR ${n[name]} = ${$(name)})`),
    ...(['topic', 'resource', 'status'] as const).map((name) => sql`(${$(name)} = '' OR ${n[name]} = ${$(name)})`),
  )
const countMatching = prepared(({ db, t }) =>
  db
    .select({ n: sql<number>`count(*)`.as('n') })
    .from(t.notification)
    .where(matchesFilter(t)),
)
const pageOfMatching = prepared(({ db, t }) =>
  db
    .select()
    .from(t.notification)
    .where(matchesFilter(t))
    .orderBy(sql`${t.notification.id} DESC`)
    .limit($('limit'))
    .offset($('offset')),
)

/** One notification; undefined when there is none. */
export const notificationById = (q: Q, id: number): Promise<NotificationRow | undefined> => byId(q).one({ id })
const byId = prepared(({ db, t: { notification: n } }) =>
  db
    .select()
    .from(n)
    .where(eq(n.id, $('id'))),
)

/** Attempts of a notification, in order. */
export const attemptsOf = (q: Q, notification_id: number): Promise<AttemptRow[]> =>
  selectAttempts(q).all({ notification_id })
const selectAttempts = prepared(({ db, t: { notification_attempt: a } }) =>
  db
    .select()
    .from(a)
    .where(eq(a.notification_id, $('notification_id')))
    .orderBy(asc(a.n)),
)
