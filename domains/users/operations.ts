import { sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { derived, nextNumber } from '../../db/ids.ts'
import type { World } from '../../db/world.ts'
import type { UserRow } from './queries.ts'
import type { SiteId } from './sites.ts'

/** Ids of users made in a world start here when it has none. */
const FIRST_USER = 2_500_000_000

/** Makes a test user of a site: it can be picked on the authorization page. Call it inside `world.tx`. */
export async function createTestUser(q: Q, world: World, site_id: SiteId): Promise<UserRow> {
  const n = await nextNumber(q, 'test_user')
  const digits = derived(world.key, `test_user ${n}`, 18)
  const row = await insert(q).one({
    site_id,
    nickname: `TEST${digits.slice(0, 8).toUpperCase()}`,
    password: `qatest${digits.slice(8)}`,
    email: `test_user_${digits.slice(0, 8)}@testuser.example.com`,
    registration_date: world.clock.now(),
  })
  return row!
}
const insert = prepared(({ db, t }) =>
  db
    .insert(t.user)
    .values({
      id: sql`(SELECT coalesce(max(id), ${FIRST_USER}) + 1 FROM ${t.user})`,
      site_id: $('site_id'),
      nickname: $('nickname'),
      password: $('password'),
      email: $('email'),
      first_name: 'Test',
      last_name: 'Test',
      phone: '',
      address: '{"address":"","city":"","state":"","zip_code":""}',
      user_type: 'normal',
      tags: '["normal","test_user"]',
      level_id: null,
      power_seller_status: null,
      sales_completed: 0,
      sales_canceled: 0,
      status: 'active',
      registration_date: $('registration_date'),
    })
    .returning(),
)
