import { CONTROL_CHARACTERS } from '../../domains/shared/commands.ts'
import { type Audit, describeEvidence, type Finding, isAtLeast, type Severity } from './audit.ts'

/** An audit as JUnit XML: a test case for each check, which fails on findings of `threshold` and above. */
export function toJunit({ checks, findings, unknown }: Audit, threshold: Severity): string {
  const cases = checks.map(({ id, title }) => {
    const finding = findings.find((one) => one.id === id)
    const attributes = `classname="mercadito.audit" name="${escapeXml(`${id}: ${title}`)}"`
    return finding ? `<testcase ${attributes}>${describe(finding, threshold)}</testcase>` : `<testcase ${attributes}/>`
  })
  const failures = findings.filter(({ severity }) => isAtLeast(severity, threshold)).length
  const counts = `name="mercadito requests audit" tests="${cases.length}" failures="${failures}" errors="0"`
  const notes = unknown.map(({ count, text }) => `${count}: ${text}`).join('\n')
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
const escapeXml = (text: string): string =>
  text
    .replace(NOT_XML, '\ufffd')
    .replace(/[&<>"]/g, (character) => ENTITIES[character]!)
    .replace(CONTROL_CHARACTERS, (character) =>
      character === '\n' ? character : `&#x${character.charCodeAt(0).toString(16)};`,
    )
