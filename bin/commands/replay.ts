import type { Command } from 'commander'
import { type Flags, printable, type Setting, type Terminal } from '../../domains/shared/commands.ts'
import { withProgress } from '../../lib/cli/progress.ts'
import { consoleUrl } from '../../lib/urls.ts'
import type { Overview } from '../../replay/check.ts'
import type { DifferentCall, OpenTarget, Report } from '../../replay/index.ts'
import type { OwnTarget } from '../../replay/own_target.ts'
import type { Target } from '../../replay/target.ts'
import { addExamples, addSubcommand } from '../command.ts'
import { formatJson } from '../output.ts'
import { adminToken, adminTokenFile, against, ca, createOption, JSON_FLAG } from '../settings.ts'
import { waitForSignal } from '../shutdown.ts'
import { failIfDifferent } from './compare.ts'
import { creator } from './world.ts'

const CONSOLE: Setting = {
  flags: '--console',
  description: 'then show the worlds in a read-only console, until Ctrl-C',
  conflicts: ['against'],
}

/** Sends the calls of a recording again, and compares the answers. */
export function addReplay(program: Command, terminal: Terminal): void {
  const subcommand = addSubcommand(program, { name: 'requests replay' })
    .description('Send the calls of a recording again, and compare the answers')
    .argument('<file>', 'a recording, of --record or of `requests save`')
    .allowExcessArguments(false)
  for (const setting of [adminToken, adminTokenFile, ca, JSON_FLAG]) subcommand.addOption(createOption(setting))
  subcommand.addOption(createOption(against, 'requests replay'))
  subcommand.addOption(createOption(CONSOLE, 'requests replay'))
  addExamples(subcommand, [
    'requests replay run.jsonl',
    'requests replay run.recording --console',
    'requests replay run.recording --against http://127.0.0.1:4400',
  ])
  subcommand.addHelpText(
    'after',
    `
Without --against the calls are sent to a server that exists meanwhile. Nothing is sent to receivers of notifications.
Exit codes: 0 the answers are the same, 1 some differ, 2 the file is not valid.`,
  )
  subcommand.action(async (file: string) => {
    const flags = subcommand.opts()
    // Lazy: other commands need no server in this process.
    const { replay } = await import('../../replay/index.ts')
    const shown = flags.console ? await keepOpen() : undefined
    try {
      const openTarget = shown?.openTarget ?? (await targetOf(flags))
      const report = await withProgress('replay', ({ update }) => replay(file, openTarget, { onProgress: update }), {
        format: (calls) => `${calls} calls`,
      })
      terminal.out(`${flags.json ? formatJson(report) : formatReport(report)}\n`)
      if (shown) await show(shown.addresses(), terminal)
      failIfDifferent(report)
    } finally {
      await shown?.close()
    }
  })
}

/** A target of its own that stays open after the replay. */
async function keepOpen() {
  const { openOwnTarget } = await import('../../replay/own_target.ts')
  let target: OwnTarget | undefined
  return {
    openTarget: async ({ deliveries, isDeterministic }: Overview): Promise<Target> => {
      target = await openOwnTarget(deliveries, isDeterministic)
      return { ...target, close: async () => {} }
    },
    /** Of the worlds by their numbers in the recording. */
    addresses: () => target!.publish(),
    close: async () => target?.close(),
  }
}

/** Prints where the worlds can be seen, and waits for a signal. */
async function show(addresses: Map<number, string>, terminal: Terminal): Promise<void> {
  for (const [world, address] of addresses) terminal.err(`console of world ${world}: ${consoleUrl(address)}\n`)
  terminal.err('read-only; Ctrl-C ends it\n')
  await waitForSignal()
}

async function targetOf({ against, adminToken, ca }: Flags): Promise<OpenTarget> {
  if (against === undefined) {
    const { openOwnTarget } = await import('../../replay/own_target.ts')
    return ({ deliveries, isDeterministic }) => openOwnTarget(deliveries, isDeterministic)
  }
  const { openRemoteTarget } = await import('../../replay/remote_target.ts')
  return () => openRemoteTarget(against, creator(), { adminToken, ca })
}

export function formatReport(report: Report): string {
  const { calls, compared, not_compared, not_sent, different, differences, recorded_by, ended_because } = report
  const counts = [
    `${compared.whole} compared whole`,
    ...(compared.prefix > 0 ? [`${compared.prefix} by their beginning`] : []),
    ...(compared.status > 0 ? [`${compared.status} by their status`] : []),
    ...(not_compared > 0 ? [`${not_compared} not comparable`] : []),
    ...(not_sent > 0 ? [`${not_sent} not sent`] : []),
  ]
  return [
    ...differences.map(formatCall),
    ...(different > differences.length ? [`${different - differences.length} more calls differ`] : []),
    `replayed ${calls} calls of version ${printable(recorded_by)}: ${counts.join(', ')}`,
    ...(ended_because === null ? [] : [`the recording ended early: ${printable(ended_because)}`]),
    different === 0 ? 'no answer differs' : `${different} ${different === 1 ? 'answer differs' : 'answers differ'}`,
  ].join('\n')
}

function formatCall({ n, world, at, method, target, overlaps, differences }: DifferentCall): string {
  const place = world === null ? at : `world ${world}, ${at}`
  return [
    `call ${n}  ${printable(method)} ${printable(target)}  (${place})${overlaps ? '  overlaps with others' : ''}`,
    ...differences.flatMap(({ place, recorded, replayed }) => [
      `  ${printable(place)}`,
      `    recorded  ${formatValue(recorded)}`,
      `    replayed  ${formatValue(replayed)}`,
    ]),
    '',
  ].join('\n')
}

const formatValue = (value: string | null): string => (value === null ? '(none)' : printable(value))
