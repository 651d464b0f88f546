import { and, eq, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import {
  APPLICATIONS_PER_WORLD,
  applicationId,
  derived,
  nextNumber,
  nextSecret,
  secretOf,
  worldOfApplication,
  worldOfToken,
} from '../../db/ids.ts'
import type { World } from '../../db/world.ts'
import { notification_setting } from '../notifications/tables.ts'
import { conflict } from '../shared/errors.ts'
import { testUsers } from '../users/queries.ts'
import type { ApplicationRow, TokenRow } from './queries.ts'
import { access_token, application, application_grant, authorization_code, refresh_token } from './tables.ts'

const HOUR = 3_600_000
/** Lives in world time: access tokens 6 hours, codes 10 minutes, refresh tokens 6 months (of 30 days). */
export const TOKEN_LIFETIMES_MS = { access: 6 * HOUR, code: HOUR / 6, refresh: 180 * 24 * HOUR }

type WorldKey = Pick<World, 'id' | 'key'>

export interface Grant {
  application_id: number
  user_id: number
}

/** `APP_USR-<application>-<MMDDHH>-<32 hex>-<user>`, kept for `life` ms; null = it does not expire. */
export async function issueAccessToken(
  q: Q,
  world: WorldKey,
  { application_id, user_id }: Grant,
  now: number,
  lifetime: number | null,
): Promise<string> {
  const token = accessToken(await nextSecret(q, world, 'access_token', 32), { application_id, user_id }, now)
  const expires_at = lifetime === null ? null : now + lifetime
  // Somebody may have chosen this very text.
  if (await insertAccess(q).one({ token, application_id, user_id, expires_at })) return token
  return issueAccessToken(q, world, { application_id, user_id }, now, lifetime)
}
const accessToken = (secret: string, { application_id, user_id }: Grant, now: number): string =>
  `APP_USR-${application_id}-${new Date(now).toISOString().replace(/\D/g, '').slice(4, 10)}-${secret}-${user_id}`
const insertAccess = prepared(({ db }) =>
  db
    .insert(access_token)
    .values({
      token: $('token'),
      application_id: $('application_id'),
      user_id: $('user_id'),
      expires_at: $('expires_at'),
    })
    .onConflictDoNothing()
    .returning(),
)

/**
 * A text that somebody chose as an access token, kept for `life` ms; null = it does not expire. Refusal: it is one
 * already.
 */
export async function adoptAccessToken(
  q: Q,
  token: string,
  { application_id, user_id }: Grant,
  now: number,
  lifetime: number | null,
): Promise<void> {
  const expires_at = lifetime === null ? null : now + lifetime
  if (!(await insertAccess(q).one({ token, application_id, user_id, expires_at })))
    throw conflict('token: exists already')
}

/**
 * Gives an access token another life from now on, ms; null = it does not expire. Undefined when there is no such token.
 */
export const setTokenLifetime = (
  q: Q,
  token: string,
  now: number,
  lifetime: number | null,
): Promise<TokenRow | undefined> =>
  updateExpiry(q).one({ token, expires_at: lifetime === null ? null : now + lifetime })
const updateExpiry = prepared(({ db }) =>
  db
    .update(access_token)
    .set({ expires_at: sql`${$('expires_at')}` })
    .where(eq(access_token.token, $('token')))
    .returning(),
)

/** Ends an access token for good; undefined when there is no such token. */
export const revokeToken = (q: Q, token: string): Promise<TokenRow | undefined> => deleteAccessToken(q).one({ token })

/** `TG-<24 hex>-<user>`; works once. */
export async function issueRefreshToken(q: Q, world: WorldKey, { application_id, user_id }: Grant, now: number) {
  const token = `TG-${await nextSecret(q, world, 'refresh_token', 24)}-${user_id}`
  await insertRefresh(q).run({ token, application_id, user_id, expires_at: now + TOKEN_LIFETIMES_MS.refresh })
  return token
}
const insertRefresh = prepared(({ db }) =>
  db.insert(refresh_token).values({
    token: $('token'),
    application_id: $('application_id'),
    user_id: $('user_id'),
    expires_at: $('expires_at'),
  }),
)

export interface Challenge {
  code_challenge: string | null
  code_challenge_method: 'S256' | 'plain' | null
}

/** A person has let an application act for them: `TG-<24 hex>-<user>`, to be exchanged once within ten minutes. */
export async function issueCode(
  q: Q,
  world: WorldKey,
  grant: Grant & Challenge & { redirect_uri: string },
  now: number,
) {
  const code = `TG-${await nextSecret(q, world, 'code', 24)}-${grant.user_id}`
  await insertCode(q).run({ ...grant, code, expires_at: now + TOKEN_LIFETIMES_MS.code })
  await recordGrant(q, grant, now)
  return code
}
const insertCode = prepared(({ db }) =>
  db.insert(authorization_code).values({
    code: $('code'),
    application_id: $('application_id'),
    user_id: $('user_id'),
    redirect_uri: $('redirect_uri'),
    code_challenge: $('code_challenge'),
    code_challenge_method: $('code_challenge_method'),
    expires_at: $('expires_at'),
  }),
)

/** A user has let an application act for them. */
export const recordGrant = (q: Q, { application_id, user_id }: Grant, now: number) =>
  insertGrant(q).run({ application_id, user_id, date_created: now })
const insertGrant = prepared(({ db }) =>
  db
    .insert(application_grant)
    .values({ application_id: $('application_id'), user_id: $('user_id'), date_created: $('date_created') })
    .onConflictDoNothing(),
)

/** Takes a code out of the world; undefined when it is not there any more. Whoever gets it is the only one. */
export const consumeCode = (q: Q, code: string, application_id: number) => deleteCode(q).one({ code, application_id })
const deleteCode = prepared(({ db }) =>
  db
    .delete(authorization_code)
    .where(and(eq(authorization_code.code, $('code')), eq(authorization_code.application_id, $('application_id'))))
    .returning(),
)

/** Takes a refresh token out of the world; undefined when it is not there any more. */
export const consumeRefreshToken = (q: Q, token: string, application_id: number) =>
  deleteRefreshToken(q).one({ token, application_id })
const deleteRefreshToken = prepared(({ db }) =>
  db
    .delete(refresh_token)
    .where(and(eq(refresh_token.token, $('token')), eq(refresh_token.application_id, $('application_id'))))
    .returning(),
)

/** The redirect URI of the application that a new world gets. */
export const DEFAULT_REDIRECT_URI = 'http://localhost:3000/callback'

/**
 * Gives a new world an application that all its test users have let in, and each of them a token that does not expire.
 */
export async function issueCredentials(q: Q, world: WorldKey, now: number): Promise<void> {
  const id = applicationId(world.id, Number.parseInt(derived(world.key, 'application', 7), 16))
  await insertApplication(q).run({
    id,
    secret: derived(world.key, 'application secret', 32),
    name: 'mercadito',
    redirect_uri: DEFAULT_REDIRECT_URI,
  })
  const users = await testUsers(q)
  let n = await nextNumber(q, 'access_token', users.length)
  for (const { id: user_id } of users) {
    const grant = { application_id: id, user_id }
    await recordGrant(q, grant, now)
    const token = accessToken(secretOf(world, 'access_token', n++, 32), grant, now)
    await insertAccess(q).run({ ...grant, token, expires_at: null })
  }
}
const insertApplication = prepared(({ db }) =>
  db
    .insert(application)
    .values({ id: $('id'), secret: $('secret'), name: $('name'), redirect_uri: $('redirect_uri') })
    .onConflictDoNothing()
    .returning(),
)

export interface NewApplication {
  name: string
  redirect_uri: string
  id?: number
  secret?: string
}

/** Makes an application; its id bears the world's number, if none is told. Refusal: the id is taken. */
export async function createApplication(
  q: Q,
  world: WorldKey,
  { name, redirect_uri, id: chosenId, secret }: NewApplication,
): Promise<ApplicationRow> {
  const from = applicationId(world.id, 0)
  const id =
    chosenId ?? (await nextApplication(q).one({ from, last: from + APPLICATIONS_PER_WORLD - 1 }))?.id ?? from + 1
  const newSecret = secret ?? derived(world.key, `application secret ${id}`, 32)
  const row = await insertApplication(q).one({ id, secret: newSecret, name, redirect_uri })
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

/** Changes what an application is; answers it. */
export const changeApplication = async (
  q: Q,
  before: ApplicationRow,
  changes: Partial<Pick<ApplicationRow, 'name' | 'redirect_uri' | 'secret'>>,
): Promise<ApplicationRow> => (await updateApplication(q).one({ ...before, ...changes }))!
const updateApplication = prepared(({ db }) =>
  db
    .update(application)
    .set({
      secret: sql`${$('secret')}`,
      name: sql`${$('name')}`,
      redirect_uri: sql`${$('redirect_uri')}`,
    })
    .where(eq(application.id, $('id')))
    .returning(),
)

/**
 * A world has become another's copy: what bears the number of the one before is made anew, and its refresh tokens,
 * codes and tokens that end are dropped; nobody is told them. Ids and tokens that a person chose stay.
 */
export async function reissueCredentials(q: Q, before: number, world: WorldKey): Promise<void> {
  for (const { id, name, redirect_uri } of await applications(q).all()) {
    if (worldOfApplication(id) !== before) continue
    let newId = applicationId(world.id, id % APPLICATIONS_PER_WORLD)
    await deleteApplication(q).run({ id })
    const secret = () => derived(world.key, `application secret ${newId}`, 32)
    // Somebody may have chosen this very id.
    while (!(await insertApplication(q).one({ id: newId, secret: secret(), name, redirect_uri }))) newId++
    await moveGrants(q).run({ id, own: newId })
    await moveTokens(q).run({ id, own: newId })
    await moveSetting(q).run({ id, own: newId })
  }
  await deleteRefreshTokens(q).run()
  await deleteCodes(q).run()
  for (const { token, application_id, user_id, expires_at } of await accessTokens(q).all()) {
    if (worldOfToken(token) !== before) continue
    await deleteAccessToken(q).run({ token })
    if (expires_at === null) await issueAccessToken(q, world, { application_id, user_id }, issuedAt(token), null)
  }
}

const applications = prepared(({ db }) => db.select().from(application))
const deleteApplication = prepared(({ db }) => db.delete(application).where(eq(application.id, $('id'))))
const moveGrants = prepared(({ db }) =>
  db
    .update(application_grant)
    .set({ application_id: sql`${$('own')}` })
    .where(eq(application_grant.application_id, $('id'))),
)
const moveTokens = prepared(({ db }) =>
  db
    .update(access_token)
    .set({ application_id: sql`${$('own')}` })
    .where(eq(access_token.application_id, $('id'))),
)
const moveSetting = prepared(({ db }) =>
  db
    .update(notification_setting)
    .set({ application_id: sql`${$('own')}` })
    .where(eq(notification_setting.application_id, $('id'))),
)
const accessTokens = prepared(({ db }) => db.select().from(access_token).orderBy(sql`rowid`))
const deleteAccessToken = prepared(({ db }) =>
  db
    .delete(access_token)
    .where(eq(access_token.token, $('token')))
    .returning(),
)
const deleteRefreshTokens = prepared(({ db }) => db.delete(refresh_token))
const deleteCodes = prepared(({ db }) => db.delete(authorization_code))

/** When a token was issued, to the hour; it does not tell the year, and one that somebody chose may tell nothing. */
function issuedAt(token: string): number {
  const stamp = /^APP_USR-\d+-(\d\d)(\d\d)(\d\d)-/.exec(token)?.slice(1) ?? [1, 1, 0]
  const [month, day, hour] = stamp.map(Number) as [number, number, number]
  return Date.UTC(2024, month - 1, day, hour)
}
