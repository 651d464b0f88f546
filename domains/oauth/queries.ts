import { and, asc, eq, getTableColumns, gt, isNull, or, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { createList } from '../../db/lists.ts'
import { matching, rowById, selectRows } from '../../db/rows.ts'
import type { Caller } from '../../http/fastify_types.ts'
import type { DueEntry, DueSource } from '../due.ts'
import { dueRows, fixedDelay } from '../shared/due_queries.ts'
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
/** Whether no commit after this `version` of the world has changed what the owner of any token is read from. */
export const areOwnersUnchangedSince = (q: Q, version: number) => selectTokenOwner(q).isUnchangedSince(version)
const selectTokenOwner = prepared(({ db }) =>
  db
    .select({
      user_id: access_token.user_id,
      application_id: access_token.application_id,
      expires_at: access_token.expires_at,
      blocked: application.blocked,
      date_created: application_grant.date_created,
      last_call: application_grant.last_call,
    })
    .from(access_token)
    .leftJoin(application, eq(application.id, access_token.application_id))
    .leftJoin(
      application_grant,
      and(
        eq(application_grant.application_id, access_token.application_id),
        eq(application_grant.user_id, access_token.user_id),
      ),
    )
    .where(eq(access_token.token, $('token'))),
)

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
const selectFirstGranted = prepared(({ db }) =>
  db
    .select(getTableColumns(application))
    .from(application_grant)
    .innerJoin(application, eq(application.id, application_grant.application_id))
    .orderBy(sql`${application_grant}.rowid`)
    .limit(1),
)
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
const selectValid = prepared(({ db }) =>
  db
    .select({ token: access_token.token })
    .from(access_token)
    .where(
      and(
        matching(access_token, { user_id: $, application_id: $ }),
        or(isNull(access_token.expires_at), gt(access_token.expires_at, $('now'))),
      ),
    )
    .orderBy(sql`rowid DESC`)
    .limit(1),
)

/** For each of these users the first token that does not expire, if any. */
export async function nonExpiringTokensOf(q: Q, users: number[]): Promise<Map<number, string>> {
  const rows = await selectNonExpiringOf(q).all({ users: JSON.stringify(users) })
  return new Map(rows.map(({ user_id, token }) => [user_id, token]))
}
const selectNonExpiringOf = prepared(({ db }) =>
  db
    .select({ user_id: access_token.user_id, token: access_token.token })
    .from(access_token)
    .where(
      and(
        isNull(access_token.expires_at),
        sql`${access_token.user_id} IN (SELECT value FROM json_each(${$('users')}))`,
      ),
    )
    .groupBy(access_token.user_id)
    .having(sql`min(${access_token}.rowid)`),
)

/** Users who have a token that does not expire, each with the first one. */
export const nonExpiringTokens = (q: Q) => selectNonExpiring(q).all()
const selectNonExpiring = prepared(({ db }) =>
  db
    .select({
      id: user.id,
      site_id: user.site_id,
      nickname: user.nickname,
      level_id: user.level_id,
      token: access_token.token,
    })
    .from(access_token)
    .innerJoin(user, eq(user.id, access_token.user_id))
    .where(isNull(access_token.expires_at))
    .groupBy(user.id)
    .having(sql`min(${access_token}.rowid)`)
    .orderBy(asc(user.id)),
)

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
