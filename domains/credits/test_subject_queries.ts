import type { Q } from '../../db/engine.ts'
import type { ItemRow } from '../items/queries.ts'
import { withoutAccents } from '../shared/texts.ts'
import { type UserRow, userById } from '../users/queries.ts'
import { CURRENCY_OF } from '../users/sites.ts'

// The listings and buyers that test leads name. They are not stored: their ids contain the id of the seller, and what
// they are is computed when they are read [spec: credits.test_leads.subjects].

/** By number. */
const TEST_ITEMS = [
  { site_id: 'MLB', title: 'Carro de teste', price: 180_000 },
  { site_id: 'MLB', title: 'Moto de teste', price: 42_000 },
  { site_id: 'MLC', title: 'Departamento de prueba', price: 95_000_000 },
  { site_id: 'MLC', title: 'Casa de prueba', price: 140_000_000 },
] as const

/** By number. */
export const TEST_BUYERS = [
  buyer('MLB', 'João', 'Oliveira', '+55 11 5555 0128'),
  buyer('MLB', 'Beatriz', 'Souza', '+55 21 5555 0175'),
  buyer('MLB', 'Rafael', 'Almeida', '+55 31 5555 0142'),
  buyer('MLC', 'Camila', 'Rojas', '+56 2 5555 0163'),
  buyer('MLC', 'Diego', 'Fuentes', '+56 2 5555 0117'),
  buyer('MLC', 'Lucía', 'Contreras', '+56 2 5555 0109'),
]

function buyer(site_id: 'MLB' | 'MLC', first_name: string, last_name: string, phone: string) {
  const city = site_id === 'MLB' ? 'São Paulo' : 'Santiago'
  const email = `${withoutAccents(`${first_name}.${last_name}`).toLowerCase()}@example.com`
  return { site_id, first_name, last_name, city, email, phone }
}

// Seven, the number, the seller. Buyers are integers of JSON: an id of a seller with more digits leaves no room.
const ITEM_ID = /^(M[A-Z]{2})7(\d)([1-9]\d{0,15})$/
const BUYER_ID = /^7(\d)([1-9]\d{0,13})$/

export const testItemId = (n: number, seller_id: number): string => `${TEST_ITEMS[n]!.site_id}7${n}${seller_id}`
export const testBuyerId = (n: number, seller_id: number): number => Number(`7${n}${seller_id % 1e14}`)

/** A listing that test leads of an existing seller name; undefined for any other id. */
export async function testItemById(q: Q, id: string): Promise<ItemRow | undefined> {
  const [, site, n, seller_id] = ITEM_ID.exec(id) ?? []
  const subject = TEST_ITEMS[Number(n)]
  if (!subject || subject.site_id !== site) return undefined
  const seller = await userById(q, Number(seller_id))
  if (!seller) return undefined
  const { site_id, title, price } = subject
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
    seller_sku: null,
    ...{ category_id: null, sold_quantity: 0, promotion_until: null, details: '{}' },
  }
}

/** A buyer that test leads of an existing seller name; undefined for any other id. */
export async function testBuyerById(q: Q, id: number): Promise<UserRow | undefined> {
  const [, n, seller_id] = BUYER_ID.exec(String(id)) ?? []
  const subject = TEST_BUYERS[Number(n)]
  const seller = subject && (await userById(q, Number(seller_id)))
  if (!seller) return undefined
  const { city, ...person } = subject
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
    operator: 0,
  }
}
