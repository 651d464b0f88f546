import { sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { derived, nextNumber } from '../../db/ids.ts'
import { columnValues, updateById } from '../../db/rows.ts'
import type { World } from '../../db/world.ts'
import { conflict } from '../shared/errors.ts'
import { type Address, EMPTY_ADDRESS, isNicknameTaken, type UserRow } from './queries.ts'
import type { SiteId } from './sites.ts'
import { user } from './tables.ts'

// Call these inside `world.tx`.

/** The id of the first user of a world without users. */
export const FIRST_USER_ID = 2_500_000_001

/** The fields of a user that a control call can set; a buyer has the reputation null. */
export type UserFields = Omit<UserRow, 'id' | 'user_type' | 'registration_date' | keyof ParsedFields> & ParsedFields
interface ParsedFields {
  site_id: SiteId
  address: Address
  tags: string[]
  operator: boolean
}

export type NewUser = Pick<UserFields, 'site_id'> & Partial<UserFields> & { id?: number }

/** Creates a test user of a site, who can be picked on the authorization page [spec: users.test_user]. */
export const createTestUser = (q: Q, world: World, site_id: SiteId): Promise<UserRow> =>
  createUser(q, world, { site_id })

/** Creates a test user; missing fields are generated. Throws 409 if the nickname, then if the id exists. */
export async function createUser(q: Q, world: World, { id, ...fields }: NewUser): Promise<UserRow> {
  if (fields.nickname !== undefined && (await isNicknameTaken(q, fields.nickname, null))) throw nicknameIsTaken()
  const row = await insert(q).one({
    ...{ id: id ?? null, user_type: 'normal' },
    ...columns({ ...(await generateFields(q, world)), ...fields }),
    registration_date: world.clock.now(),
  })
  if (!row) throw conflict(`id: user ${id} exists already`)
  return row
}

const nicknameIsTaken = () => conflict('nickname: another user has it')

async function generateFields(q: Q, world: World): Promise<Omit<UserFields, 'site_id'>> {
  const n = await nextNumber(q, 'test_user')
  const digits = derived(world.key, `test_user ${n}`, 18)
  const account = accountOf(digits)
  // A control call may have chosen this nickname for another user.
  if (await isNicknameTaken(q, account.nickname, null)) return generateFields(q, world)
  return {
    ...account,
    first_name: 'Test',
    last_name: 'Test',
    phone: '',
    address: EMPTY_ADDRESS,
    tags: ['normal', 'test_user'],
    level_id: null,
    power_seller_status: null,
    sales_completed: 0,
    sales_canceled: 0,
    status: 'active',
    operator: false,
  }
}

/** The account of a test user; `digits`: 18 hex digits. */
export const accountOf = (digits: string) => ({
  nickname: `TEST${digits.slice(0, 8).toUpperCase()}`,
  password: `qatest${digits.slice(8)}`,
  email: `test_user_${digits.slice(0, 8)}@testuser.example.com`,
})

const columns = ({ address, tags, operator, ...fields }: UserFields) => ({
  ...fields,
  operator: operator ? 1 : 0,
  address: JSON.stringify(address),
  tags: JSON.stringify(tags),
})

const insert = prepared(({ db }) =>
  db
    .insert(user)
    .values({
      ...columnValues(user),
      // The next id follows the highest one whose successor is free: a caller may have chosen the last possible id.
      id: sql`coalesce(${$('id')}, (SELECT u.id + 1 FROM ${user} u WHERE u.id < ${Number.MAX_SAFE_INTEGER} AND NOT EXISTS (SELECT 1 FROM ${user} above WHERE above.id = u.id + 1) ORDER BY u.id DESC LIMIT 1), ${FIRST_USER_ID})`,
    })
    .onConflictDoNothing()
    .returning(),
)

/** Changes a user. Throws 409 if another user has the nickname. */
export async function changeUser(q: Q, before: UserRow, changes: Partial<UserFields>): Promise<UserRow> {
  if (changes.nickname !== undefined && (await isNicknameTaken(q, changes.nickname, before.id))) throw nicknameIsTaken()
  const fields = {
    ...before,
    address: JSON.parse(before.address),
    tags: JSON.parse(before.tags),
    operator: before.operator === 1,
    ...changes,
  } as UserFields
  return (await update(q, { ...columns(fields), id: before.id }, before))!
}
const update = updateById(user, [
  ...(['site_id', 'nickname', 'password', 'email', 'first_name', 'last_name', 'phone', 'address', 'tags'] as const),
  ...(['level_id', 'power_seller_status', 'sales_completed', 'sales_canceled', 'status', 'operator'] as const),
])
