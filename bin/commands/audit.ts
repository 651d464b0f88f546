import { writeFile } from 'node:fs/promises'
import { defineCommand, printable, type Setting, type Terminal } from '../../domains/shared/commands.ts'
import { LANGUAGES } from '../../http/errors/checks.ts'
import { queryString } from '../../lib/urls.ts'
import { ALREADY_PRINTED } from '../command.ts'
import { checkOutput, FORCE, replaceFile } from '../output.ts'
import { type Audit, FORMAT_NAMES, formatReport, requireNone, SEVERITIES, summarize } from '../reports/audit.ts'
import { type Coverage, formatCoverage } from '../reports/coverage.ts'

const LANGUAGE: Setting = {
  flags: '--lang <language>',
  description: 'language of the texts',
  choices: LANGUAGES,
}

export const auditCommand = defineCommand<typeof ALREADY_PRINTED>({
  name: 'requests audit',
  description:
    'Review the programs that use the world; with --fail-on exit code 3 if there are findings, 1 without calls',
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
      choices: FORMAT_NAMES,
      conflicts: ['json'],
    },
    { flags: '--output <file>', description: 'write the report to this file, and print only its summary' },
    FORCE,
    LANGUAGE,
  ],
  examples: ['requests audit', 'requests audit --fail-on warn', 'requests audit --format sarif --output audit.sarif'],
  async run({ client, flags: { failOn, format, output, force, lang, json }, terminal }) {
    checkOutput(output, force)
    const audit: Audit = await client.call(`GET /audit${queryString({ lang })}`)
    await publish(formatReport(audit, json ? 'json' : format, failOn), output, audit, terminal)
    if (failOn !== undefined)
      requireNone(audit, failOn, 'name the world that the program has used with --url, or use `exec --audit`')
    return ALREADY_PRINTED
  },
  format: () => '',
})

export const coverageCommand = defineCommand<Coverage>({
  name: 'requests coverage',
  description: 'List which operations and situations the programs that use the world have met',
  flags: [{ flags: '--all', description: 'list the operations that were not used, too' }, LANGUAGE],
  examples: ['requests coverage', 'requests coverage --all'],
  run: ({ client, flags: { lang } }) => client.call(`GET /coverage${queryString({ lang })}`),
  format: (coverage, { flags: { all } }) => formatCoverage(coverage, all),
})

async function publish(report: string, file: string | undefined, audit: Audit, terminal: Terminal): Promise<void> {
  if (file === undefined) return terminal.out(report)
  await replaceFile(file, (tempFile) => writeFile(tempFile, report))
  terminal.out(`wrote ${printable(file)}: ${summarize(audit)}\n`)
}
