import { CONTROL_CHARACTERS, type Output, printable } from '../../domains/shared/commands.ts'
import { CliError, EXIT } from '../../lib/cli/errors.ts'
import type { Schemas } from '../../lib/operations.ts'
import about from '../../package.json' with { type: 'json' }
import { formatJson, formatOutput, styled } from '../output.ts'
import { type Coverage, formatCoverage } from './coverage.ts'

type Format = 'text' | 'json' | 'sarif' | 'junit'

/** The audit of a world, or of a run with what its calls cover. */
type Reported = Audit & { coverage?: Coverage }

/** The report, without the last line break. `threshold`: findings of this severity and above are failures. */
const FORMATS: Record<Format, (audit: Reported, threshold: Severity) => string> = {
  text: (audit) => formatOutput(formatAudit(audit)),
  json: formatJson,
  sarif: (audit) => formatJson(toSarif(audit)),
  junit: (audit, threshold) => toJunit(audit, threshold).trimEnd(),
}
export const FORMAT_NAMES = Object.keys(FORMATS)

export const formatReport = (audit: Reported, format: Format, failOn: Severity | undefined): string =>
  `${FORMATS[format](audit, failOn ?? 'warn')}\n`

/** Throws a CliError if there are findings of a severity or above, or if nothing was called. */
export function requireNone({ findings, audited: { requests, dropped } }: Audit, failOn: Severity, hint: string): void {
  const failures = findings.filter(({ severity }) => isAtLeast(severity, failOn))
  if (failures.length > 0)
    throw new CliError(`${countOf(failures.length)} of severity ${failOn} or above`, EXIT.unverified)
  if (requests + dropped === 0) throw new CliError(`no call was seen; ${hint}`)
}

const formatAudit = (audit: Reported): Output => [
  ...audit.findings.map(formatFinding),
  ...audit.unknown.map(({ count, text }) => `not known: ${count}: ${printable(text)}\n`),
  ...(audit.coverage ? [formatCoverage(audit.coverage), ''] : []),
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

export type Audit = Schemas['Audit']
type Finding = Schemas['Finding']
type Severity = Finding['severity']

/** From the least to the most severe. */
export const SEVERITIES = ['info', 'warn', 'error'] as const satisfies readonly Severity[]

const isAtLeast = (severity: Severity, threshold: Severity): boolean =>
  SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(threshold)

/** Where a finding was seen: `seen 3 times; requests 4, 7; deliveries 2`, or `…; world 2 (checkout): requests 4`. */
function describeEvidence({ evidence: { count, worlds, ...ids } }: Finding): string {
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

/** An audit as JUnit XML: a test case for each check, which fails on findings of `threshold` and above. */
function toJunit({ checks, findings, unknown, coverage }: Reported, threshold: Severity): string {
  const cases = checks.map(({ id, title }) => {
    const finding = findings.find((one) => one.id === id)
    const attributes = `classname="mercadito.audit" name="${escapeXml(`${id}: ${title}`)}"`
    return finding ? `<testcase ${attributes}>${describe(finding, threshold)}</testcase>` : `<testcase ${attributes}/>`
  })
  const failures = findings.filter(({ severity }) => isAtLeast(severity, threshold)).length
  const counts = `name="mercadito requests audit" tests="${cases.length}" failures="${failures}" errors="0"`
  const lines = unknown.map(({ count, text }) => `${count}: ${text}`)
  const notes = [...lines, ...(coverage ? [formatOutput(formatCoverage(coverage))] : [])].join('\n')
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites ${counts}>
  <testsuite ${counts} skipped="0">
    ${cases.join('\n    ')}
    <system-out>${escapeXml(notes)}</system-out>
  </testsuite>
</testsuites>
`
}

function describe(finding: Finding, threshold: Severity): string {
  const { severity, title, why, fix, evidence } = finding
  const text = escapeXml([...evidence.subjects, describeEvidence(finding), why, fix].join('\n'))
  return isAtLeast(severity, threshold)
    ? `<failure type="${severity}" message="${escapeXml(title)}">${text}</failure>`
    : `<system-out>${escapeXml(`${severity}: ${title}`)}\n${text}</system-out>`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** Characters that XML 1.0 does not allow, not even escaped. */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

/** Control characters are escaped, too: they must not steer the terminal. */
export const escapeXml = (text: string): string =>
  text
    .replace(NOT_XML, '\ufffd')
    .replace(/[&<>"]/g, (character) => ENTITIES[character]!)
    .replace(CONTROL_CHARACTERS, (character) =>
      character === '\n' ? character : `&#x${character.charCodeAt(0).toString(16)};`,
    )

const LEVELS = { info: 'note', warn: 'warning', error: 'error' } as const

/** An audit in SARIF 2.1.0, the format of tools for code scanning. */
const toSarif = ({ findings, unknown, audited, coverage }: Reported) => ({
  $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'mercadito', version: about.version, rules: findings.map(toRule) } },
      results: findings.map(toResult),
      invocations: [
        {
          executionSuccessful: true,
          toolExecutionNotifications: unknown.map(({ id, count, text }) => ({
            level: 'note',
            message: { text: `${count}: ${text}` },
            properties: { id },
          })),
        },
      ],
      properties: { audited, coverage },
    },
  ],
})

const toRule = ({ id, severity, title, why, fix }: Finding) => ({
  id,
  shortDescription: { text: title },
  fullDescription: { text: why },
  help: { text: fix },
  defaultConfiguration: { level: LEVELS[severity] },
})

function toResult(finding: Finding, ruleIndex: number) {
  const { id, severity, title, fix, evidence } = finding
  return {
    ruleId: id,
    ruleIndex,
    level: LEVELS[severity],
    message: { text: `${title}: ${evidence.subjects.join('; ')}. ${describeEvidence(finding)}. ${fix}` },
    locations: [toLocation(evidence)],
    partialFingerprints: { 'finding/v1': id },
    occurrenceCount: evidence.count,
    properties: evidence,
  }
}

/** Code scanning shows no result without a relative path: that of the call with the evidence. */
function toLocation({ worlds, subjects, ...ids }: Finding['evidence']) {
  const [world] = worlds ?? []
  const {
    requests: [request],
    deliveries: [delivery],
  } = world ?? ids
  const path = request === undefined ? `deliveries/${delivery}` : `requests/${request}`
  const base = world === undefined || world.id === 1 ? '' : `w/${world.id}/`
  return {
    physicalLocation: { artifactLocation: { uri: `${base}_sandbox/${path}` }, region: { startLine: 1 } },
    logicalLocations: subjects.slice(0, 1).map((name) => ({ fullyQualifiedName: name })),
  }
}
