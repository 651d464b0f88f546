import { sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { APPLICATIONS_PER_WORLD, applicationId, derived, nextNumber, secretOf } from '../../db/ids.ts'
import { columnValues, updateById } from '../../db/rows.ts'
import { conflict } from '../shared/errors.ts'
import { testUsers } from '../users/queries.ts'
import { accessToken, insertAccess, recordGrant, type WorldKey } from './operations.ts'
import type { ApplicationRow } from './queries.ts'
import { DEFAULT_REDIRECT_URI } from './redirects.ts'
import { application } from './tables.ts'

/** Creates the application of a new world and, for each test user, a grant and a token that does not expire. */
export async function issueCredentials(q: Q, world: WorldKey, now: number): Promise<void> {
  const id = applicationId(world.id, Number.parseInt(derived(world.key, 'application', 7), 16))
  await insertApplication(q).run({
    id,
    secret: derived(world.key, 'application secret', 32),
    name: 'mercadito',
    redirect_uri: DEFAULT_REDIRECT_URI,
    use_pkce: 0,
    blocked: 0,
  })
  const users = await testUsers(q)
  let n = await nextNumber(q, 'access_token', users.length)
  for (const { id: user_id } of users) {
    const grant = { application_id: id, user_id }
    await recordGrant(q, grant, now)
    const token = accessToken(secretOf(world, 'access_token', n++, 32), grant, now)
    await insertAccess(q, { ...grant, token, expires_at: null })
  }
}
export const insertApplication = prepared(({ db }) =>
  db.insert(application).values(columnValues(application)).onConflictDoNothing().returning(),
)

interface NewApplication {
  name: string
  redirect_uri: string
  id?: number
  secret?: string
  use_pkce?: boolean
  blocked?: boolean
}

/** Creates an application; a generated id contains the world's number. Throws 409 if the id exists. */
export async function createApplication(
  q: Q,
  world: WorldKey,
  { name, redirect_uri, id: chosenId, secret, use_pkce = false, blocked = false }: NewApplication,
): Promise<ApplicationRow> {
  const from = applicationId(world.id, 0)
  const id =
    chosenId ?? (await nextApplication(q).one({ from, last: from + APPLICATIONS_PER_WORLD - 1 }))?.id ?? from + 1
  const newSecret = secret ?? derived(world.key, `application secret ${id}`, 32)
  const row = await insertApplication(q).one({
    ...{ id, secret: newSecret, name, redirect_uri },
    ...columnsOf({ use_pkce, blocked }),
  })
  if (!row) throw conflict(`id: application ${id} exists already`)
  return row
}
const nextApplication = prepared(({ db }) =>
  db
    .select({ id: sql<number>`id + 1`.as('id') })
    .from(application)
    .where(
      sql`id >= ${$('from')} AND id < ${$('last')} AND NOT EXISTS (SELECT 1 FROM ${application} above WHERE above.id = ${application}.id + 1)`,
    )
    .orderBy(sql`${application}.id DESC`)
    .limit(1),
)

/** Changes an application; returns the changed row. */
export const changeApplication = async (
  q: Q,
  before: ApplicationRow,
  changes: Partial<Omit<NewApplication, 'id'>>,
): Promise<ApplicationRow> => (await updateApplication(q, { ...before, ...columnsOf(changes) }))!
const columnsOf = <T extends object>(fields: T) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'boolean' ? Number(value) : value]),
  )
const updateApplication = updateById(application, ['secret', 'name', 'redirect_uri', 'use_pkce', 'blocked'])
