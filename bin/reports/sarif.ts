import about from '../../package.json' with { type: 'json' }
import { type Audit, describeEvidence, type Finding } from './audit.ts'

const LEVELS = { info: 'note', warn: 'warning', error: 'error' } as const

/** An audit in SARIF 2.1.0, the format of tools for code scanning. */
export const toSarif = ({ findings, unknown, audited }: Audit) => ({
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
      properties: { audited },
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
