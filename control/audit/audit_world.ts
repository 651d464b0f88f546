import { yieldToEventLoop } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import type { Language } from '../../http/errors/checks.ts'
import type { Journal } from '../../http/journal/journals.ts'
import { ASSUMED } from './assumptions.ts'
import { BLIND_SPOTS } from './blind_spots.ts'
import { addCovered, type Covered, measureCoverage, nothingCovered } from './coverage.ts'
import { type Case, type Finding, SEVERITIES } from './finding.ts'
import { MESSAGES } from './messages.ts'
import { NOTIFICATIONS } from './notifications.ts'
import { PAGING } from './paging.ts'
import { PARAMETERS } from './parameters.ts'
import { QUESTIONS } from './questions.ts'
import { REPETITION } from './repetition.ts'
import { RETRIES } from './retries.ts'
import { RULES } from './rules.ts'
import { SALES } from './sales.ts'
import type { Audit, Evidence } from './schemas.ts'
import { SHIPMENTS } from './shipments.ts'
import { TOKENS } from './tokens.ts'
import { TYPED } from './typed.ts'
import { openView, type ViewOptions } from './view.ts'
import { WEBHOOKS } from './webhooks.ts'

/** Ids and subjects that the evidence of one finding has. */
const MAX_EVIDENCE = 20

/** What an audit has seen, without texts. */
export interface Seen {
  audited: Audit['audited']
  /** By finding; those without evidence are left out. */
  evidence: Map<string, Evidence>
  /** By blind spot, how many requests, notifications or worlds it concerns. */
  unknown: Map<string, number>
  covered: Covered
}

/** Reviews the programs that use a world. Other requests are served meanwhile. */
export async function auditWorld(world: World, journal: Journal, options: ViewOptions): Promise<Seen> {
  const view = await openView(world, journal, options)
  const evidence: Seen['evidence'] = new Map()
  for (const { id, find } of FINDINGS) {
    const cases = find(view)
    if (cases.length > 0) evidence.set(id, summarize(cases))
    await yieldToEventLoop()
  }
  return {
    audited: { requests: view.calls.length, dropped: journal.requests.dropped, deliveries: view.deliveries.length },
    evidence,
    unknown: new Map(BLIND_SPOTS.map(({ id, count }) => [id, count(view, journal)])),
    covered: measureCoverage(view, journal),
  }
}

const summarize = (cases: readonly Case[]): Evidence => ({
  count: cases.length,
  subjects: firstOf(cases.map(({ subject }) => subject)),
  requests: firstOf(cases.flatMap(({ requests }) => requests)),
  deliveries: firstOf(cases.flatMap(({ deliveries = [] }) => deliveries)),
})

const firstOf = <T>(values: readonly T[]): T[] => [...new Set(values)].slice(0, MAX_EVIDENCE)

/** The most severe findings first. */
export const presentAudit = ({ audited, evidence, unknown }: Seen, language: Language): Audit => ({
  audited,
  findings: FINDINGS.flatMap(({ id, severity, text }) => {
    const found = evidence.get(id)
    return found ? [{ id, severity, ...text[language], evidence: found }] : []
  }),
  unknown: BLIND_SPOTS.flatMap(({ id, text }) => {
    const count = unknown.get(id) ?? 0
    return count > 0 ? [{ id, count, text: text[language] }] : []
  }),
  checks: FINDINGS.map(({ id, severity, text }) => ({ id, severity, title: text[language].title })),
})

/** What an audit of several worlds has seen before it has looked at one. */
export const nothingSeen = (): Seen => ({
  audited: { requests: 0, dropped: 0, deliveries: 0, worlds: 0 },
  evidence: new Map(),
  unknown: new Map(),
  covered: nothingCovered(),
})

/** Adds what was seen in a world to a sum, whose evidence names the worlds. */
export function addSeen(sum: Seen, world: { id: number; name: string | null }, seen: Seen): void {
  for (const name of ['requests', 'dropped', 'deliveries'] as const) sum.audited[name] += seen.audited[name]
  addCovered(sum.covered, seen.covered)
  for (const [id, count] of seen.unknown) sum.unknown.set(id, (sum.unknown.get(id) ?? 0) + count)
  for (const [id, { count, subjects, requests, deliveries }] of seen.evidence) {
    const { worlds = [], ...before } = sum.evidence.get(id) ?? { count: 0, subjects: [] }
    sum.evidence.set(id, {
      count: before.count + count,
      subjects: firstOf([...before.subjects, ...subjects]),
      requests: [],
      deliveries: [],
      worlds: [...worlds, { ...world, count, requests, deliveries }].slice(0, MAX_EVIDENCE),
    })
  }
}

/** All findings, the most severe first. */
export const FINDINGS: readonly Finding[] = [
  ...TOKENS,
  ...PAGING,
  ...QUESTIONS,
  ...SHIPMENTS,
  ...SALES,
  ...MESSAGES,
  ...RETRIES,
  ...REPETITION,
  ...WEBHOOKS,
  ...NOTIFICATIONS,
  ...PARAMETERS,
  ...RULES,
  ...TYPED,
  ...ASSUMED,
].sort((a, b) => SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity))
