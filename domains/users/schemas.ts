import { type Static, Type } from '@sinclair/typebox'
import { userNotFound } from '../shared/errors.ts'
import { addressMembers, Nullable, ResponseObject, UserId, UserIdInPath } from '../shared/schemas.ts'
import { decimal, shape } from '../shared/shape.ts'
import { SITES } from './sites.ts'

export const Users = { name: 'Users', description: 'Sellers and buyers', id: 'user_id' }

export const UserParams = Type.Object({ user_id: UserIdInPath(userNotFound) })

const id = UserId
const nickname = Type.String({ description: 'Public name', examples: ['VENDEDOR_MLA'] })
const site_id = Type.String({ description: 'Site where the user is registered', examples: ['MLA'] })
const country_id = Type.String({ description: 'ISO 3166 code of the country', examples: ['AR'] })
const registration_date = Type.String({
  description: 'Time of registration, at −04:00',
  examples: ['2024-01-15T10:30:00.000-04:00'],
})
const user_type = Type.String({ description: 'Kind of account', examples: ['normal'] })
const tags = Type.Array(Type.String(), { description: 'Marks of the account' })
const logo = Type.Null({ description: 'Always null' })
const points = Type.Integer({ description: 'Sales completed' })
const permalink = Type.String({ description: 'Address of the public profile' })
const count = (description: string) => Type.Integer({ description })

const METRIC = { period: '60 days', rate: decimal(0.0123), value: 3 }
const seller_reputation = ResponseObject(
  {
    level_id: Nullable(Type.String(), {
      description: '5_green, 4_light_green, 3_yellow, 2_orange, 1_red; null before any sale',
      examples: ['5_green'],
    }),
    power_seller_status: Nullable(Type.String(), { description: 'silver, gold, platinum or null' }),
    transactions: ResponseObject(
      {
        canceled: count('Sales canceled'),
        completed: count('Sales completed'),
        period: Type.String({ description: 'What is counted', examples: ['historic'] }),
        ratings: shape(
          { negative: decimal(0.04), neutral: decimal(0.08), positive: decimal(0.88) },
          { description: 'Shares of the buyers’ opinions; 0 without any' },
        ),
        total: count('All sales'),
      },
      { description: 'Sales so far' },
    ),
    metrics: shape(
      {
        sales: { period: '60 days', completed: 244 },
        claims: METRIC,
        delayed_handling_time: METRIC,
        cancellations: METRIC,
      },
      { description: 'What happened in the last 60 days', notes: { rate: 'Share of the sales' } },
    ),
  },
  { title: 'SellerReputation', description: 'Reputation as a seller' },
)

const text = (description: string) => Type.String({ description })

const status = ResponseObject(
  { site_status: text('State of the account on its site') },
  { description: 'State of the account' },
)

export const Me = ResponseObject(
  {
    id,
    nickname,
    registration_date,
    site_id,
    country_id,
    email: text('Mail address'),
    first_name: text('First name'),
    last_name: text('Last name'),
    identification: shape({ type: 'DNI', number: '30123456' }, { description: 'Document' }),
    address: ResponseObject(addressMembers(text), { description: 'Where the user lives or sells from' }),
    phone: shape(
      { area_code: '11', number: '5555-0073', extension: '', verified: false },
      { description: 'Telephone, without the country' },
    ),
    user_type,
    tags,
    logo,
    points,
    permalink,
    thumbnail: Type.Null({ description: 'Always null' }),
    seller_experience: Type.String({ description: 'NEWBIE before any sale, else ADVANCED', examples: ['ADVANCED'] }),
    seller_reputation,
    status,
  },
  { title: 'Me', description: 'The owner of the token' },
)
export type Me = Static<typeof Me>

export const PublicUser = ResponseObject(
  {
    id,
    nickname,
    registration_date,
    site_id,
    country_id,
    address: ResponseObject(
      { city: text('City'), state: text('State or province') },
      { description: 'Where the user lives or sells from' },
    ),
    user_type,
    tags,
    logo,
    points,
    permalink,
    seller_reputation,
    status,
  },
  { title: 'User', description: 'The public part of a user' },
)
export type PublicUser = Static<typeof PublicUser>

export const NewTestUser = Type.Object(
  {
    site_id: Type.String({
      description: `Site of the new user: ${SITES.join(', ')}`,
      examples: ['MLA'],
      'x-message': 'must be the id of a site',
    }),
  },
  { 'x-message': 'must be a JSON object with site_id', examples: [{ site_id: 'MLA' }] },
)

export const TestUser = ResponseObject(
  {
    id,
    nickname,
    password: text('Password'),
    site_status: Type.String({ description: 'State of the account', examples: ['active'] }),
    email: text('Mail address'),
  },
  { title: 'TestUser', description: 'A new test user' },
)
