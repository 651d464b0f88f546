import { type Output, printable } from '../../domains/shared/commands.ts'
import { CliError, EXIT } from '../../lib/cli/errors.ts'
import { formatJson, formatOutput, styled } from '../output.ts'
import { type Audit, describeEvidence, type Finding, isAtLeast, SEVERITIES, type Severity } from './audit.ts'
import { toJunit } from './junit.ts'
import { toSarif } from './sarif.ts'

export type Format = 'text' | 'json' | 'sarif' | 'junit'

/** The report, without the last line break. `threshold`: findings from here on are failures. */
const FORMATS: Record<Format, (audit: Audit, threshold: Severity) => string> = {
  text: (audit) => formatOutput(formatAudit(audit)),
  json: formatJson,
  sarif: (audit) => formatJson(toSarif(audit)),
  junit: (audit, threshold) => toJunit(audit, threshold).trimEnd(),
}
export const FORMAT_NAMES = Object.keys(FORMATS)

export const formatReport = (audit: Audit, format: Format, failOn: Severity | undefined): string =>
  `${FORMATS[format](audit, failOn ?? 'warn')}\n`

/** Throws a CliError if there are findings of a severity or above, or if nothing was called. */
export function requireNone({ findings, audited: { requests, dropped } }: Audit, failOn: Severity, hint: string): void {
  const failures = findings.filter(({ severity }) => isAtLeast(severity, failOn))
  if (failures.length > 0)
    throw new CliError(`${countOf(failures.length)} of severity ${failOn} or above`, EXIT.unverified)
  if (requests + dropped === 0) throw new CliError(`no call was seen; ${hint}`)
}

const formatAudit = (audit: Audit): Output => [
  ...audit.findings.map(formatFinding),
  ...audit.unknown.map(({ count, text }) => `not known: ${count}: ${printable(text)}\n`),
  summarize(audit),
]

const formatFinding = (finding: Finding): string => {
  const { id, severity, title, why, fix, evidence } = finding
  return [
    `${severity.padEnd(5)}  ${styled('bold', printable(title))}  (${printable(id)})`,
    ...evidence.subjects.map((subject) => `       ${printable(subject)}`),
    `       ${printable(describeEvidence(finding))}`,
    `  why  ${printable(why)}`,
    `  fix  ${printable(fix)}`,
    '',
  ].join('\n')
}

/** `2 findings (1 error, 1 info) in 17 requests and 3 notifications`. */
export function summarize({ findings, audited }: Audit): string {
  const bySeverity = SEVERITIES.toReversed().flatMap((severity) => {
    const { length } = findings.filter((finding) => finding.severity === severity)
    return length > 0 ? [`${length} ${severity}`] : []
  })
  const counts = bySeverity.length > 0 ? ` (${bySeverity.join(', ')})` : ''
  const { requests, deliveries, worlds } = audited
  const places = worlds === undefined ? '' : ` of ${worlds} ${worlds === 1 ? 'world' : 'worlds'}`
  return `${countOf(findings.length)}${counts} in ${requests} requests and ${deliveries} notifications${places}`
}

const countOf = (findings: number): string => `${findings || 'no'} ${findings === 1 ? 'finding' : 'findings'}`
