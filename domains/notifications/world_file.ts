import type { Static } from '@sinclair/typebox'
import type { Q } from '../../db/engine.ts'
import { StrictBody } from '../shared/control_schemas.ts'
import type { ImportContext, WorldFileSection } from '../world_file.ts'
import { readSetting, SETTING_FIELDS, toSettingInput } from './control/settings.ts'
import { listSettings } from './queries.ts'
import { setSetting } from './settings/operations.ts'

// In a file, settings are members of the applications.

export const FileSetting = StrictBody(SETTING_FIELDS, {
  description: 'Notification setting; without it the application receives no notifications',
  'x-message': 'must be an object with callback_url',
})

/** Writes the setting of an application. Throws 400 that begins with `pathPrefix` if its target is not allowed. */
export const importSetting = (
  { q, networkPolicy }: ImportContext,
  application_id: number,
  setting: Static<typeof FileSetting>,
  pathPrefix: string,
): Promise<void> => setSetting(q, readSetting(application_id, setting, networkPolicy, pathPrefix))

/** All settings of a world, by application. */
export const exportSettings = async (q: Q): Promise<Map<number, object>> =>
  new Map((await listSettings(q)).map((row) => [row.application_id, toSettingInput(row)]))

export const worldFile: WorldFileSection = {
  after: [],
  lists: {},
  tables: {
    notification_setting: 'exported',
    notification: 'omitted',
    notification_attempt: 'omitted',
    notification_topic: 'omitted',
  },
}
