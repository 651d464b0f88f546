import { sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { nextSecret } from '../../db/ids.ts'
import { columnValues, deleteReturning, insertInto, updateReturning } from '../../db/rows.ts'
import type { World } from '../../db/world.ts'
import { conflict } from '../shared/errors.ts'
import { addMonths } from '../shared/instants.ts'
import { isSeller } from '../users/queries.ts'
import { bySite } from '../users/sites.ts'
import { firstApplication, nonExpiringTokens, type TokenRow, validToken } from './queries.ts'
import { access_token, application_grant, authorization_code, refresh_token } from './tables.ts'

/** Hex digits of access tokens, and what they are derived for. */
export const TOKEN_SECRET = { purpose: 'access_token', length: 32 }
const HOUR = 3_600_000
/** World time, ms [spec: oauth.lifetimes]. */
export const TOKEN_LIFETIMES_MS = { access: 6 * HOUR, code: HOUR / 6 }
/** Calendar months of world time [spec: oauth.lifetimes]. */
const REFRESH_TOKEN_MONTHS = 6

export type WorldKey = Pick<World, 'id' | 'key'>

export interface Grant {
  application_id: number
  user_id: number
}

/**
 * Creates the access token `APP_USR-<application>-<MMDDHH>-<32 hex>-<user>` [spec: oauth.token_form]. `expires_at`: ms;
 * null = it does not expire.
 */
export async function issueAccessToken(
  q: Q,
  world: WorldKey,
  row: Omit<TokenRow, 'token'>,
  now: number,
): Promise<string> {
  const secret = await nextSecret(q, world, TOKEN_SECRET.purpose, TOKEN_SECRET.length)
  const token = accessToken(secret, row, now)
  if (await insertAccess(q, { ...row, token })) return token
  // A control call may have created a token with the same text: take the next secret.
  return issueAccessToken(q, world, row, now)
}

/** The newest valid token of a user for an application, else a new one. */
export async function findOrIssueToken(world: World, owner: Grant): Promise<string> {
  const now = world.clock.now()
  const known = await validToken(world.read, owner, now)
  const expires_at = now + TOKEN_LIFETIMES_MS.access
  return known?.token ?? world.tx((q) => issueAccessToken(q, world, { ...owner, expires_at }, now))
}

export const accessToken = (secret: string, { application_id, user_id }: Grant, now: number): string =>
  `APP_USR-${application_id}-${new Date(now).toISOString().replace(/\D/g, '').slice(4, 10)}-${secret}-${user_id}`
export const insertAccess = insertInto(access_token)

/** Stores an access token with a chosen text. Throws 409 if it exists. */
export async function adoptAccessToken(q: Q, row: TokenRow): Promise<void> {
  if (!(await insertAccess(q, row))) throw conflict('token: exists already')
}

/** Sets when an access token expires, ms; null = it does not. Undefined without such a token. */
export const setExpiry = (q: Q, row: Pick<TokenRow, 'token' | 'expires_at'>): Promise<TokenRow | undefined> =>
  updateExpiry(q).one(row)
const updateExpiry = updateReturning(access_token, { expires_at: $ }, { token: $ })

/** Deletes an access token; undefined when there is no such token. */
export const revokeToken = (q: Q, token: string): Promise<TokenRow | undefined> => deleteAccessToken(q).one({ token })
const deleteAccessToken = deleteReturning(access_token, { token: $ })

/** Creates the refresh token `TG-<24 hex>-<user>`, which works once. */
export async function issueRefreshToken(q: Q, world: WorldKey, { application_id, user_id }: Grant, now: number) {
  const token = `TG-${await nextSecret(q, world, 'refresh_token', 24)}-${user_id}`
  await insertRefresh(q).run({ token, application_id, user_id, expires_at: addMonths(now, REFRESH_TOKEN_MONTHS) })
  return token
}
const insertRefresh = prepared(({ db }) => db.insert(refresh_token).values(columnValues(refresh_token)))

export interface Challenge {
  code_challenge: string | null
  code_challenge_method: 'S256' | 'plain' | null
}

/** Records a user's consent and creates the code `TG-<24 hex>-<user>`, which works once within ten minutes. */
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
const insertCode = prepared(({ db }) => db.insert(authorization_code).values(columnValues(authorization_code)))

/** Records that a user lets an application act for them, from now on. */
export const recordGrant = (q: Q, { application_id, user_id }: Grant, now: number) =>
  insertGrant(q).run({ application_id, user_id, date_created: now, last_call: now })
const insertGrant = prepared(({ db }) =>
  db
    .insert(application_grant)
    .values(columnValues(application_grant))
    .onConflictDoUpdate({
      target: [application_grant.application_id, application_grant.user_id],
      set: { last_call: sql`excluded.last_call` },
    }),
)

/** Deletes and returns a code, so that it works once; undefined when there is none [spec: oauth.single_use]. */
export const consumeCode = (q: Q, code: string, application_id: number) => deleteCode(q).one({ code, application_id })
const deleteCode = deleteReturning(authorization_code, { code: $, application_id: $ })

/** Deletes and returns a refresh token, so that it works once; undefined when there is none. */
export const consumeRefreshToken = (q: Q, token: string, application_id: number) =>
  deleteRefreshToken(q).one({ token, application_id })
const deleteRefreshToken = deleteReturning(refresh_token, { token: $, application_id: $ })

/** A user with a token that does not expire. */
interface Person {
  id: number
  site_id: string
  nickname: string
  token: string
}

/** Credentials with which a program can call a world. */
export interface Credentials {
  application: { id: number; secret: string; redirect_uri: string }
  sellers: Person[]
  buyers: Person[]
}

/** The first application of a world, and its users who have a token that does not expire. */
export async function readCredentials(q: Q): Promise<Credentials> {
  const { id, secret, redirect_uri } = (await firstApplication(q))!
  const people = (await nonExpiringTokens(q)).sort(bySite)
  const peopleOf = (sellers: boolean): Person[] =>
    people
      .filter((person) => isSeller(person) === sellers)
      .map(({ id, site_id, nickname, token }) => ({ id, site_id, nickname, token }))
  return { application: { id, secret, redirect_uri }, sellers: peopleOf(true), buyers: peopleOf(false) }
}
