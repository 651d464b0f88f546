/** What the address shows: `#/requests/17?status=4xx`. Everything that a person filters or opens is in it. */
export interface Address {
  /** The first segment; empty for the overview. */
  screen: string
  /** The other segments, decoded. */
  path: string[]
  query: Record<string, string>
}

export function parseAddress(hash: string): Address {
  const [, path, query] = /^#?\/?([^?]*)\??(.*)$/s.exec(hash)!
  const [screen = '', ...rest] = path!
    .split('/')
    .filter((segment) => segment !== '')
    .map(decode)
  return { screen, path: rest, query: Object.fromEntries(new URLSearchParams(query)) }
}

/** Members of the query that are undefined or empty are left out. */
export function formatAddress(
  screen: string,
  path: (string | number)[] = [],
  query: Record<string, string | undefined> = {},
): string {
  const entries = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]))
  const search = entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`
  return `#/${[screen, ...path].map((segment) => encodeURIComponent(segment)).join('/')}${search}`
}

/** Filters that calls name in another way than addresses. */
const NAMES: Record<string, string> = {
  seller: 'seller_id',
  buyer: 'buyer_id',
  item: 'item_id',
  site: 'site_id',
  app: 'application_id',
  shipment: 'shipping_status',
}

/** The members of an address that filter a list, as the query of its call; others are ignored. */
export const filtersOf = <Query>(query: Record<string, string>, filters: readonly string[]): Query =>
  Object.fromEntries(filters.map((name) => [NAMES[name] ?? name, query[name] || undefined])) as Query

/** The members of a recorded query: a pair for each value. */
export const pairsOf = (query: Record<string, string | string[]>): [name: string, value: string][] =>
  Object.entries(query).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one]))

/** A recorded query as it is read, not as it is escaped. */
export const searchOf = (query: Record<string, string | string[]>): string =>
  pairsOf(query)
    .map((pair, n) => `${n === 0 ? '?' : '&'}${pair.join('=')}`)
    .join('')

/** Where a refused call is explained. */
export const whyHref = (id: number): string => formatAddress('requests', [id, 'why'])

/** A number in an address; 0, which nothing has, for other text. */
export const numberIn = (segment: string): number => Math.trunc(Number(segment)) || 0

/** People edit addresses: a wrong escape is text. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** The part of the console's path that every call begins with: `/shop/w/2/_sandbox/console/` → `/shop/w/2`. */
export const basePath = (path: string): string => path.replace(/\/_sandbox\/console(\/.*)?$/, '')

/** The number of the world in a base path; 1 is the default world. */
export const worldOf = (base: string): number => Number(/\/w\/(\d+)$/.exec(base)?.[1] ?? 1)

/** The base path of the console of another world of the same server. */
export const consoleOf = (base: string, world: number): string =>
  `${base.replace(/\/w\/\d+$/, '')}${world === 1 ? '' : `/w/${world}`}/_sandbox/console/`
