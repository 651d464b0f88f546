import type { RouteOptions } from 'fastify'

/** One path and its routes by method. */
export interface Path {
  url: string
  routes: Map<string, RouteOptions>
}

/** All registered paths: Fastify's router cannot list the methods of a path. */
export interface Paths {
  add(route: RouteOptions): void
  all(): Path[]
  /**
   * The path that an address matches; fixed segments win over parameters, as in the router. With a method, paths that
   * have it win over others.
   */
  match(address: string, method?: string): Path | undefined
}

export function createPaths(): Paths {
  const paths = new Map<string, Path>()
  /** Those of every path below another, the longest first. */
  let open: Path[] | undefined
  /** Those of equal length in their order. */
  let byLength: Partial<Record<number, { path: Path; segments: string[] }[]>> | undefined
  return {
    add(route) {
      const path = paths.get(route.url) ?? { url: route.url, routes: new Map() }
      paths.set(route.url, path)
      for (const method of [route.method].flat()) path.routes.set(method, route)
      byLength = open = undefined
    },
    all: () => [...paths.values()],
    match(address, method) {
      open ??= [...paths.values()].filter(({ url }) => url.endsWith('/*')).sort((a, b) => b.url.length - a.url.length)
      byLength ??= Object.groupBy(
        [...paths.values()]
          .sort((a, b) => (sortKey(a.url) < sortKey(b.url) ? -1 : 1))
          .map((path) => ({ path, segments: path.url.split('/') })),
        ({ segments }) => segments.length,
      )
      const requested = address
        .split('?', 1)[0]!
        .replace(/(?<=.)\/$/, '')
        .split('/')
        .map(decoded)
      const matching = (byLength[requested.length] ?? []).filter(
        ({ path, segments }) =>
          segments.every((segment, n) => segment[0] === ':' || segment === requested[n]) &&
          !isWordForId(path.routes.values().next().value!, address),
      )
      const found = matching.find(({ path }) => method !== undefined && path.routes.has(method)) ?? matching[0]
      return found?.path ?? open.find((path) => isBelow(path.url.split('/').slice(0, -1), requested))
    },
  }
}

const isBelow = (segments: string[], requested: string[]): boolean =>
  requested.length > segments.length && segments.every((one, n) => one[0] === ':' || one === requested[n])

/** Options of a route, as it was registered or as a request has them. */
interface AnyRoute {
  url?: string | undefined
  schema?: { params?: unknown } | undefined
  config?: { access?: string } | undefined
}

// What programs write for no value is a malformed id.
const WORD_AT_END = /\/(?!(?:null|undefined|none|nil)\b)[a-z]{2,}(?:_[a-z]+)*\/?(?:\?|$)/

/**
 * Whether the second and last part of an address is a word where the route has an id: it is another path of the
 * marketplace, such as `/items/visits` [spec: http.path.word].
 */
export function isWordForId({ url = '', schema, config }: AnyRoute, address: string): boolean {
  const [, , name = ''] = url.split('/')
  if (url.indexOf('/', 1) !== url.lastIndexOf('/') || !name.startsWith(':') || config?.access === 'control')
    return false
  const { properties } = (schema?.params ?? {}) as { properties?: Record<string, object> }
  return 'x-error' in (properties?.[name.slice(1)] ?? {}) && WORD_AT_END.test(address)
}

/** Sorts fixed segments before parameters, from the left. */
const sortKey = (url: string): string =>
  url
    .split('/')
    .map((segment) => (segment.startsWith(':') ? '1' : '0'))
    .join('')

/** The resource of a path; undefined if there is no path. */
export const resourceOf = (path: Path | undefined) => path?.routes.values().next().value?.config?.resource

/** Whether OPTIONS describes a path: it does not describe control calls [spec: http.control]. */
export const isDescribed = ({ routes }: Path): boolean =>
  [...routes.values()].every(({ config }) => config?.access !== 'control')

/** The methods of a path, with OPTIONS, and HEAD where each GET has it. */
export const methodsOf = (path: Path, hasHeads = true): string[] => {
  const methods = [...path.routes.keys()]
  const heads = hasHeads && methods.includes('GET') ? ['HEAD'] : []
  return [...methods, ...heads, ...(isDescribed(path) ? ['OPTIONS'] : [])].sort()
}

/** A text with its percent encoding resolved; the same text if that is not valid. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
