import { lastNumber, secretOf, worldOfToken } from '../../db/ids.ts'
import type { World } from '../../db/world.ts'
import { TOKEN_SECRET } from './operations.ts'
import { tokenOwner } from './queries.ts'

/** Why an access token is rejected. `at`: ms; `world`: the number of the one that issued it. */
type TokenFault =
  | { kind: 'expired'; at: number }
  | { kind: 'other_world'; world: number }
  | { kind: 'revoked' | 'unknown' | 'malformed' }

/** Undefined: it is valid. For explanations. */
export async function faultOfToken(world: World, token: string): Promise<TokenFault | undefined> {
  const owner = await tokenOwner(world.read, token)
  if (owner) {
    const { expires_at: at } = owner
    return at !== null && at <= world.clock.now() ? { kind: 'expired', at } : undefined
  }
  const number = token.startsWith('APP_USR-') ? worldOfToken(token) : undefined
  if (number === undefined) return { kind: 'malformed' }
  if (number !== world.id) return { kind: 'other_world', world: number }
  return { kind: (await wasIssued(world, token)) ? 'revoked' : 'unknown' }
}

/** Each takes a few µs. */
const MAX_COMPARED = 10_000

/** Whether a token has one of the latest secrets of a world: revoked tokens are not stored, but can be derived again. */
async function wasIssued(world: World, token: string): Promise<boolean> {
  const last = await lastNumber(world.read, TOKEN_SECRET.purpose)
  for (let n = last; n > Math.max(0, last - MAX_COMPARED); n--)
    if (token.includes(`-${secretOf(world, TOKEN_SECRET.purpose, n, TOKEN_SECRET.length)}-`)) return true
  return false
}
