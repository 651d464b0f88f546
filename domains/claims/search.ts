import type { Static } from '@sinclair/typebox'
import type { World } from '../../db/world.ts'
import { parseInstant } from '../shared/instants.ts'
import { filterRequired, halfOfPair, invalidRange } from './errors.ts'
import { presentClaim } from './present.ts'
import { type Criteria, casesOf, findClaims } from './queries.ts'
import type { ClaimSearch, FoundClaims } from './schemas.ts'

type Search = Static<typeof ClaimSearch>

/** One page of the caller's claims. Throws 400, in this order: no filter, half of a pair, range [spec: claims.search.order]. */
export async function search(world: World, caller: number, query: Search): Promise<Static<typeof FoundClaims>> {
  const { limit, offset, range, resource, resource_id, 'players.role': role, 'players.user_id': player } = query
  const { id, type, stage, status, reason_id, site_id, order_id, pack_id, payment_id } = query
  const filters = { id, type, stage, status, reason_id, site_id, order_id, pack_id, payment_id }
  const given = [...Object.values(filters), range, resource, resource_id, role, player]
  if (given.every((value) => value === undefined)) throw filterRequired()
  checkPair({ resource, resource_id })
  checkPair({ 'players.role': role, 'players.user_id': player })
  // All claims are about orders. Two filters of an order exclude each other unless they are the same.
  const isOther = resource !== undefined && (resource !== 'order' || (order_id ?? resource_id) !== resource_id)
  const isNobody = role !== undefined && role !== 'complainant' && role !== 'respondent'
  const criteria = {
    ...{ ...filters, ...readRange(range), caller },
    ...(resource !== undefined && { order_id: resource_id }),
    ...(role !== undefined && { [role === 'complainant' ? 'buyer_id' : 'seller_id']: player }),
    ...((isOther || isNobody) && { nothing: 1 }),
  } as Criteria
  const { total, rows } = await findClaims(world.read, criteria, { limit, offset })
  return { paging: { total, offset, limit }, data: (await casesOf(world.read, world, rows)).map(presentClaim) }
}

function checkPair(pair: Record<string, unknown>): void {
  const [missing, given] = Object.keys(pair).sort((name) => (pair[name] === undefined ? -1 : 1))
  if (pair[missing!] === undefined && pair[given!] !== undefined) throw halfOfPair(given!, missing!)
}

const RANGE = /^(date_created|last_updated):((?:after|before):[^,]+)(?:,((?:after|before):[^,]+))?$/

/** `date_created:after:INSTANT,before:INSTANT`. */
function readRange(text: string | undefined): Criteria {
  if (text === undefined) return {}
  const [, column, ...ends] = RANGE.exec(text) ?? []
  if (!column) throw invalidRange()
  return Object.fromEntries(
    ends.flatMap((end) => {
      if (end === undefined) return []
      const [name] = end.split(':', 1)
      const ms = parseInstant(end.slice(name!.length + 1))
      if (ms === undefined) throw invalidRange()
      return [[`${column === 'date_created' ? 'created' : 'updated'}_${name}`, ms]]
    }),
  )
}
