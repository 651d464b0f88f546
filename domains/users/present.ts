import { addressOf, type UserRow } from './queries.ts'
import type { Me, PublicUser } from './schemas.ts'
import { COUNTRY_OF, type SiteId } from './sites.ts'

/** The answer of GET /users/me. */
export function presentMe(row: UserRow): Me {
  const { address, city, state, zip_code } = addressOf(row)
  const { id, nickname, site_id, country_id, ...rest } = commonMembers(row)
  return {
    id,
    nickname,
    site_id,
    country_id,
    email: row.email,
    first_name: row.first_name,
    last_name: row.last_name,
    address: { address, city, state, zip_code },
    ...rest,
  }
}

/** The public fields of a user. */
export function presentUser(row: UserRow): PublicUser {
  const { city, state } = addressOf(row)
  const { id, nickname, site_id, country_id, ...rest } = commonMembers(row)
  return { id, nickname, site_id, country_id, address: { city, state }, ...rest }
}

const commonMembers = (row: UserRow) => ({
  id: row.id,
  nickname: row.nickname,
  site_id: row.site_id,
  country_id: COUNTRY_OF[row.site_id as SiteId],
  user_type: row.user_type,
  tags: JSON.parse(row.tags) as string[],
  permalink: `https://perfil.example.com/${encodeURIComponent(row.nickname)}`,
  seller_reputation: {
    level_id: row.level_id,
    power_seller_status: row.power_seller_status,
    transactions: {
      canceled: row.sales_canceled,
      completed: row.sales_completed,
      period: 'historic',
      total: row.sales_canceled + row.sales_completed,
    },
  },
  status: { site_status: row.status },
})
