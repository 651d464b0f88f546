import { type Static, Type } from '@sinclair/typebox'
import type { Q } from '../../db/engine.ts'
import { CONDITIONS, type Condition, missingCondition } from '../flex/capability.ts'
import { countMe2Listings, subscriptionTo } from '../flex/queries.ts'
import { nonExpiringTokensOf } from '../oauth/queries.ts'
import { CountMember } from '../shared/control_schemas.ts'
import { utcMillis } from '../shared/instants.ts'
import { Nullable, OneOf, ResponseObject, SecretText } from '../shared/schemas.ts'
import { presentMe } from './present.ts'
import { addressOf, type UserRow } from './queries.ts'
import { reputationOf } from './reputation_queries.ts'
import { Me } from './schemas.ts'

export const User = ResponseObject(
  {
    ...Me.properties,
    phone: Type.String({ description: 'Telephone' }),
    password: SecretText({ description: 'Password' }),
    registration_date: Type.String({ description: 'Time of registration, UTC' }),
    operator: Type.Boolean({ description: 'Cannot authorize applications' }),
    me2: Type.Boolean({ description: 'An active listing of the user is shipped by ME2' }),
    flex_lacks: Nullable(OneOf(Object.keys(CONDITIONS) as Condition[]), {
      description: `First unmet condition of Flex; null if there is none. ${Object.entries(CONDITIONS)
        .map(([name, words]) => `${name}: ${words}`)
        .join('; ')}`,
    }),
    token: Nullable(SecretText(), {
      description: 'Its first access token that does not expire; null if it has none',
    }),
  },
  { title: 'User', description: 'A user as its owner sees it, with members of the sandbox' },
)
export type User = Static<typeof User>

/** The same in a list. */
export const ListedUser = ResponseObject(
  {
    ...User.properties,
    listings: CountMember('Its listings'),
    questions: CountMember('Questions that the seller received, or the buyer asked'),
  },
  { title: 'ListedUser', description: 'A user as its owner sees it, with members of the sandbox' },
)

export const presentUser = async (q: Q, hour: number, row: UserRow): Promise<User> =>
  (await presentUsers(q, hour, [row]))[0]!

/** Row → wire in an hour that begins at `hour`, world ms, with members of other domains. */
export async function presentUsers(q: Q, hour: number, rows: UserRow[]): Promise<User[]> {
  const tokens = await nonExpiringTokensOf(
    q,
    rows.map(({ id }) => id),
  )
  const users: User[] = []
  for (const row of rows) {
    const me2_listings = await countMe2Listings(q, row.id)
    const status = (await subscriptionTo(q, row.id, 'FLEX'))?.status
    const { site_id, level_id } = row
    const { city } = addressOf(row)
    users.push({
      ...presentMe(row, await reputationOf(q, hour, row.id)),
      phone: row.phone,
      password: row.password,
      registration_date: utcMillis(row.registration_date),
      operator: row.operator === 1,
      me2: me2_listings > 0,
      flex_lacks: missingCondition({ site_id, level_id, city, me2_listings, status }) ?? null,
      token: tokens.get(row.id) ?? null,
    })
  }
  return users
}
