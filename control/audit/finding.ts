import type { Language } from '../../http/errors/checks.ts'
import { type Call, nameOf } from './call.ts'
import type { View } from './view.ts'

/** From the least to the most severe. */
export const SEVERITIES = ['info', 'warn', 'error'] as const
type Severity = (typeof SEVERITIES)[number]

/** One time that a program did what a finding is about. */
export interface Case {
  /** What it is about, such as a route or a parameter. */
  subject: string
  /** Ids of requests. */
  requests: readonly number[]
  /** Ids of deliveries. */
  deliveries?: readonly number[]
}

/** What a reviewer would say about a program. */
export interface Finding {
  id: string
  severity: Severity
  text: Record<Language, { title: string; why: string; fix: string }>
  /** The cases in a view; a program that is right has none. */
  find(view: View): Case[]
}

/** Finds each call that matches. */
export const callsThat =
  (matches: (call: Call) => boolean): Finding['find'] =>
  ({ calls }) =>
    calls.filter(matches).map((call) => ({ subject: nameOf(call), requests: [call.id] }))
