import { Type } from '@sinclair/typebox'
import { derived } from '../../db/ids.ts'
import { StrictBody } from '../shared/control_schemas.ts'
import { utcOrNull } from '../shared/instants.ts'
import { OneOf } from '../shared/schemas.ts'
import { Int, OptionalInstant, Text, TextOrNull } from '../shared/world_file/fields.ts'
import { importIdentified } from '../shared/world_file/import_elements.ts'
import { insertInto } from '../shared/world_file/operations.ts'
import { mapPages, rowsById } from '../shared/world_file/queries.ts'
import { type WorldFileSection, worldFileList } from '../world_file.ts'
import { accountOf, FIRST_USER_ID } from './operations.ts'
import { EMPTY_ADDRESS } from './queries.ts'
import { Site } from './sites.ts'
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
    address: Type.Optional(
      StrictBody(
        {
          address: AddressField('Street and number'),
          city: AddressField('City; decides whether the user is in a coverage area of Flex'),
          state: AddressField('State or province'),
          zip_code: AddressField('Postal code'),
        },
        { description: 'Address of the user', 'x-message': 'must be an object' },
      ),
    ),
    user_type: Type.Optional(Text('Kind of account', 64, { default: 'normal' })),
    tags: Type.Optional(
      Type.Array(Text('Mark', 64), {
        maxItems: 50,
        description: 'Tags; the authorization page lists users with `test_user`',
        default: ['normal', 'test_user'],
        'x-message': 'must be an array of at most 50 strings',
      }),
    ),
    level_id: TextOrNull('Reputation, such as 5_green; null for a buyer', 64),
    power_seller_status: TextOrNull('Medal', 64),
    sales_completed: Type.Optional(Int('Sales completed', 0, undefined, { default: 0 })),
    sales_canceled: Type.Optional(Int('Sales canceled', 0, undefined, { default: 0 })),
    status: Type.Optional(OneOf(['active', 'deactive'], { description: 'State of the account', default: 'active' })),
    registration_date: OptionalInstant('Time of registration; default: world time'),
  },
  { title: 'FileUser', description: 'A user' },
)

const insertUser = insertInto(user)
const allUsers = rowsById(user)

const users = worldFileList({
  description: 'People',
  element: FileUser,
  maxElements: 100_000,
  async import(context, list) {
    const { q, key } = context
    let lastId = FIRST_USER_ID - 1
    await importIdentified(
      list,
      () => ++lastId,
      async (element, place, id) => {
        const account = accountOf(derived(key, `user ${id}`, 18))
        const { nickname = account.nickname, password = account.password, email = account.email, site_id } = element
        const address = { ...EMPTY_ADDRESS, ...element.address }
        const isInserted = await insertUser(q, {
          id,
          site_id,
          nickname,
          password,
          email,
          first_name: element.first_name!,
          last_name: element.last_name!,
          phone: element.phone!,
          address: JSON.stringify(address),
          user_type: element.user_type!,
          tags: JSON.stringify(element.tags),
          level_id: element.level_id!,
          power_seller_status: element.power_seller_status!,
          sales_completed: element.sales_completed!,
          sales_canceled: element.sales_canceled!,
          status: element.status!,
          registration_date: context.instantOf(`${place}.registration_date`, element.registration_date),
        })
        if (isInserted) context.users.add(id, { site_id, nickname, city: address.city })
        return isInserted
      },
    )
  },
  export: ({ q }) =>
    mapPages(allUsers(q), ({ address, tags, registration_date, ...row }) => ({
      ...row,
      address: JSON.parse(address),
      tags: JSON.parse(tags),
      registration_date: utcOrNull(registration_date),
    })),
})

export const worldFile: WorldFileSection = { after: [], lists: { users }, tables: { user: 'exported' } }
