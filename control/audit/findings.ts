import { yieldToEventLoop } from '../../db/engine.ts'
import type { Language } from '../../http/checks.ts'
import { ASSUMED } from './assumptions.ts'
import { type Case, type Finding, SEVERITIES } from './finding.ts'
import { NOTIFICATIONS } from './notifications.ts'
import { PAGING } from './paging.ts'
import { PARAMETERS } from './parameters.ts'
import { QUESTIONS } from './questions.ts'
import { REPETITION } from './repetition.ts'
import { RETRIES } from './retries.ts'
import type { FoundFinding } from './schemas.ts'
import { TOKENS } from './tokens.ts'
import type { View } from './view.ts'
import { WEBHOOKS } from './webhooks.ts'

/** All findings, the most severe first. */
export const FINDINGS: readonly Finding[] = [
  ...TOKENS,
  ...PAGING,
  ...QUESTIONS,
  ...RETRIES,
  ...REPETITION,
  ...WEBHOOKS,
  ...NOTIFICATIONS,
  ...PARAMETERS,
  ...ASSUMED,
].sort((a, b) => SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity))

/** Ids and subjects that the evidence of one finding has. */
export const MAX_EVIDENCE = 20

/** The findings that a view has cases of. Other requests are served between them. */
export async function findAll(view: View, language: Language): Promise<FoundFinding[]> {
  const found: FoundFinding[] = []
  for (const { id, severity, text, find } of FINDINGS) {
    const cases = find(view)
    if (cases.length > 0) found.push({ id, severity, ...text[language], evidence: summarize(cases) })
    await yieldToEventLoop()
  }
  return found
}

const summarize = (cases: readonly Case[]): FoundFinding['evidence'] => ({
  count: cases.length,
  subjects: firstOf(cases.map(({ subject }) => subject)),
  requests: firstOf(cases.flatMap(({ requests }) => requests)),
  deliveries: firstOf(cases.flatMap(({ deliveries = [] }) => deliveries)),
})

const firstOf = <T>(values: readonly T[]): T[] => [...new Set(values)].slice(0, MAX_EVIDENCE)
