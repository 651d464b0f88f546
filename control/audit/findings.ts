import { ASSUMED } from './assumptions.ts'
import { type Finding, SEVERITIES } from './finding.ts'
import { NOTIFICATIONS } from './notifications.ts'
import { PAGING } from './paging.ts'
import { PARAMETERS } from './parameters.ts'
import { QUESTIONS } from './questions.ts'
import { REPETITION } from './repetition.ts'
import { RETRIES } from './retries.ts'
import { TOKENS } from './tokens.ts'
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
