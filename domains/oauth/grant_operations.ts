import { isNull, lte, or, sql } from 'drizzle-orm'
import type { Validity } from '../../db/clock.ts'
import { $, type Q } from '../../db/engine.ts'
import { deleteRows, updateRows } from '../../db/rows.ts'
import type { World } from '../../db/world.ts'
import { addMonths } from '../shared/instants.ts'
import type { Grant } from './operations.ts'
import type { GrantRow } from './queries.ts'
import { access_token, application_grant, authorization_code, refresh_token } from './tables.ts'

const DAY = 24 * 3_600_000
/** Calendar months of world time without a call, after which a grant is dead [spec: oauth.dead_grant]. */
const MONTHS_WITHOUT_CALL = 4

const diesAt = ({ last_call }: GrantRow): number =>
  last_call === null ? Number.POSITIVE_INFINITY : addMonths(last_call, MONTHS_WITHOUT_CALL)

/** Whether refresh tokens of a grant work at `now`, ms of world time. */
export const isAlive = (grant: GrantRow | undefined, now: number): boolean => grant !== undefined && now < diesAt(grant)

const NEVER: Validity = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]

/** When a call is recorded with its grant: at most once a day, and never with a dead one, which no call revives. */
export const recordingPeriod = (grant: GrantRow | undefined): Validity =>
  grant ? [grant.last_call === null ? Number.NEGATIVE_INFINITY : grant.last_call + DAY, diesAt(grant)] : NEVER

/** Records a call. That it fails, on a full disk for example, is no reason to refuse the call. */
export const recordCall = (world: World, { application_id, user_id }: Grant, now: number): Promise<unknown> =>
  world.tx((q) => updateLastCall(q).run({ application_id, user_id, now, before: now - DAY })).catch(() => undefined)
const updateLastCall = updateRows(application_grant, { last_call: $('now') }, { application_id: $, user_id: $ }, () =>
  or(isNull(application_grant.last_call), lte(application_grant.last_call, $('before'))),
)

/**
 * Ends the grants of a user, with their tokens and codes: that to one application, or all. Returns how many there were
 * [spec: oauth.revoke, oauth.password].
 */
export async function endGrants(q: Q, user_id: number, application_id: number | null = null): Promise<number> {
  for (const remove of deletesOfTokens) await remove(q).run({ user_id, application_id })
  return deleteGrants(q).run({ user_id, application_id })
}
const deleteOf = (
  table: typeof application_grant | typeof access_token | typeof refresh_token | typeof authorization_code,
) =>
  deleteRows(table, {
    user_id: $,
    application_id: () => sql`coalesce(${$('application_id')}, ${table.application_id})`,
  })
const deletesOfTokens = [access_token, refresh_token, authorization_code].map(deleteOf)
const deleteGrants = deleteOf(application_grant)
