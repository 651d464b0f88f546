import { asc, like, getTableName as nameOf, sql } from 'drizzle-orm'
import { $, prepared, preparedSql, type Q } from '../../db/engine.ts'
import { createSearchableList } from '../../db/lists.ts'
import { rowById, selectRows } from '../../db/rows.ts'
import { item } from '../items/tables.ts'
import { question } from '../questions/tables.ts'
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
const selectByNickname = selectRows(
  user,
  { nickname: $ },
  { columns: ['id'], also: () => sql`${user.id} <> ${$('exceptId')}` },
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

export const addressOf = ({ address }: Pick<UserRow, 'address'>): Address => JSON.parse(address) as Address

/** Whom and what a row is about, by name: the listing with its seller, and the buyer. */
export const namesOf = async (q: Q, row: { item_id: string; buyer_id: number }): Promise<Names> =>
  (await selectNames(q).one(row)) ?? {
    item_title: null,
    currency_id: null,
    seller_nickname: null,
    buyer_nickname: null,
  }
type Names = Record<'item_title' | 'currency_id' | 'seller_nickname' | 'buyer_nickname', string | null>
const selectNames = preparedSql<Names>(`
  SELECT i.title AS item_title, i.currency_id, s.nickname AS seller_nickname, b.nickname AS buyer_nickname
  FROM ${nameOf(item)} i LEFT JOIN user s ON s.id = i.seller_id LEFT JOIN user b ON b.id = :buyer_id WHERE i.id = :item_id`)

/** Listings of a user, and questions: those that a seller has received, or a buyer has asked. */
export const countsOfUser = async (q: Q, { id, ...row }: UserRow) =>
  (await (isSeller(row) ? sellerCounts : buyerCounts)(q).one({ id }))!
const countsBy = (asker: 'seller_id' | 'from_id') =>
  preparedSql<{ listings: number; questions: number }>(`
    SELECT (SELECT count(*) FROM ${nameOf(item)} WHERE seller_id = :id) AS listings,
           (SELECT count(*) FROM ${nameOf(question)} WHERE ${asker} = :id) AS questions`)
const sellerCounts = countsBy('seller_id')
const buyerCounts = countsBy('from_id')

/** The first test buyer of a listing's site who is not its seller; undefined when there is none. */
export const firstTestBuyer = async (q: Q, item_id: string): Promise<number | undefined> =>
  (await buyer(q).one({ item_id }))?.id
const buyer = preparedSql<{ id: number }>(`
  SELECT u.id FROM ${nameOf(item)} i JOIN user u ON u.site_id = i.site_id AND u.id <> i.seller_id
  WHERE i.id = :item_id AND u.level_id IS NULL AND u.tags LIKE '%"test_user"%' ORDER BY u.id LIMIT 1`)
