import { isNotNull, sql } from 'drizzle-orm'
import { $, preparedSql, type Q } from '../../db/engine.ts'
import { createSearchableList } from '../../db/lists.ts'
import { rowById, selectRows } from '../../db/rows.ts'
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
  { application_id: $ },
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
const selectNextDue = preparedSql<{ next_at: number }>(`
  SELECT next_at FROM notification
  WHERE application_id = :application_id AND status = 'pending' AND behind = 0 AND leased_until IS NULL AND next_at > :after
  ORDER BY next_at, id LIMIT 1`)

/** The number of notifications that wait for an attempt. */
export const countPending = async (q: Q): Promise<number> => (await selectPendingCount(q).one())?.total ?? 0
const selectPendingCount = preparedSql<{ total: number }>(`
  SELECT count(*) AS total FROM notification
  WHERE application_id IN (SELECT application_id FROM notification_setting) AND status = 'pending'`)

type MissedRow = Pick<AttemptRow, 'data' | 'url' | 'ms' | 'http_code' | 'body' | 'headers'>

/** Missed notifications of an application, the latest first, with their last attempts. `topic` empty: any. */
export const missedNotifications = (
  q: Q,
  filter: { application_id: number; topic: string; since: number; limit: number; offset: number },
): Promise<MissedRow[]> => selectMissed(q).all(filter)
const selectMissed = preparedSql<MissedRow>(`
  SELECT a.data, a.url, a.ms, a.http_code, a.body, a.headers
  FROM notification n JOIN notification_attempt a ON a.notification_id = n.id AND a.n = n.attempts
  WHERE n.application_id = :application_id AND n.status = 'missed' AND (:topic = '' OR n.topic = :topic) AND n.ended_at >= :since
  ORDER BY n.id DESC LIMIT :limit OFFSET :offset`)

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
const selectTexts = preparedSql<AttemptTexts & { id: number; resource: string }>(`
  SELECT n.id, n.resource, coalesce(a.url, '') AS url, a.error, coalesce(a.body, '') AS body
  FROM notification n LEFT JOIN notification_attempt a ON a.notification_id = n.id
  WHERE n.id IN (SELECT value FROM json_each(:keys))`)

/** Notifications, the latest first. */
export const listNotifications = createSearchableList(notification, {
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
const selectFirstOfResource = preparedSql<{ id: number | null }>(`
  SELECT min(id) AS id FROM notification
  WHERE application_id = :application_id AND resource = :resource AND status = 'pending' AND ended_at IS NULL`)

/** Attempts of a notification, in order. */
export const attemptsOf = (q: Q, notification_id: number): Promise<AttemptRow[]> =>
  selectAttempts(q).all({ notification_id })
const selectAttempts = selectRows(notification_attempt, { notification_id: $ }, { order: ['n'] })

type AttemptTexts = Pick<AttemptRow, 'url' | 'error' | 'body'>

/** The texts of an attempt without secrets, which a receiver may have sent back. */
export const shownTexts = ({ url, error, body }: AttemptTexts): AttemptTexts => ({
  url: redactTokens(url),
  error: error && redactTokens(error),
  body: body && redact(body, SECRETS.response),
})
