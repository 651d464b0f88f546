import type { Schemas } from '../../lib/operations.ts'

export type Audit = Schemas['Audit']
export type Finding = Schemas['Finding']
export type Severity = Finding['severity']

/** From the least to the most severe. */
export const SEVERITIES = ['info', 'warn', 'error'] as const satisfies readonly Severity[]

export const isAtLeast = (severity: Severity, threshold: Severity): boolean =>
  SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(threshold)

/** Where a finding was seen: `seen 3 times; requests 4, 7; deliveries 2`. */
export function describeEvidence({ evidence: { count, requests, deliveries } }: Finding): string {
  const list = (name: string, ids: number[]) => (ids.length === 0 ? [] : [`${name} ${ids.join(', ')}`])
  return [
    `seen ${count === 1 ? 'once' : `${count} times`}`,
    ...list('requests', requests),
    ...list('deliveries', deliveries),
  ].join('; ')
}
