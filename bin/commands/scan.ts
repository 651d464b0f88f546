import type { Command } from 'commander'
import type { Flags, Terminal } from '../../domains/shared/commands.ts'
import type { ScanReport } from '../../scan/known.ts'
import { addExamples, addSubcommand } from '../command.ts'
import { FORCE, formatJson, formatTable } from '../output.ts'
import { createOption, JSON_FLAG } from '../settings.ts'

const NAME = 'stub scan'
const FLAGS = [
  { flags: '--stubs <file>', description: 'stubs that answer, too, as `stub import` reads them' },
  { flags: '--write', description: 'write mercadito.json, stubs for what is missing, and a first test' },
  FORCE,
]

/** Reads the sources of a program; needs no server. */
export function addScan(program: Command, terminal: Terminal): void {
  const subcommand = addSubcommand(program, { name: NAME, args: [['<folder>', '']] })
    .description('List the calls that the sources of a program make, and which of them mercadito answers')
    .argument('<folder>', 'the program: JavaScript, TypeScript, Python, PHP, Ruby, Go, Java or C#')
    .allowExcessArguments(false)
  for (const flag of FLAGS) subcommand.addOption(createOption(flag, NAME))
  subcommand.addOption(createOption(JSON_FLAG))
  addExamples(subcommand, ['stub scan .', 'stub scan . --write'])
  subcommand.action(async (folder: string) => {
    const { stubs, write, force, json }: Flags = subcommand.opts()
    const { scan, stubsOf, writeFirst } = await import('../../scan/index.ts')
    const report = await scan(folder, await stubsOf(folder, stubs))
    const written = write ? await writeFirst(folder, report, force) : undefined
    terminal.out(json ? `${formatJson({ ...report, ...written })}\n` : formatReport(report))
    if (!json && written) terminal.out(`wrote ${written.files.join(', ')}\nrun there: ${written.command}\n`)
  })
}

function formatReport({ calls, files, skipped }: ScanReport): string {
  const rows = calls.map(({ status, method, path, places: [first, ...more] }) => [
    ...[status, method ?? 'any', path, `${first}${more.length > 0 ? ` and ${more.length} more` : ''}`],
  ])
  const counts = [...Map.groupBy(calls, ({ status }) => status)].map(([status, { length }]) => `${length} ${status}`)
  const summary = `${counts.join(', ') || 'no calls'}; ${files} files read, ${skipped} left out`
  return `${formatTable(['answer', 'method', 'path', 'place'], rows)}\n${summary}\n`
}
