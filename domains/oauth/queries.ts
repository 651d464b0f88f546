import { asc, eq, isNull, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import type { application } from '../../db/schema/oauth.ts'
import type { World } from '../../db/world.ts'
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

/** Who holds an access token now; undefined when it is unknown or its life is over. */
export async function holderOf({ read, clock }: World, token: string): Promise<Caller | undefined> {
  const row = await holder(read).one({ token })
  return row && (row.expires_at === null || row.expires_at > clock.now()) ? row : undefined
}
const holder = prepared(({ db, t }) =>
  db
    .select({
      user_id: t.access_token.user_id,
      application_id: t.access_token.application_id,
      expires_at: t.access_token.expires_at,
    })
    .from(t.access_token)
    .where(eq(t.access_token.token, $('token'))),
)

/** The world's own application: the first. */
export const firstApplication = (q: Q): Promise<ApplicationRow | undefined> => first(q).one()
const first = prepared(({ db, t }) => db.select().from(t.application).orderBy(asc(t.application.id)).limit(1))

/** People who have a token that does not expire, each with the first: what a developer is given at the start. */
export const lastingTokens = (q: Q) => lasting(q).all()
const lasting = prepared(({ db, t }) =>
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
