import { and, eq, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { $, fixedPlan, prepared, type Q } from '../../db/engine.ts'
import { createSearchableList } from '../../db/lists.ts'
import { fixed, rowById, selectRows } from '../../db/rows.ts'
import { maskUrl, redact, redactTokens, SECRETS } from '../../http/journal/redaction.ts'
import { notification, notification_attempt, notification_setting, notification_topic } from './tables.ts'

export type NotificationRow = typeof notification.$inferSelect
export type AttemptRow = typeof notification_attempt.$inferSelect
export type TopicRow = typeof notification_topic.$inferSelect
export type SettingRow = typeof notification_setting.$inferSelect
/** A setting without the columns that follow from its profile. */
export type SettingInput = Omit<SettingRow, 'in_order'>

/** The setting of an application; undefined when it is not notified. */
export const settingOf = (q: Q, application_id: number): Promise<SettingRow | undefined> =>
  selectSetting(q).one({ application_id })
const selectSetting = selectRows(notification_setting, { application_id: $ })

/** The settings of all applications that are notified. */
export const listSettings = (q: Q): Promise<SettingRow[]> => selectSettings(q).all()
const selectSettings = selectRows(notification_setting, {}, { order: ['application_id'] })

/** Topics that are switched off for an application, by name. */
export const switchedOffTopics = (q: Q, application_id: number): Promise<TopicRow[]> =>
  selectSwitchedOff(q).all({ application_id })
const selectSwitchedOff = selectRows(
  notification_topic,
  { application_id: fixed },
  { order: ['topic'], also: () => isNotNull(notification_topic.off_at) },
)

/** World time of the earliest attempt of a world that is not in flight and comes later than `after`, ms; null for none. */
export async function earliestDue(q: Q, after?: number): Promise<number | null> {
  let first: number | null = null
  for (const { application_id } of await listSettings(q)) {
    const due = await nextDue(q, application_id, after)
    if (due !== null && (first === null || due < first)) first = due
  }
  return first
}

/** World time of an application's earliest attempt that is not in flight and comes later than `after`, ms; null for none. */
export const nextDue = async (q: Q, application_id: number, after = Number.MIN_SAFE_INTEGER): Promise<number | null> =>
  (await selectNextDue(q).one({ application_id, after }))?.next_at ?? null
const selectNextDue = prepared(({ db }) =>
  db
    .select({ next_at: notification.next_at })
    .from(notification)
    .where(
      and(
        eq(notification.application_id, $('application_id')),
        eq(notification.status, 'pending'),
        eq(notification.behind, 0),
        isNull(notification.leased_until),
        gt(notification.next_at, $('after')),
      ),
    )
    .orderBy(notification.next_at, notification.id)
    .limit(1),
)

/** The number of notifications that wait for an attempt. */
export const countPending = async (q: Q): Promise<number> => (await selectPendingCount(q).one())?.total ?? 0
const selectPendingCount = prepared(({ db }) =>
  db
    .select({ total: sql<number>`count(*)` })
    .from(notification)
    .where(
      and(
        sql`${notification.application_id} IN (SELECT ${notification_setting.application_id} FROM ${notification_setting})`,
        eq(notification.status, 'pending'),
      ),
    ),
)

export interface MissedRow {
  /** The body that the last attempt sent. */
  data: string
  url: string
  ms: number
  http_code: number | null
  body: string
  /** JSON. */
  headers: string
}

/** Missed notifications of an application, the latest first, with their last attempts. `topic` empty: any. */
export const missedNotifications = (
  q: Q,
  filter: { application_id: number; topic: string; since: number; limit: number; offset: number },
): Promise<MissedRow[]> => selectMissed(q).all(filter)
const selectMissed = prepared(({ db }) =>
  db
    .select({
      data: notification_attempt.data,
      url: notification_attempt.url,
      ms: notification_attempt.ms,
      http_code: notification_attempt.http_code,
      body: notification_attempt.body,
      headers: notification_attempt.headers,
    })
    .from(notification)
    .innerJoin(
      notification_attempt,
      and(eq(notification_attempt.notification_id, notification.id), eq(notification_attempt.n, notification.attempts)),
    )
    .where(
      and(
        eq(notification.application_id, $('application_id')),
        eq(notification.status, 'missed'),
        sql`(${$('topic')} = '' OR ${notification.topic} = ${$('topic')})`,
        sql`${notification.ended_at} >= ${$('since')}`,
      ),
    )
    .orderBy(sql`${notification.id} DESC`)
    .limit($('limit'))
    .offset($('offset')),
)

/** Addresses, errors and beginnings of the answers of a notification's attempts. */
const attemptTexts = sql`(SELECT group_concat(concat_ws(' ', url, error, substr(body, 1, 1000)), ' ') FROM ${notification_attempt}
  WHERE notification_id = ${notification.id})`

/** Those of the notifications that match by what is shown: a search must not find parts of a secret. */
async function confirmMatch(q: Q, keys: number[], isMatch: (text: string) => boolean): Promise<number[]> {
  const rows = await selectTexts(q).all({ keys: JSON.stringify(keys) })
  const matching = new Set(
    rows.flatMap(({ id, resource, ...texts }) => {
      const { url, error, body } = shownTexts(texts)
      return [resource, maskUrl(url), error ?? '', body].some(isMatch) ? [id] : []
    }),
  )
  return keys.filter((key) => matching.has(key))
}
const selectTexts = prepared(({ db }) =>
  db
    .select({
      id: notification.id,
      resource: notification.resource,
      url: sql<string>`coalesce(${notification_attempt.url}, '')`.as('url'),
      error: notification_attempt.error,
      body: sql<string>`coalesce(${notification_attempt.body}, '')`.as('body'),
    })
    .from(notification)
    .leftJoin(notification_attempt, eq(notification_attempt.notification_id, notification.id))
    .where(inArray(notification.id, sql`(SELECT value FROM json_each(${$('keys')}))`)),
)

/** Notifications, the latest first. */
export const listNotifications = createSearchableList<typeof notification, number>(notification, {
  key: notification.id,
  direction: 'desc',
  texts: [sql`${notification.resource}`, attemptTexts],
  confirm: confirmMatch,
})

/** One notification; undefined when there is none. */
export const notificationById = rowById(notification)

/** The number of the pending notification of a resource that is sent first; null for none. */
export const firstOfResource = async (
  q: Q,
  { application_id, resource }: Pick<NotificationRow, 'application_id' | 'resource'>,
): Promise<number | null> => (await selectFirstOfResource(q).one({ application_id, resource }))?.id ?? null
const selectFirstOfResource = prepared(({ db }) =>
  db
    .select({ id: sql<number | null>`min(${notification.id})`.as('id') })
    .from(notification)
    .where(
      and(
        eq(notification.application_id, fixedPlan($('application_id'))),
        eq(notification.resource, fixedPlan($('resource'))),
        eq(notification.status, 'pending'),
        isNull(notification.ended_at),
      ),
    ),
)

/** Attempts of a notification, in order. */
export const attemptsOf = (q: Q, notification_id: number): Promise<AttemptRow[]> =>
  selectAttempts(q).all({ notification_id })
const selectAttempts = selectRows(notification_attempt, { notification_id: fixed }, { order: ['n'] })

interface AttemptTexts {
  url: string
  error: string | null
  body: string
}

/** The texts of an attempt without secrets, which a receiver may have sent back. */
export const shownTexts = ({ url, error, body }: AttemptTexts): AttemptTexts => ({
  url: redactTokens(url),
  error: error && redactTokens(error),
  body: body && redact(body, SECRETS.response),
})
