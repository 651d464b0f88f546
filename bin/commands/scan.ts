import { type Output, table } from '../../domains/shared/commands.ts'
import type { ScanReport } from '../../scan/known.ts'
import { localCommand } from '../command.ts'
import { FORCE } from '../output.ts'

/** With what was written. */
type Scanned = ScanReport & { written?: string[]; command?: string }

/** Reads the sources of a program; needs no server. */
export const addScan = localCommand<Scanned>({
  name: 'stub scan',
  description: 'List the calls that the sources of a program make, and which of them mercadito answers',
  args: [['<folder>', 'the program: JavaScript, TypeScript, Python, PHP, Ruby, Go, Java or C#']],
  flags: [
    { flags: '--stubs <file>', description: 'stubs that answer, too, as `stub import` reads them' },
    { flags: '--write', description: 'write mercadito.json, stubs for what is missing, and a first test' },
    FORCE,
  ],
  examples: ['stub scan .', 'stub scan . --write'],
  async run({ args: [folder], flags: { stubs, write, force } }) {
    const { scan, stubsOf, writeFirst } = await import('../../scan/index.ts')
    const report = await scan(folder, await stubsOf(folder, stubs))
    return { ...report, ...(write && (await writeFirst(folder, report, force))) }
  },
  format: formatReport,
})

function formatReport({ calls, files, skipped, written, command }: Scanned): Output {
  const rows = calls.map(({ status, method, path, places: [first, ...more] }) => [
    ...[status, method ?? 'any', path, `${first}${more.length > 0 ? ` and ${more.length} more` : ''}`],
  ])
  const counts = [...Map.groupBy(calls, ({ status }) => status)].map(([status, { length }]) => `${length} ${status}`)
  const summary = `${counts.join(', ') || 'no calls'}; ${files} files read, ${skipped} left out`
  return [
    table(['answer', 'method', 'path', 'place'], rows),
    summary,
    ...(written ? [`wrote ${written.join(', ')}\nrun there: ${command}`] : []),
  ]
}
