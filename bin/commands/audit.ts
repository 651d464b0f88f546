import { writeFile } from 'node:fs/promises'
import { defineCommand, type Output, printable, type Terminal } from '../../domains/shared/commands.ts'
import { queryString } from '../../lib/urls.ts'
import { ALREADY_PRINTED } from '../command.ts'
import { CliError, EXIT } from '../errors.ts'
import { formatJson, formatOutput, styled } from '../output.ts'
import { replaceFile } from '../output_file.ts'
import { type Audit, describeEvidence, type Finding, isAtLeast, SEVERITIES, type Severity } from '../reports/audit.ts'
import { toJunit } from '../reports/junit.ts'
import { toSarif } from '../reports/sarif.ts'

type Format = 'text' | 'json' | 'sarif' | 'junit'

/** The report, without the last line break. `threshold`: findings from here on are failures. */
const FORMATS: Record<Format, (audit: Audit, threshold: Severity) => string> = {
  text: (audit) => formatOutput(formatAudit(audit)),
  json: formatJson,
  sarif: (audit) => formatJson(toSarif(audit)),
  junit: (audit, threshold) => toJunit(audit, threshold).trimEnd(),
}

export const auditCommand = defineCommand<typeof ALREADY_PRINTED>({
  name: 'audit',
  description: 'Review the programs that use the world; with --fail-on exit code 3 if there are findings',
  flags: [
    {
      flags: '--fail-on <severity>',
      description: 'exit with 3 if there are findings of this severity or above: info, warn, error',
      choices: SEVERITIES,
    },
    {
      flags: '--format <format>',
      description: 'text, json, sarif (SARIF 2.1.0) or junit (XML)',
      defaultValue: 'text',
      choices: Object.keys(FORMATS),
      conflicts: ['json'],
    },
    { flags: '--output <file>', description: 'write the report to this file, and print only its summary' },
    { flags: '--lang <language>', description: 'language of the findings', choices: ['en', 'es', 'pt'] },
  ],
  examples: ['audit', 'audit --fail-on warn', 'audit --format sarif --output audit.sarif'],
  async run({ client, flags: { failOn, format, output, lang, json }, terminal }) {
    const audit: Audit = await client.call(`GET /audit${queryString({ lang })}`)
    const report = `${FORMATS[json ? 'json' : (format as Format)](audit, failOn ?? 'warn')}\n`
    await publish(report, output, audit, terminal)
    const failures = failOn === undefined ? [] : audit.findings.filter(({ severity }) => isAtLeast(severity, failOn))
    if (failures.length > 0)
      throw new CliError(`${countOf(failures.length)} of severity ${failOn} or above`, EXIT.unverified)
    return ALREADY_PRINTED
  },
  format: () => '',
})

async function publish(report: string, file: string | undefined, audit: Audit, terminal: Terminal): Promise<void> {
  if (file === undefined) return terminal.out(report)
  await replaceFile(file, (tempFile) => writeFile(tempFile, report))
  terminal.out(`wrote ${printable(file)}: ${summarize(audit)}\n`)
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
    `       ${describeEvidence(finding)}`,
    `  why  ${printable(why)}`,
    `  fix  ${printable(fix)}`,
    '',
  ].join('\n')
}

/** `2 findings (1 error, 1 info) in 17 requests and 3 notifications`. */
function summarize({ findings, audited: { requests, deliveries } }: Audit): string {
  const bySeverity = SEVERITIES.toReversed().flatMap((severity) => {
    const { length } = findings.filter((finding) => finding.severity === severity)
    return length > 0 ? [`${length} ${severity}`] : []
  })
  const counts = bySeverity.length > 0 ? ` (${bySeverity.join(', ')})` : ''
  return `${countOf(findings.length)}${counts} in ${requests} requests and ${deliveries} notifications`
}

const countOf = (findings: number): string => `${findings || 'no'} ${findings === 1 ? 'finding' : 'findings'}`
