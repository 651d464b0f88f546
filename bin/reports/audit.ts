import type { Schemas } from '../../lib/operations.ts'

export type Audit = Schemas['Audit']
export type Finding = Schemas['Finding']
export type Severity = Finding['severity']

/** From the least to the most severe. */
export const SEVERITIES = ['info', 'warn', 'error'] as const satisfies readonly Severity[]

export const isAtLeast = (severity: Severity, threshold: Severity): boolean =>
  SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(threshold)

/** Where a finding was seen: `seen 3 times; requests 4, 7; deliveries 2`, or `…; world 2 (checkout): requests 4`. */
export function describeEvidence({ evidence: { count, worlds, ...ids } }: Finding): string {
  const seen = `seen ${count === 1 ? 'once' : `${count} times`}`
  const places = worlds ? worlds.map((world) => `${nameOf(world)}: ${describeIds(world).join(', ')}`) : describeIds(ids)
  return [seen, ...places].join('; ')
}

const describeIds = ({ requests, deliveries }: { requests: number[]; deliveries: number[] }): string[] =>
  Object.entries({ requests, deliveries }).flatMap(([name, ids]) =>
    ids.length === 0 ? [] : [`${name} ${ids.join(', ')}`],
  )

/** `world 2 (checkout)`. */
export const nameOf = ({ id, name }: { id: number; name: string | null }): string =>
  `world ${id}${name === null ? '' : ` (${name})`}`
