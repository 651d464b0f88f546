import { and, asc, eq, isNull, like, ne, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { createSearchableList } from '../../db/lists.ts'
import { rowById } from '../../db/rows.ts'
import { item } from '../items/tables.ts'
import { bySite } from './sites.ts'
import { user } from './tables.ts'

export type UserRow = typeof user.$inferSelect

/** One user; undefined when there is none. */
export const userById = rowById(user)

/** Test users by site, then by id; at most 500. */
export const testUsers = async (q: Q): Promise<UserRow[]> => (await selectTestUsers(q).all()).sort(bySite)
const selectTestUsers = prepared(({ db }) =>
  db.select().from(user).where(like(user.tags, '%"test_user"%')).orderBy(asc(user.id)).limit(500),
)

/** Whether a user other than `exceptId` has a nickname. */
export const isNicknameTaken = async (q: Q, nickname: string, exceptId: number | null): Promise<boolean> =>
  (await selectByNickname(q).one({ nickname, exceptId: exceptId ?? -1 })) !== undefined
const selectByNickname = prepared(({ db }) =>
  db
    .select({ id: user.id })
    .from(user)
    .where(and(eq(user.nickname, $('nickname')), ne(user.id, $('exceptId'))))
    .limit(1),
)

export interface UserFilter {
  site_id?: string | undefined
  kind?: 'seller' | 'buyer' | undefined
}

/** Users, by id. */
export const listUsers = createSearchableList<typeof user, number, UserFilter>(user, {
  key: user.id,
  direction: 'asc',
  texts: [sql`${user.nickname}`],
  conditions: { kind: sql`iif(${user.level_id} IS NULL, 'buyer', 'seller') = ${$('kind')}` },
})

/** Sellers have a reputation, buyers have none [spec: users.reputation]. */
export const isSeller = ({ level_id }: Pick<UserRow, 'level_id'>): boolean => level_id !== null

export interface Address {
  address: string
  city: string
  state: string
  zip_code: string
}

export const EMPTY_ADDRESS: Address = { address: '', city: '', state: '', zip_code: '' }

export const addressOf = ({ address }: UserRow): Address => JSON.parse(address) as Address

/** The first test buyer of a listing's site who is not its seller; undefined when there is none. */
export const firstTestBuyer = async (q: Q, item_id: string): Promise<number | undefined> =>
  (await buyer(q).one({ item_id }))?.id
const buyer = prepared(({ db }) =>
  db
    .select({ id: user.id })
    .from(item)
    .innerJoin(user, and(eq(user.site_id, item.site_id), ne(user.id, item.seller_id)))
    .where(and(eq(item.id, $('item_id')), isNull(user.level_id), like(user.tags, '%"test_user"%')))
    .orderBy(asc(user.id))
    .limit(1),
)
