import { asc, eq, like } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
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
