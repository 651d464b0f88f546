import { Type } from '@sinclair/typebox'
import { derived } from '../../db/ids.ts'
import { StrictBody } from '../shared/control_schemas.ts'
import { addressMembers, OneOf } from '../shared/schemas.ts'
import { asJson, Flag, Int, OptionalInstant, Text, TextOrNull } from '../shared/world_file/fields.ts'
import { tableList } from '../shared/world_file/table_list.ts'
import type { WorldFileSection } from '../world_file.ts'
import { accountOf, FIRST_USER_ID } from './operations.ts'
import { addressOf, EMPTY_ADDRESS } from './queries.ts'
import { CITY_OF_USER, Site } from './sites.ts'
import { user } from './tables.ts'

const AddressField = (description: string) => Type.Optional(Text(description, 200, { mayBeBlank: true, default: '' }))

const FileUser = StrictBody(
  {
    id: Type.Optional(Int('User identifier; default: a new one', 1)),
    site_id: Site,
    nickname: Type.Optional(Text('Public name', 100)),
    password: Type.Optional(Text('Password', 200)),
    email: Type.Optional(Text('Mail address', 255)),
    first_name: Type.Optional(Text('First name', 100, { mayBeBlank: true, default: 'Test' })),
    last_name: Type.Optional(Text('Last name', 100, { mayBeBlank: true, default: 'Test' })),
    phone: Type.Optional(Text('Telephone', 100, { mayBeBlank: true, default: '' })),
    user_type: Type.Optional(Text('Kind of account', 64, { default: 'normal' })),
    level_id: TextOrNull('Reputation, such as 5_green; null for a buyer', 64),
    power_seller_status: TextOrNull('Medal', 64),
    sales_completed: Type.Optional(Int('Sales completed', 0, undefined, { default: 0 })),
    sales_canceled: Type.Optional(Int('Sales canceled', 0, undefined, { default: 0 })),
    status: Type.Optional(OneOf(['active', 'deactive'], { description: 'State of the account', default: 'active' })),
    address: Type.Optional(
      asJson(
        StrictBody(addressMembers(AddressField, CITY_OF_USER), {
          description: 'Address of the user',
          'x-message': 'must be an object',
        }),
      ),
    ),
    tags: Type.Optional(
      asJson(
        Type.Array(Text('Mark', 64), {
          maxItems: 50,
          description: 'Tags; the authorization page lists users with `test_user`',
          default: ['normal', 'test_user'],
          'x-message': 'must be an array of at most 50 strings',
        }),
      ),
    ),
    operator: Flag('Cannot authorize applications'),
    registration_date: OptionalInstant('Time of registration; default: world time'),
  },
  { title: 'FileUser', description: 'A user' },
)

const users = tableList(user, {
  description: 'People',
  element: FileUser,
  maxElements: 100_000,
  ids() {
    let lastId = FIRST_USER_ID - 1
    return () => ++lastId
  },
  complete({ key }, { nickname, password, email, address }, _place, id) {
    const account = accountOf(derived(key, `user ${id}`, 18))
    return {
      nickname: nickname ?? account.nickname,
      password: password ?? account.password,
      email: email ?? account.email,
      address: JSON.stringify({ ...EMPTY_ADDRESS, ...address }),
    }
  },
  present: ({ operator }) => (operator === 1 ? {} : { operator: undefined }),
  added: ({ users }, row) => users.add(row.id, { ...row, city: addressOf(row).city }),
})

export const worldFile: WorldFileSection = { after: [], lists: { users }, tables: { user: 'exported' } }
