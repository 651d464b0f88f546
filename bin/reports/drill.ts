import { printable } from '../../domains/shared/commands.ts'
import type { Verdict } from '../drills/drill.ts'
import { formatJson, styled } from '../output.ts'
import { escapeXml } from './audit.ts'

type Format = 'text' | 'json' | 'junit'
export const VERDICT_FORMATS: Format[] = ['text', 'json', 'junit']

/** The report, with its last line break. */
export const formatVerdict = (verdict: Verdict, format: Format): string => FORMATS[format](verdict)

const MARKS = { passed: '✓', failed: '✗', unseen: '?' }

const FORMATS: Record<Format, (verdict: Verdict) => string> = {
  text: ({ drill, title, verdict, checks, calls, exit_code }) =>
    [
      styled('bold', `${printable(title)} (${drill})`),
      ...checks.map(({ text, verdict }) => `  ${MARKS[verdict]} ${text}`),
      `${verdict}: ${calls} calls, exit code of the program ${exit_code}`,
      '',
    ].join('\n'),
  json: (verdict) => `${formatJson(verdict)}\n`,
  junit({ drill, title, checks }) {
    const failures = checks.filter(({ verdict }) => verdict === 'failed').length
    const skipped = checks.filter(({ verdict }) => verdict === 'unseen').length
    const counts = `name="${escapeXml(`${drill}: ${title}`)}" tests="${checks.length}" failures="${failures}" errors="0"`
    const cases = checks.map(({ text, verdict }) => {
      const inner = { passed: '', failed: '<failure message="failed"/>', unseen: '<skipped message="not seen"/>' }[
        verdict
      ]
      return `<testcase classname="mercadito.drill.${drill}" name="${escapeXml(text)}">${inner}</testcase>`
    })
    return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites ${counts}>
  <testsuite ${counts} skipped="${skipped}">
    ${cases.join('\n    ')}
  </testsuite>
</testsuites>
`
  },
}
