import type { Q } from '../../db/engine.ts'
import type { ItemRow } from '../items/queries.ts'
import { type UserRow, userById } from '../users/queries.ts'
import { CURRENCY_OF } from '../users/sites.ts'
import { parseTestBuyerId, parseTestItemId, TEST_BUYERS, TEST_ITEMS } from './test_subjects.ts'

/** A listing that test leads of an existing seller name; undefined for any other id. */
export async function testItemById(q: Q, id: string): Promise<ItemRow | undefined> {
  const subject = parseTestItemId(id)
  const seller = subject && (await userById(q, subject.seller_id))
  if (!seller) return undefined
  const { site_id, title, price } = TEST_ITEMS[subject.n]!
  return {
    id,
    site_id,
    title,
    seller_id: seller.id,
    price,
    currency_id: CURRENCY_OF[site_id],
    status: 'active',
    shipping_mode: 'not_specified',
    in_flex: 0,
    date_created: seller.registration_date,
    last_updated: seller.registration_date,
    available_quantity: 1,
  }
}

/** A buyer that test leads of an existing seller name; undefined for any other id. */
export async function testBuyerById(q: Q, id: number): Promise<UserRow | undefined> {
  const subject = parseTestBuyerId(id)
  const seller = subject && (await userById(q, subject.seller_id))
  if (!seller) return undefined
  const { city, ...person } = TEST_BUYERS[subject.n]!
  return {
    id,
    nickname: `TEST${id}`,
    password: '',
    ...person,
    address: JSON.stringify({ address: '', city, state: '', zip_code: '' }),
    user_type: 'normal',
    tags: JSON.stringify(['normal', 'test_user']),
    level_id: null,
    power_seller_status: null,
    sales_completed: 0,
    sales_canceled: 0,
    status: 'active',
    registration_date: seller.registration_date,
  }
}
