import { $, preparedSql, type Q } from '../../../db/engine.ts'
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
const upsertSetting = preparedSql(`
  INSERT INTO notification_setting (application_id, callback_url, topics, profile, overrides, in_order)
  VALUES (:application_id, :callback_url, :topics, :profile, :overrides, :in_order)
  ON CONFLICT DO UPDATE SET callback_url = excluded.callback_url, topics = excluded.topics, profile = excluded.profile,
    overrides = excluded.overrides, in_order = excluded.in_order`)

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

interface MissedCount {
  application_id: number
  topic: string
  /** Missed notifications in a row that switch the topic off; 0: never. */
  off_after: number
  /** World time, ms. */
  now: number
}

/** Counts a missed notification. Returns whether it switches the topic off. */
export async function incrementMissed(q: Q, { off_after, ...count }: MissedCount): Promise<boolean> {
  return (await upsertMissed(q).one({ ...count, off_after }))!.missed === off_after
}
const upsertMissed = preparedSql<{ missed: number }>(`
  INSERT INTO notification_topic (application_id, topic, missed, off_at) VALUES (:application_id, :topic, 1, iif(:off_after = 1, :now, NULL))
  ON CONFLICT DO UPDATE SET missed = missed + 1, off_at = coalesce(off_at, iif(missed + 1 = :off_after, :now, NULL))
  RETURNING missed`)

/** Resets the count after a delivery. A topic that is switched off stays off. */
export const resetMissed = (q: Q, { application_id, topic }: Pick<MissedCount, 'application_id' | 'topic'>) =>
  deleteMissed(q).run({ application_id, topic })
const deleteMissed = deleteRows(notification_topic, { application_id: $, topic: $, off_at: null })
