import type { RouteOptions } from 'fastify'

/** One path and its routes by method. */
export interface Path {
  url: string
  routes: Map<string, RouteOptions>
  place: number
}

/** The registered paths: Fastify's router cannot list the methods of a path. */
export interface Paths {
  /** Resolves when those of all domains are registered; else they are those of the domains that have had a request. */
  complete(): Promise<unknown>
  /** `place`: of its part of the API among all. */
  add(route: RouteOptions, place?: number): void
  all(): Path[]
  /**
   * The path that an address matches; fixed segments win over parameters, as in the router. With a method, paths that
   * have it win over others.
   */
  match(address: string, method?: string): Path | undefined
}

interface Template {
  path: Path
  segments: string[]
}

export function createPaths(complete = async (): Promise<unknown> => undefined): Paths {
  const paths = new Map<string, Path>()
  /** By their first segment, in the order of the router. */
  let templates: Map<string, Template[]> | undefined
  return {
    complete,
    add(route, place = 0) {
      const path = paths.get(route.url) ?? { url: route.url, routes: new Map(), place }
      paths.set(route.url, path)
      for (const method of [route.method].flat()) path.routes.set(method, route)
      templates = undefined
    },
    all: () => [...paths.values()].sort((a, b) => a.place - b.place),
    match(address, method) {
      templates ??= groupTemplates(paths.values())
      const requested = address
        .split('?', 1)[0]!
        .replace(/(?<=.)\/$/, '')
        .split('/')
        .map(decoded)
      const near = templates.get(requested[1] ?? '') ?? []
      const matching = near.filter(
        ({ path, segments }) =>
          segments.length === requested.length &&
          begins(requested, segments) &&
          !isWordForId(path.routes.values().next().value!, address),
      )
      const found = matching.find(({ path }) => method !== undefined && path.routes.has(method)) ?? matching[0]
      return (found ?? near.find(({ segments }) => isBelow(requested, segments)))?.path
    },
  }
}

/** The first segment of every path is written out. A path that has all paths below comes after longer ones. */
const groupTemplates = (paths: Iterable<Path>): Map<string, Template[]> =>
  Map.groupBy(
    [...paths]
      .sort((a, b) => (sortKey(a.url) < sortKey(b.url) ? -1 : 1))
      .map((path) => ({ path, segments: path.url.split('/') }))
      .sort((a, b) => b.segments.length - a.segments.length),
    ({ segments }) => segments[1]!,
  )

const begins = (requested: readonly string[], segments: readonly string[]): boolean =>
  segments.every((segment, n) => segment[0] === ':' || segment === requested[n])

/** Whether a template such as `/global/*` has a path. */
const isBelow = (requested: readonly string[], segments: readonly string[]): boolean =>
  segments.at(-1) === '*' && requested.length >= segments.length && begins(requested, segments.slice(0, -1))

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
