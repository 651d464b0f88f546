import { type Static, Type } from '@sinclair/typebox'
import { CONDITIONS, type Condition } from '../../flex/capability.ts'
import { StrictBody } from '../../shared/control_schemas.ts'
import { userNotFound } from '../../shared/errors.ts'
import { MAX_ID, Nullable, OneOf, ResponseObject, SecretText, UserIdInPath } from '../../shared/schemas.ts'
import { Text } from '../../shared/texts.ts'
import { Me } from '../schemas.ts'
import { SITES } from '../sites.ts'

const LEVELS = ['5_green', '4_light_green', '3_yellow', '2_orange', '1_red']
const MEDALS = ['silver', 'gold', 'platinum']

/** One of these texts, or null. */
const OneOfOrNull = (values: string[], description: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    enum: [...values, null],
    description,
    examples: [values[0]],
    'x-message': `must be one of ${values.join(', ')}, or null`,
  })

const MAX_SALES = 1_000_000_000
const Sales = (description: string) =>
  Type.Integer({
    minimum: 0,
    maximum: MAX_SALES,
    description,
    examples: [120],
    'x-message': `must be an integer from 0 to ${MAX_SALES}`,
  })

const addressField = (description: string) => Type.Optional(Text(description, 200, { mayBeBlank: true }))

const UserFields = {
  nickname: Text('Public name; must be unique', 60, { example: 'TIENDA_DE_PRUEBA' }),
  password: Text('Password', 100),
  email: Type.String({
    pattern: '^[^\\s@\\u0000]{1,64}@[^\\s@\\u0000]{1,189}$',
    description: 'Mail address',
    examples: ['tienda@example.com'],
    'x-message': 'must be a mail address',
  }),
  first_name: Text('First name', 100, { mayBeBlank: true, example: 'Lucía' }),
  last_name: Text('Last name', 100, { mayBeBlank: true, example: 'Fernández' }),
  phone: Text('Telephone', 40, { mayBeBlank: true, example: '+54 11 5555-0123' }),
  address: StrictBody(
    {
      address: addressField('Street and number'),
      city: addressField('City; decides whether the user is in a coverage area of Flex'),
      state: addressField('State or province'),
      zip_code: addressField('Postal code'),
    },
    {
      description: 'Address of the user; omitted members are unchanged',
      'x-message': 'must be an object',
    },
  ),
  level_id: OneOfOrNull(LEVELS, 'Reputation; null for a buyer'),
  power_seller_status: OneOfOrNull(MEDALS, 'Medal'),
  sales_completed: Sales('Sales completed'),
  sales_canceled: Sales('Sales canceled'),
  tags: Type.Array(
    Type.String({
      pattern: '^[a-z0-9_-]{1,64}$',
      'x-message': 'must be an array of strings of 1 to 64 lower case letters, digits, - and _',
    }),
    {
      maxItems: 50,
      uniqueItems: true,
      description: 'Tags of the account; the authorization page offers users with `test_user`',
      examples: [['normal', 'test_user']],
      'x-message': 'must be an array of at most 50 different tags',
    },
  ),
  status: OneOf(['active', 'deactive'], { description: 'State of the account', examples: ['active'] }),
}
const site_id = OneOf(SITES, { description: 'Site of the user', examples: ['MLA'] })

export const NewUser = StrictBody(
  {
    site_id,
    id: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_ID,
        description: 'Identifier; default: a new one',
        examples: [123456789],
        'x-message': `must be an integer from 1 to ${MAX_ID}`,
      }),
    ),
    ...Type.Partial(Type.Object(UserFields)).properties,
  },
  { examples: [{ site_id: 'MLA', level_id: '5_green', address: { city: 'Buenos Aires' } }] },
)

export const UserChanges = StrictBody(
  {
    site_id: Type.Optional(site_id),
    ...Type.Partial(Type.Object(UserFields)).properties,
    me2: Type.Optional(
      Type.Boolean({
        description:
          'true ships all listings of the user by ME2. false sets their shipping mode to not_specified, and they leave Flex. PATCH /items/{id} changes one listing',
        'x-message': 'must be true or false',
      }),
    ),
  },
  { examples: [{ level_id: '2_orange' }] },
)

export const User = ResponseObject(
  {
    ...Me.properties,
    phone: Type.String({ description: 'Telephone' }),
    password: SecretText({ description: 'Password' }),
    registration_date: Type.String({ description: 'Time of registration, UTC' }),
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

export const UserParams = Type.Object({ id: UserIdInPath(userNotFound) })
