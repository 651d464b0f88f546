import { sql } from 'drizzle-orm'
import { $, type Preparable, prepared, type Q } from '../../../db/engine.ts'
import { deleteRows, updateRows } from '../../../db/rows.ts'
import { reorderAll } from '../delivery/ordering_operations.ts'
import type { SettingInput } from '../queries.ts'
import { notification, notification_setting, notification_topic } from '../tables.ts'
import { profileOf } from './profiles.ts'

// Every operation is called inside `world.tx`.

/** Stores the setting of an application; topics that were switched off are on again. */
export async function setSetting(q: Q, row: SettingInput): Promise<void> {
  await upsertSetting(q).run({ ...row, in_order: profileOf(row).in_order ? 1 : 0 })
  await reorderAll(q, row.application_id)
  await deleteTopics(q).run({ application_id: row.application_id })
}
const deleteTopics = deleteRows(notification_topic, { application_id: $ })
const upsertSetting = prepared(({ db }) => {
  const values = {
    callback_url: $('callback_url'),
    topics: $('topics'),
    profile: $('profile'),
    overrides: $('overrides'),
    in_order: $('in_order'),
  }
  return db
    .insert(notification_setting)
    .values({ application_id: $('application_id'), ...values })
    .onConflictDoUpdate({
      target: notification_setting.application_id,
      set: Object.fromEntries(Object.entries(values).map(([name, placeholder]) => [name, sql`${placeholder}`])),
    })
})

/** Deletes the setting of an application and drops its notifications. Returns whether there was one. */
export async function deleteSetting(q: Q, application_id: number, now: number): Promise<boolean> {
  if ((await deleteSettingRow(q).run({ application_id })) === 0) return false
  await dropUndelivered(q).run({ application_id, now })
  await deleteTopics(q).run({ application_id })
  return true
}
const deleteSettingRow = deleteRows(notification_setting, { application_id: $ })
const dropUndelivered = updateRows(
  notification,
  { status: 'dropped', ended_at: $('now') },
  { application_id: $, status: ['pending', 'held'] },
)

export interface MissedCount {
  application_id: number
  topic: string
  /** Missed notifications in a row that switch the topic off; 0: never. */
  off_after: number
  /** World time, ms. */
  now: number
}

/** Counts a missed notification. Returns whether it switches the topic off. */
export async function incrementMissed(q: Q, { off_after, ...count }: MissedCount): Promise<boolean> {
  const row: unknown = await upsertMissed(q).one({ ...count, off_after })
  return (row as { missed: number }).missed === off_after
}
const upsertMissed = prepared(
  (): Preparable => ({
    toSQL: () => ({
      sql: `INSERT INTO notification_topic (application_id, topic, missed, off_at) VALUES (?, ?, 1, iif(? = 1, ?, NULL))
            ON CONFLICT DO UPDATE SET missed = missed + 1, off_at = coalesce(off_at, iif(missed + 1 = ?, ?, NULL))
            RETURNING missed`,
      params: ['application_id', 'topic', 'off_after', 'now', 'off_after', 'now'].map($),
    }),
  }),
)

/** Resets the count after a delivery. A topic that is switched off stays off. */
export const resetMissed = (q: Q, { application_id, topic }: Pick<MissedCount, 'application_id' | 'topic'>) =>
  deleteMissed(q).run({ application_id, topic })
const deleteMissed = deleteRows(notification_topic, { application_id: $, topic: $, off_at: null })
