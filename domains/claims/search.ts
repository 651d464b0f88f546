import type { Static } from '@sinclair/typebox'
import type { World } from '../../db/world.ts'
import { parseInstant } from '../shared/instants.ts'
import { filterRequired, halfOfPair, invalidRange } from './errors.ts'
import { presentClaim } from './present.ts'
import { type Criteria, casesOf, findClaims } from './queries.ts'
import type { ClaimSearch, FoundClaims } from './schemas.ts'

type Search = Static<typeof ClaimSearch>

/** One page of the caller's claims. Throws 400, in this order: no filter, half of a pair, range [spec: claims.search.order]. */
export async function search(
  world: World,
  caller: number,
  { limit, offset, ...query }: Search,
): Promise<Static<typeof FoundClaims>> {
  if (Object.values(query).every((value) => value === undefined)) throw filterRequired()
  const { resource, resource_id, range, 'players.role': role, 'players.user_id': player, ...filters } = query
  checkPair(query, 'resource', 'resource_id')
  checkPair(query, 'players.role', 'players.user_id')
  const others: Criteria[] = [
    readRange(range),
    resource === undefined ? {} : resource === 'order' ? { order_id: resource_id! } : { nothing: 1 },
    role === undefined ? {} : role === 'complainant' ? { buyer_id: player! } : { seller_id: player! },
    role === 'mediator' ? { nothing: 1 } : {},
  ]
  // Two filters of an order exclude each other unless they are the same.
  const isOther = resource === 'order' && filters.order_id !== undefined && filters.order_id !== resource_id
  const criteria = Object.assign({ ...filters, caller, ...(isOther && { nothing: 1 }) }, ...others) as Criteria
  const { total, rows } = await findClaims(world.read, criteria, { limit, offset })
  return { paging: { total, offset, limit }, data: (await casesOf(world.read, world, rows)).map(presentClaim) }
}

function checkPair(query: object, one: string, other: string): void {
  const has = (name: string) => (query as Record<string, unknown>)[name] !== undefined
  if (has(one) && !has(other)) throw halfOfPair(one, other)
  if (has(other) && !has(one)) throw halfOfPair(other, one)
}

const RANGE = /^(date_created|last_updated)((?::|,)?(?:after|before):[^,]+){1,2}$/

/** `date_created:after:INSTANT,before:INSTANT`. */
function readRange(text: string | undefined): Criteria {
  if (text === undefined) return {}
  const [, column] = RANGE.exec(text) ?? []
  if (!column) throw invalidRange()
  const parts = text.slice(column.length + 1).split(',')
  const name = column === 'date_created' ? 'created' : 'updated'
  return Object.fromEntries(
    parts.map((part) => {
      const [end] = part.split(':', 1)
      const ms = parseInstant(part.slice(end!.length + 1))
      if (ms === undefined) throw invalidRange()
      return [`${name}_${end}`, ms]
    }),
  )
}
