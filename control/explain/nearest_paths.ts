import { decoded } from '../../http/decoded.ts'
import { countChanges } from '../../http/errors/suggestions.ts'
import type { Path, Paths } from '../../http/paths.ts'

const MAX_PATHS = 4
/** Segments of an address from which on none is looked for: the longest path has ten. */
const MAX_SEGMENTS = 16

export interface NearPath {
  path: Path
  /** The text for each parameter, if the address has one. */
  parameters: Record<string, string>
}

/** The paths of the emulated API that are most like an address. */
export function nearestPaths(paths: Paths, address: string): NearPath[] {
  const sent = address.split('/').filter(Boolean).map(decoded)
  if (sent.length > MAX_SEGMENTS) return []
  return paths
    .all()
    .filter(({ routes }) => [...routes.values()].every(({ config }) => config?.checks))
    .map((path) => ({ path, ...align(sent, path.url.split('/').filter(Boolean)) }))
    .filter(({ cost }) => cost < Math.max(1.5, sent.length * 0.75))
    .sort((a, b) => a.cost - b.cost)
    .slice(0, MAX_PATHS)
    .map(({ path, parameters }) => ({ path, parameters }))
}

interface Alignment {
  cost: number
  parameters: Record<string, string>
}

/** A segment that is missing or too many costs 1, a similar one the part of it that differs. */
function align(sent: string[], template: string[]): Alignment {
  const rows: Alignment[][] = [sent.reduce<Alignment[]>((row) => [...row, plus(row.at(-1)!, 1)], [START])]
  for (const [n, segment] of template.entries()) {
    const above = rows[n]!
    const row = [plus(above[0]!, 1)]
    for (const [m, text] of sent.entries())
      row.push(cheapest(plus(above[m + 1]!, 1), plus(row[m]!, 1), matched(above[m]!, segment, text)))
    rows.push(row)
  }
  return rows.at(-1)!.at(-1)!
}

const START: Alignment = { cost: 0, parameters: {} }
const plus = ({ cost, parameters }: Alignment, more: number): Alignment => ({ cost: cost + more, parameters })
const cheapest = (...all: Alignment[]): Alignment => all.reduce((a, b) => (b.cost < a.cost ? b : a))

function matched({ cost, parameters }: Alignment, segment: string, text: string): Alignment {
  if (segment.startsWith(':'))
    return { cost: cost + (/\d/.test(text) ? 0.1 : 0.4), parameters: { ...parameters, [segment.slice(1)]: text } }
  const difference = countChanges(text.slice(0, 100), segment) / Math.max(text.length, segment.length)
  return { cost: cost + difference * 1.5, parameters }
}
