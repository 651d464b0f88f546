import { and, asc, count, eq, isNotNull, isNull, like, ne } from 'drizzle-orm'
import { $, prepared, preparedBy, type Q, type Tables } from '../../db/engine.ts'
import type { user } from '../../db/schema/users.ts'

export type UserRow = typeof user.$inferSelect

/** One user; undefined when there is none. */
export const userById = (q: Q, id: number): Promise<UserRow | undefined> => byId(q).one({ id })
const byId = prepared(({ db, t }) =>
  db
    .select()
    .from(t.user)
    .where(eq(t.user.id, $('id'))),
)

/** The people that a developer may act as, by id; at most 500. */
export const testUsers = (q: Q): Promise<UserRow[]> => tagged(q).all()
const tagged = prepared(({ db, t }) =>
  db.select().from(t.user).where(like(t.user.tags, '%"test_user"%')).orderBy(asc(t.user.id)).limit(500),
)

/** Whether somebody, other than the user `but`, has a nickname. */
export const isNicknameTaken = async (q: Q, nickname: string, but: number | null): Promise<boolean> =>
  (await named(q).one({ nickname, but: but ?? -1 })) !== undefined
const named = prepared(({ db, t }) =>
  db
    .select({ id: t.user.id })
    .from(t.user)
    .where(and(eq(t.user.nickname, $('nickname')), ne(t.user.id, $('but'))))
    .limit(1),
)

export interface UserFilter {
  site_id?: string
  kind?: 'seller' | 'buyer'
}

/** A page of the users by id, and how many there are in all. */
export async function findUsers(
  q: Q,
  { site_id, kind }: UserFilter,
  page: { limit: number; offset: number },
): Promise<{ total: number; rows: UserRow[] }> {
  const by = { site: site_id !== undefined, kind }
  const values = { site_id: site_id ?? null }
  return {
    total: (await countBy(q, by).one(values))!.n,
    rows: await pageBy(q, by).all({ ...values, ...page }),
  }
}
interface By {
  site: boolean
  kind: UserFilter['kind']
}
const chosen = ({ user }: Tables, { site, kind }: By) =>
  and(
    site ? eq(user.site_id, $('site_id')) : undefined,
    kind && (kind === 'seller' ? isNotNull(user.level_id) : isNull(user.level_id)),
  )
const countBy = preparedBy(({ db, t }, by: By) =>
  db
    .select({ n: count().as('n') })
    .from(t.user)
    .where(chosen(t, by)),
)
const pageBy = preparedBy(({ db, t }, by: By) =>
  db.select().from(t.user).where(chosen(t, by)).orderBy(asc(t.user.id)).limit($('limit')).offset($('offset')),
)

/** Sellers have a reputation, buyers have none. */
export const isSeller = ({ level_id }: Pick<UserRow, 'level_id'>): boolean => level_id !== null

export interface Address {
  address: string
  city: string
  state: string
  zip_code: string
}

/** Where a user lives, or sends from. */
export const addressOf = ({ address }: UserRow): Address => JSON.parse(address) as Address
