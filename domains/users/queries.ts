import { and, asc, eq, isNull, like, ne, sql } from 'drizzle-orm'
import { alias, type SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { $, prepared, type Q } from '../../db/engine.ts'
import { createSearchableList } from '../../db/lists.ts'
import { rowById } from '../../db/rows.ts'
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
export const listUsers = createSearchableList(user, {
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
export const namesOf = async (q: Q, row: { item_id: string; buyer_id: number }) =>
  (await selectNames(q).one(row)) ?? {
    item_title: null,
    currency_id: null,
    seller_nickname: null,
    buyer_nickname: null,
  }
const seller = alias(user, 'seller')
const selectNames = prepared(({ db }) =>
  db
    .select({
      item_title: sql<string | null>`${item.title}`.as('item_title'),
      currency_id: sql<string | null>`${item.currency_id}`.as('currency_id'),
      seller_nickname: sql<string | null>`${seller.nickname}`.as('seller_nickname'),
      buyer_nickname: sql<string | null>`${user.nickname}`.as('buyer_nickname'),
    })
    .from(item)
    .leftJoin(seller, eq(seller.id, item.seller_id))
    .leftJoin(user, eq(user.id, $('buyer_id')))
    .where(eq(item.id, $('item_id'))),
)

/** Listings of a user, and questions: those that a seller has received, or a buyer has asked. */
export const countsOfUser = async (q: Q, { id, ...row }: UserRow) =>
  (await (isSeller(row) ? sellerCounts : buyerCounts)(q).one({ id }))!
const countsBy = (asker: SQLiteColumn) =>
  prepared(({ db }) =>
    db
      .select({
        listings: sql<number>`(SELECT count(*) FROM ${item} WHERE ${item.seller_id} = ${$('id')})`.as('listings'),
        questions: sql<number>`(SELECT count(*) FROM ${question} WHERE ${asker} = ${$('id')})`.as('questions'),
      })
      .from(sql`(SELECT 1)`),
  )
const sellerCounts = countsBy(question.seller_id)
const buyerCounts = countsBy(question.from_id)

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
