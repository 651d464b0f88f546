import { atMinusFour } from '../shared/instants.ts'
import { documentOf } from './documents.ts'
import { addressOf, type UserRow } from './queries.ts'
import type { ReputationCounts } from './reputation_queries.ts'
import type { Me, PublicUser } from './schemas.ts'
import { COUNTRY_OF, type SiteId } from './sites.ts'

// The schemas of the answers decide the order of their members.

/** The answer of GET /users/me. */
export function presentMe(row: UserRow, counts: ReputationCounts): Me {
  const { type, number } = documentOf(row)
  return {
    ...commonMembers(row, counts),
    email: row.email,
    first_name: row.first_name,
    last_name: row.last_name,
    identification: { type, number },
    address: addressOf(row),
    phone: phoneOf(row.phone),
    thumbnail: null,
    seller_experience: row.level_id === null ? 'NEWBIE' : 'ADVANCED',
  }
}

/** The parts of a phone number after that of the country; a number of another form is whole. */
function phoneOf(phone: string) {
  const [, area_code = '', number = phone] = /^\+\d+ (\d+) (.+)$/.exec(phone) ?? []
  return { area_code, number, extension: '', verified: false }
}

/** The public fields of a user. */
export function presentUser(row: UserRow, counts: ReputationCounts): PublicUser {
  const { city, state } = addressOf(row)
  return { ...commonMembers(row, counts), address: { city, state } }
}

const commonMembers = (row: UserRow, counts: ReputationCounts) => ({
  id: row.id,
  nickname: row.nickname,
  registration_date: atMinusFour(row.registration_date),
  site_id: row.site_id,
  country_id: COUNTRY_OF[row.site_id as SiteId],
  user_type: row.user_type,
  tags: JSON.parse(row.tags) as string[],
  logo: null,
  points: row.sales_completed + counts.completed,
  permalink: `https://perfil.example.com/${encodeURIComponent(row.nickname)}`,
  seller_reputation: {
    level_id: row.level_id,
    power_seller_status: row.power_seller_status,
    ...reputationMembers(row, counts),
  },
  status: { site_status: row.status },
})

/** Sales: those of the row are of the time before the world's history [spec: users.reputation.transactions]. */
function reputationMembers(row: UserRow, counts: ReputationCounts) {
  const { positive, neutral, negative } = counts
  const rating = (n: number) => rounded(n / Math.max(1, positive + neutral + negative))
  const metric = (value: number) => ({ period: PERIOD, rate: rounded(value / Math.max(1, counts.sales)), value })
  const canceled = row.sales_canceled + counts.canceled
  const completed = row.sales_completed + counts.completed
  return {
    transactions: {
      canceled,
      completed,
      period: 'historic',
      ratings: { negative: rating(negative), neutral: rating(neutral), positive: rating(positive) },
      total: canceled + completed,
    },
    metrics: {
      sales: { period: PERIOD, completed: counts.sales },
      claims: metric(counts.claims),
      delayed_handling_time: metric(counts.delayed),
      cancellations: metric(counts.cancellations),
    },
  }
}
const PERIOD = '60 days'
const rounded = (share: number) => Math.round(share * 10_000) / 10_000
