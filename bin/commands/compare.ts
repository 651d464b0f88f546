import type { Report, ReportedDifference } from '../../compare/index.ts'
import { printable } from '../../domains/shared/commands.ts'
import { EXIT, ProgramExit } from '../../lib/cli/errors.ts'
import { withProgress } from '../../lib/cli/progress.ts'
import { localCommand } from '../command.ts'
import { assume } from '../settings.ts'

/** The exit code of a comparison. */
export function failIfDifferent({ different }: { different: number }): void {
  if (different > 0) throw new ProgramExit(EXIT.failure)
}

/** Compares the answers of another server, as `capture` has written them, with those of mercadito. */
export const addCompare = localCommand<Report>({
  name: 'compare',
  description: 'Compare answers of the real service with those of mercadito',
  args: [['<file>', 'what `capture` has written, or `requests save` of it']],
  settings: [{ ...assume, description: 'an assumption of the worlds; may be repeated' }],
  examples: ['compare upstream.jsonl', 'compare upstream.jsonl --assume contacts.auth=required --json'],
  more: `The calls are sent to worlds that are built of the recorded answers, in a server that exists meanwhile.
Exit codes: 0 no answer differs, 1 some differ, 2 the file is not valid.`,
  async run({ args: [file], flags }) {
    // Lazy: other commands need no server in this process.
    const { compare } = await import('../../compare/index.ts')
    return withProgress(
      'compare',
      ({ update }) => compare(file, { switches: flags.assume ?? {}, onProgress: update }),
      { format: (calls) => `${calls} calls` },
    )
  },
  format: (report, { args: [file] }) => formatReport(report, file),
  onPrinted: failIfDifferent,
})

function formatReport(report: Report, file: string): string {
  const { calls, compared, different, differences, proposals, not_compared, not_emulated, upstream, created_at } =
    report
  return [
    ...differences.map(formatDifference),
    ...not_emulated.map((one) => `not emulated: ${one.calls} × ${printable(one.method)} ${printable(one.path)}`),
    ...(not_emulated.length > 0 ? [`\`mercadito stub import ${printable(file)}\` makes stubs that answer these`] : []),
    ...Object.entries(not_compared).map(([reason, n]) => `not compared: ${n} ×: ${printable(reason)}`),
    ...(report.ended_because === null ? [] : [`the recording ended early: ${printable(report.ended_because)}`]),
    ...proposals.map(
      ({ name, value, calls }) => `--assume ${name}=${value}: differences of ${countOf(calls.length)} vanish`,
    ),
    `compared ${compared} of ${countOf(calls)} to ${printable(upstream ?? 'the upstream')} of ${created_at}`,
    different === 0 ? 'no answer differs' : `${different} ${different === 1 ? 'answer differs' : 'answers differ'}`,
  ].join('\n')
}

const countOf = (calls: number): string => (calls === 1 ? '1 call' : `${calls} calls`)

const KINDS: Record<ReportedDifference['kind'], string> = {
  status: 'another status',
  header: 'another header',
  missing: 'a member is missing',
  new: 'a new member',
  type: 'another type',
  order: 'another order',
  format: 'another format',
  text: 'another text',
  value: 'another value',
  elements: 'other elements',
}

function formatDifference(difference: ReportedDifference): string {
  const { route, kind, place, recorded, answered, rule, assumptions, proposal, calls, examples } = difference
  const shown = (value: string | null) => (value === null ? '(none)' : printable(value))
  return [
    `${route}  ${printable(place)}: ${KINDS[kind]}  (${countOf(calls)})`,
    `  recorded    ${shown(recorded)}`,
    `  mercadito   ${shown(answered)}`,
    `  rule        ${rule}${assumptions.length > 0 ? `, assumption ${assumptions.join(', ')}` : ''}`,
    ...(proposal === null ? [] : [`  agrees with --assume ${proposal}`]),
    ...examples.map(({ n, method, target }) => `  call ${n}  ${printable(method)} ${printable(target)}`),
    '',
  ].join('\n')
}
