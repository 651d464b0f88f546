import { asc, getTableName as nameOf, sql } from 'drizzle-orm'
import { $, prepared, preparedSql, type Q } from '../../db/engine.ts'
import { createList } from '../../db/lists.ts'
import { rowById, selectRows } from '../../db/rows.ts'
import type { Caller } from '../../http/fastify_types.ts'
import type { DueEntry, DueSource } from '../due.ts'
import { dueRows, fixedDelay } from '../shared/due_queries.ts'
import type { UserRow } from '../users/queries.ts'
import { user } from '../users/tables.ts'
import { access_token, application, application_grant, authorization_code, refresh_token } from './tables.ts'

export type ApplicationRow = typeof application.$inferSelect

/** One application; undefined when there is none. */
export const applicationById = rowById(application)

/** The owner of an access token. Times are ms of world time. */
export interface TokenOwner extends Caller {
  /** Null: it does not expire. */
  expires_at: number | null
  /** Undefined: the application has none. */
  grant: GrantRow | undefined
}
export type GrantRow = Pick<typeof application_grant.$inferSelect, 'date_created' | 'last_call'>

/** The owner of an access token, even an expired one; undefined when it is unknown. */
export async function tokenOwner(q: Q, token: string): Promise<TokenOwner | undefined> {
  const row = await selectTokenOwner(q).one({ token })
  if (!row) return undefined
  const { blocked, date_created, last_call, ...owner } = row
  return { ...owner, isBlocked: blocked === 1, grant: date_created === null ? undefined : { date_created, last_call } }
}
const selectTokenOwner = preparedSql<TokenOwnerRow>(`
  SELECT t.user_id, t.application_id, t.expires_at, a.blocked, g.date_created, g.last_call
  FROM access_token t LEFT JOIN application a ON a.id = t.application_id
  LEFT JOIN application_grant g ON g.application_id = t.application_id AND g.user_id = t.user_id
  WHERE t.token = :token`)
type TokenOwnerRow = Omit<TokenRow, 'token'> & {
  blocked: number | null
  date_created: number | null
  last_call: number | null
}

/** The grant of a user to an application; undefined when there is none. */
export const grantOf = (
  q: Q,
  { application_id, user_id }: { application_id: number; user_id: number },
): Promise<GrantRow | undefined> => selectGrant(q).one({ application_id, user_id })
const selectGrant = selectRows(
  application_grant,
  { application_id: $, user_id: $ },
  { columns: ['date_created', 'last_call'] },
)

/** The first application with a grant: the one created with the world, even if later ones have lower ids. */
export const firstApplication = async (q: Q): Promise<ApplicationRow | undefined> =>
  (await selectFirstGranted(q).one()) ?? (await selectLowestId(q).one())
const selectFirstGranted = preparedSql<ApplicationRow>(`
  SELECT a.* FROM application_grant g JOIN application a ON a.id = g.application_id ORDER BY g.rowid LIMIT 1`)
const selectLowestId = prepared(({ db }) => db.select().from(application).orderBy(asc(application.id)).limit(1))

/** All applications, by id. */
export const listApplications = createList(application, [asc(application.id)])

export type TokenRow = typeof access_token.$inferSelect

/** One access token, even an expired one; undefined when there is none. */
export const tokenByText = (q: Q, token: string): Promise<TokenRow | undefined> => byText(q).one({ token })
const byText = selectRows(access_token, { token: $ })

/** Access tokens, expired ones too, in the order of their creation. */
export const listTokens = createList(access_token, [sql`rowid`])

/** The newest token of a user for an application that is valid at an instant, ms. */
export const validToken = (
  q: Q,
  owner: { user_id: number; application_id: number },
  now: number,
): Promise<{ token: string } | undefined> => selectValid(q).one({ ...owner, now })
const selectValid = preparedSql<{ token: string }>(`
  SELECT token FROM access_token
  WHERE user_id = :user_id AND application_id = :application_id AND (expires_at IS NULL OR expires_at > :now)
  ORDER BY rowid DESC LIMIT 1`)

/** For each of these users the first token that does not expire, if any. */
export async function nonExpiringTokensOf(q: Q, users: number[]): Promise<Map<number, string>> {
  const rows = await selectNonExpiringOf(q).all({ users: JSON.stringify(users) })
  return new Map(rows.map(({ user_id, token }) => [user_id, token]))
}
const selectNonExpiringOf = preparedSql<{ user_id: number; token: string }>(`
  SELECT user_id, token FROM access_token
  WHERE expires_at IS NULL AND user_id IN (SELECT value FROM json_each(:users)) GROUP BY user_id HAVING min(rowid)`)

/** Users who have a token that does not expire, each with the first one. */
export const nonExpiringTokens = (q: Q) => selectNonExpiring(q).all()
const selectNonExpiring = preparedSql<NonExpiringToken>(`
  SELECT u.id, u.site_id, u.nickname, u.level_id, t.token FROM access_token t JOIN ${nameOf(user)} u ON u.id = t.user_id
  WHERE t.expires_at IS NULL GROUP BY u.id HAVING min(t.rowid) ORDER BY u.id`)
type NonExpiringToken = Pick<UserRow, 'id' | 'site_id' | 'nickname' | 'level_id'> & { token: string }

/** Without the texts of tokens and codes, which are secrets. */
const expiryOf = (
  kind: DueEntry['kind'],
  table: typeof access_token | typeof refresh_token | typeof authorization_code,
): DueSource =>
  dueRows({
    kind,
    effect: 'expires',
    from: table,
    time: table.expires_at,
    delay: fixedDelay(0),
    columns: { user_id: table.user_id, application_id: table.application_id },
    present: (owner) => ({ id: null, resource: null, ...owner }),
  })

/** [spec: oauth.lifetimes] */
export const due: readonly DueSource[] = [
  expiryOf('token', access_token),
  expiryOf('refresh_token', refresh_token),
  expiryOf('code', authorization_code),
]
