import type { World } from '../db/world.ts'
import { badRequest } from '../http/errors/control_errors.ts'
import { countChanges } from '../http/errors/suggestions.ts'
import { decoded, isDescribed, type Path, type Paths } from '../http/paths.ts'
import { matchPath } from '../http/stubs/stubs.ts'
import { readStubs } from './stubs/nearest.ts'

const MAX_NEAREST = 3

/** `/questions/{question_id}`. */
export const templateOf = ({ url }: Pick<Path, 'url'>): string => url.replace(/:(\w+)/g, '{$1}')

/** Throws 400 if neither the API nor a stub has a call whose path a pattern matches: it would never match one. */
export async function checkKnown(member: string, pattern: string, { paths, world }: { paths: Paths; world: World }) {
  const written = pattern.replace(/(?<=\/)(?:\{[^/]*\}|:\w+)(?=\/|$)/g, '*')
  if (written !== pattern)
    throw badRequest(`${member}: ${pattern} must have values for its parameters, or * for any: ${written}`)
  await paths.complete()
  const stubs = (await readStubs(world)).map(({ path }) => path)
  if (pattern.includes('*')) {
    const shortened = pattern.replace(/\*+/g, '*')
    if ([...emulated(paths).map(({ url }) => url), ...stubs].some((path) => meet(shortened, globOf(path)))) return
  } else {
    const found = paths.match(pattern)
    if ((found && isDescribed(found)) || stubs.some((stub) => matchPath(stub, pattern))) return
  }
  const near = nearestPaths(paths, pattern).map(templateOf)
  const nearest =
    near.length === 0 ? '' : `; the nearest ${near.length === 1 ? 'path is' : 'paths are'} ${near.join(', ')}`
  throw badRequest(`${member}: neither the API nor a stub has ${pattern}${nearest}`)
}

const emulated = (paths: Paths): Path[] => paths.all().filter(isDescribed)

/** Of the paths of the emulated API with as many parts as an address those that differ least, but at most by a third. */
export function nearestPaths(paths: Paths, address: string): Path[] {
  const sent = address
    .replace(/(?<=.)\/$/, '')
    .split('/')
    .map(decoded)
  const near = emulated(paths).flatMap((path) => {
    const parts = path.url.split('/')
    if (parts.length !== sent.length) return []
    const changes = parts.map((part, n) =>
      part.startsWith(':') || sent[n] === '*' ? 0 : countChanges(sent[n]!.slice(0, 100), part),
    )
    const words = parts.filter((part, n) => part[0] !== ':' && sent[n] !== '*').join('')
    const distance = changes.reduce((sum, one) => sum + one, 0) / words.length
    return distance <= 1 / 3 ? [{ path, distance }] : []
  })
  return near
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_NEAREST)
    .map(({ path }) => path)
}

/** A text without `/` in a path. */
const PART = '\u0000'

/** `/questions/:id`, `/orders/{id}` or `/orders/*` with one character for each part that varies. */
const globOf = (path: string): string => path.replace(/(?<=\/)(?::[^/]+|\{[^/]+\})/g, PART)

/** Whether some path matches both: a pattern, in which `*` is any text, and a path, in which PART is one without `/`. */
function meet(pattern: string, path: string): boolean {
  const known = new Map<number, boolean>()
  const from = (i: number, j: number): boolean => {
    const place = i * (path.length + 1) + j
    if (!known.has(place)) known.set(place, isMet(i, j))
    return known.get(place)!
  }
  const isMet = (i: number, j: number): boolean => {
    const [one, other] = [pattern[i], path[j]]
    if (one === '*') return from(i + 1, j) || (other !== undefined && from(i, j + 1))
    if (other === '*' || other === PART)
      return from(i, j + 1) || (one !== undefined && (other === '*' || one !== '/') && from(i + 1, j))
    return one === other && (one === undefined || from(i + 1, j + 1))
  }
  return from(0, 0)
}
