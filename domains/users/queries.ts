import { and, asc, count, eq, isNotNull, isNull, like, ne } from 'drizzle-orm'
import { $, prepared, preparedBy, type Q } from '../../db/engine.ts'
import { user } from './tables.ts'

export type UserRow = typeof user.$inferSelect

/** One user; undefined when there is none. */
export const userById = (q: Q, id: number): Promise<UserRow | undefined> => byId(q).one({ id })
const byId = prepared(({ db }) =>
  db
    .select()
    .from(user)
    .where(eq(user.id, $('id'))),
)

/** Test users by id; at most 500. */
export const testUsers = (q: Q): Promise<UserRow[]> => selectTestUsers(q).all()
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
  site_id?: string
  kind?: 'seller' | 'buyer'
}

/** A page of the matching users, by id, and their total. */
export async function findUsers(
  q: Q,
  { site_id, kind }: UserFilter,
  page: { limit: number; offset: number },
): Promise<{ total: number; rows: UserRow[] }> {
  const filters = { site: site_id !== undefined, kind }
  const values = { site_id: site_id ?? null }
  return {
    total: (await countMatching(q, filters).one(values))!.n,
    rows: await pageOfMatching(q, filters).all({ ...values, ...page }),
  }
}
interface ActiveFilters {
  site: boolean
  kind: UserFilter['kind']
}
const matchesFilters = ({ site, kind }: ActiveFilters) =>
  and(
    site ? eq(user.site_id, $('site_id')) : undefined,
    kind && (kind === 'seller' ? isNotNull(user.level_id) : isNull(user.level_id)),
  )
const countMatching = preparedBy(({ db }, filters: ActiveFilters) =>
  db
    .select({ n: count().as('n') })
    .from(user)
    .where(matchesFilters(filters)),
)
const pageOfMatching = preparedBy(({ db }, filters: ActiveFilters) =>
  db.select().from(user).where(matchesFilters(filters)).orderBy(asc(user.id)).limit($('limit')).offset($('offset')),
)

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
