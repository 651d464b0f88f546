import { and, asc, count, eq, isNull, sql } from 'drizzle-orm'
import { $, prepared, preparedBy, type Q } from '../../db/engine.ts'
import type { access_token, application } from '../../db/schema/oauth.ts'
import type { Caller } from '../../plugins/auth.ts'

export type ApplicationRow = typeof application.$inferSelect

/** One application; undefined when there is none. */
export const applicationById = (q: Q, id: number): Promise<ApplicationRow | undefined> => byId(q).one({ id })
const byId = prepared(({ db, t }) =>
  db
    .select()
    .from(t.application)
    .where(eq(t.application.id, $('id'))),
)

/** Who holds an access token, and until when (ms; null: for ever). */
export interface TokenOwner extends Caller {
  expires_at: number | null
}

/** The holder of an access token, also when it is over; undefined when it is unknown. */
export const tokenOwner = (q: Q, token: string): Promise<TokenOwner | undefined> => selectTokenOwner(q).one({ token })
const selectTokenOwner = prepared(({ db, t }) =>
  db
    .select({
      user_id: t.access_token.user_id,
      application_id: t.access_token.application_id,
      expires_at: t.access_token.expires_at,
    })
    .from(t.access_token)
    .where(eq(t.access_token.token, $('token'))),
)

/** The world's own application: the first that somebody let in, whatever ids those made later were given. */
export const firstApplication = async (q: Q): Promise<ApplicationRow | undefined> =>
  (await selectFirstGranted(q).one()) ?? (await selectLowestId(q).one())
const selectFirstGranted = prepared(({ db, t: { application: a, application_grant: g } }) =>
  db
    .select({ id: a.id, secret: a.secret, name: a.name, redirect_uri: a.redirect_uri })
    .from(g)
    .innerJoin(a, eq(a.id, g.application_id))
    .orderBy(sql`${g}.rowid`)
    .limit(1),
)
const selectLowestId = prepared(({ db, t }) => db.select().from(t.application).orderBy(asc(t.application.id)).limit(1))

/** A page of the applications by id, and how many there are in all. */
export async function findApplications(q: Q, page: { limit: number; offset: number }) {
  return { total: (await countApplications(q).one())!.n, rows: await applicationsPage(q).all(page) }
}
const countApplications = prepared(({ db, t }) => db.select({ n: count().as('n') }).from(t.application))
const applicationsPage = prepared(({ db, t }) =>
  db.select().from(t.application).orderBy(asc(t.application.id)).limit($('limit')).offset($('offset')),
)

export type TokenRow = typeof access_token.$inferSelect

/** One access token, also when it is over; undefined when there is none. */
export const tokenByText = (q: Q, token: string): Promise<TokenRow | undefined> => byText(q).one({ token })
const byText = prepared(({ db, t }) =>
  db
    .select()
    .from(t.access_token)
    .where(eq(t.access_token.token, $('token'))),
)

/**
 * A page of the access tokens in the order in which they were made, those that are over too; how many there are in all.
 */
export async function findTokens(
  q: Q,
  { user_id }: { user_id?: number },
  page: { limit: number; offset: number },
): Promise<{ total: number; rows: TokenRow[] }> {
  const filters = { user: user_id !== undefined }
  const values = { user_id: user_id ?? null }
  return {
    total: (await countTokens(q, filters).one(values))!.n,
    rows: await tokensPage(q, filters).all({ ...values, ...page }),
  }
}
const countTokens = preparedBy(({ db, t: { access_token: a } }, { user }: { user: boolean }) =>
  db
    .select({ n: count().as('n') })
    .from(a)
    .where(user ? eq(a.user_id, $('user_id')) : undefined),
)
const tokensPage = preparedBy(({ db, t: { access_token: a } }, { user }: { user: boolean }) =>
  db
    .select()
    .from(a)
    .where(user ? eq(a.user_id, $('user_id')) : undefined)
    .orderBy(sql`rowid`)
    .limit($('limit'))
    .offset($('offset')),
)

/** The first token that does not expire, of each of these users who has one. */
export async function nonExpiringTokensOf(q: Q, users: number[]): Promise<Map<number, string>> {
  const rows = await selectNonExpiringOf(q).all({ users: JSON.stringify(users) })
  return new Map(rows.map(({ user_id, token }) => [user_id, token]))
}
const selectNonExpiringOf = prepared(({ db, t: { access_token: a } }) =>
  db
    .select({ user_id: a.user_id, token: a.token })
    .from(a)
    .where(and(isNull(a.expires_at), sql`${a.user_id} IN (SELECT value FROM json_each(${$('users')}))`))
    .groupBy(a.user_id)
    .having(sql`min(${a}.rowid)`),
)

/** People who have a token that does not expire, each with the first: what a developer is given at the start. */
export const nonExpiringTokens = (q: Q) => selectNonExpiring(q).all()
const selectNonExpiring = prepared(({ db, t }) =>
  db
    .select({
      id: t.user.id,
      site_id: t.user.site_id,
      nickname: t.user.nickname,
      level_id: t.user.level_id,
      token: t.access_token.token,
    })
    .from(t.access_token)
    .innerJoin(t.user, eq(t.user.id, t.access_token.user_id))
    .where(isNull(t.access_token.expires_at))
    .groupBy(t.user.id)
    .having(sql`min(${t.access_token}.rowid)`)
    .orderBy(asc(t.user.id)),
)
