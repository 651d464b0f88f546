import { eq, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { APPLICATIONS_PER_WORLD, applicationId, derived, worldOfApplication, worldOfToken } from '../../db/ids.ts'
import { deleteRows, selectRows, updateRows } from '../../db/rows.ts'
import { notification_setting } from '../notifications/tables.ts'
import { insertApplication } from './application_operations.ts'
import { issueAccessToken, revokeToken, type WorldKey } from './operations.ts'
import { access_token, application, application_grant, authorization_code, refresh_token } from './tables.ts'

/**
 * Gives the copy of a world its own credentials: ids and tokens with the number of the source are replaced; its refresh
 * tokens, codes and expiring tokens are deleted. Ids and tokens chosen by a caller stay.
 */
export async function reissueCredentials(q: Q, sourceWorld: number, world: WorldKey): Promise<void> {
  for (const { id, ...fields } of await applications(q).all()) {
    if (worldOfApplication(id) !== sourceWorld) continue
    let newId = applicationId(world.id, id % APPLICATIONS_PER_WORLD)
    await deleteApplication(q).run({ id })
    const secret = () => derived(world.key, `application secret ${newId}`, 32)
    // A caller may have chosen this id for another application.
    while (!(await insertApplication(q).one({ ...fields, id: newId, secret: secret() }))) newId++
    for (const move of moves) await move(q).run({ id, newId })
  }
  await deleteRefreshTokens(q).run()
  await deleteCodes(q).run()
  for (const { token, ...row } of await accessTokens(q).all()) {
    if (worldOfToken(token) !== sourceWorld) continue
    await revokeToken(q, token)
    if (row.expires_at === null) await issueAccessToken(q, world, row, issuedAt(token))
  }
}

const applications = selectRows(application, {})
const deleteApplication = deleteRows(application, { id: $ })
const moveRows = (table: typeof access_token | typeof application_grant | typeof notification_setting) =>
  updateRows(table, { application_id: $('newId') }, {}, () => eq(table.application_id, $('id')))
const moves = [application_grant, access_token, notification_setting].map(moveRows)
const accessTokens = prepared(({ db }) => db.select().from(access_token).orderBy(sql`rowid`))
const deleteRefreshTokens = deleteRows(refresh_token, {})
const deleteCodes = deleteRows(authorization_code, {})

/** The time of issue in a token, to the hour, in the year 2024: the text has no year. A chosen text may have none. */
function issuedAt(token: string): number {
  const stamp = /^APP_USR-\d+-(\d\d)(\d\d)(\d\d)-/.exec(token)?.slice(1) ?? [1, 1, 0]
  const [month, day, hour] = stamp.map(Number) as [number, number, number]
  return Date.UTC(2024, month - 1, day, hour)
}
