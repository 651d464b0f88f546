import { writeFile } from 'node:fs/promises'
import type { WorldInfo } from '../../control/worlds/world_info.ts'
import { type Flags, printable, type Setting, type Terminal } from '../../domains/shared/commands.ts'
import { createClient } from '../../lib/cli/client.ts'
import { CliError, EXIT, usageError } from '../../lib/cli/errors.ts'
import type { AnswerOf } from '../../lib/types.ts'
import { checkOutput, FORCE, replaceFile } from '../output.ts'
import { FORMAT_NAMES, formatReport, requireNone, SEVERITIES, summarize } from '../reports/audit.ts'
import { summarizeCoverage } from '../reports/coverage.ts'
import { formatRefused } from './why.ts'

/** Flags of `exec`. */
export const AUDIT_FLAGS: Setting[] = [
  {
    flags: '--audit <file>',
    description: 'review the program in all worlds that it has used, and write the report to this file',
  },
  {
    flags: '--audit-format <format>',
    description: 'with --audit: text, json, sarif (SARIF 2.1.0) or junit (XML); default: junit',
    choices: FORMAT_NAMES,
  },
  {
    flags: '--fail-on <severity>',
    description:
      'with --audit: exit with 3 if there are findings of this severity or above (info, warn, error), with 1 if nothing was called',
    choices: SEVERITIES,
  },
  { ...FORCE, description: 'with --audit: replace a report that exists' },
]

/** A run whose calls are reviewed at its end. */
interface Review {
  /**
   * Explains the refused calls if the program failed, and writes the audit. Resolves with the exit code: that of the program,
   * or if it is 0 that of --fail-on, or of a report that cannot be written.
   */
  end(code: number): Promise<number>
}

/** Begins a review of all worlds of the run, if flags want one. Throws a CliError if they exclude each other. */
export async function beginReview({ url, world: { id } }: WorldInfo, flags: Flags, { err }: Terminal): Promise<Review> {
  const { audit: file, auditFormat = 'junit', failOn, explain, adminToken, ca } = flags
  if (file === undefined && !explain) return { end: async (code) => code }
  const client = createClient(url, { adminToken, ca })
  await client.call('PUT /run', explain ? { explain: 'en' } : {})

  async function review(code: number): Promise<void> {
    const run: AnswerOf<'GET /run'> = await client.call('GET /run?lang=en')
    const text = explain && code !== 0 ? formatRefused(run, { root: id, stream: process.stderr }) : undefined
    if (text !== undefined) err(`\nRefused calls:\n\n${text}\n`)
    if (file === undefined) return
    const report = formatReport({ ...run.audit, coverage: run.coverage }, auditFormat, failOn)
    await replaceFile(file, (tempFile) => writeFile(tempFile, report))
    err(`mercadito: wrote ${printable(file)}: ${summarize(run.audit)}; ${summarizeCoverage(run.coverage)}\n`)
    if (failOn !== undefined) requireNone(run.audit, failOn, 'does the program use the address in MERCADITO_URL?')
  }

  return {
    async end(code) {
      try {
        if (file !== undefined || code !== 0) await review(code)
        return code
      } catch (error) {
        err(`mercadito: ${printable((error as Error).message)}\n`)
        return code || (error instanceof CliError ? error.code : EXIT.failure)
      }
    },
  }
}

/** Throws a CliError for flags that need --audit, and for a report that exists. */
export function checkAuditFlags({ audit, auditFormat, failOn, force }: Flags): void {
  checkOutput(audit, force)
  if (audit !== undefined) return
  if (force) throw usageError('--force needs --audit')
  if (auditFormat !== undefined) throw usageError('--audit-format needs --audit')
  if (failOn !== undefined) throw usageError('--fail-on needs --audit')
}
