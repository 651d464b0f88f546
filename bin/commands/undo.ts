import {
  type Client,
  defineCommand,
  fields,
  integer,
  type Output,
  printable,
  table,
} from '../../domains/shared/commands.ts'
import { CliError, usageError } from '../../lib/cli/errors.ts'
import { withProgress } from '../../lib/cli/progress.ts'
import type { AnswerOf } from '../../lib/types.ts'
import { formatSnapshots, type Snapshot } from './snapshots.ts'

/** What is taken back, with the later automatic snapshots. */
type Undone = AnswerOf<'GET /undo'> & { snapshots: Snapshot[] }

const MAX_CALLS = 1000

export const undoCommand = defineCommand<Undone>({
  name: 'undo',
  description: 'Go back to the state before the latest change',
  args: [['[n]', 'how many automatic snapshots to go back; default: 1', integer(1)]],
  flags: [
    { flags: '--to <name>', description: 'go back to this automatic snapshot; `mercadito snapshot` lists them' },
    { flags: '--dry-run', description: 'list what would be taken back, and change nothing' },
  ],
  examples: ['undo', 'undo 3 --dry-run', 'undo --to auto.17'],
  async run({ client, args: [n], flags: { to, dryRun } }) {
    if (n !== undefined && to !== undefined) throw usageError('give either [n] or --to')
    const all: AnswerOf<'GET /snapshots'> = await client.call('GET /snapshots?limit=1000')
    const newestFirst = all.results.filter(({ automatic }) => automatic !== null)
    const name = to ?? stepsBack(newestFirst, n ?? 1)
    const undone = await withProgress('undo', () => undo(client, name, dryRun))
    const later = newestFirst.findIndex((one) => one.name === undone.restored.name)
    return { ...undone, snapshots: newestFirst.slice(0, later) }
  },
  format: (undone, { client, flags: { dryRun } }) => formatUndone(undone, client.world, dryRun),
})

/** The automatic snapshot that lies some steps back; undefined if there is none at all, which the server explains. */
function stepsBack(newestFirst: Snapshot[], n: number): string | undefined {
  if (n > newestFirst.length && newestFirst.length > 0)
    throw new CliError(`there ${only(newestFirst.length)}; see \`mercadito snapshot list\``)
  return newestFirst[n - 1]?.name
}

const undo = (client: Client, name: string | undefined, dryRun: boolean | undefined): Promise<AnswerOf<'GET /undo'>> =>
  dryRun ? client.get('/undo', { name, limit: MAX_CALLS }) : client.call('POST /undo', { name, limit: MAX_CALLS })

const BY = { request: 'program', control: 'control' }

function formatUndone({ restored, removed, calls, snapshots }: Undone, world: number, dryRun?: boolean): Output {
  const { requests, changes, control_calls } = removed
  const missing = requests + control_calls - calls.length
  return [
    `world ${world} ${dryRun ? 'would be' : 'is'} as it was before: ${printable(restored.label ?? '')} (${restored.now})`,
    fields({
      'writes of programs': requests,
      changes,
      'control calls': control_calls,
      'later snapshots': removed.snapshots,
    }),
    ...(calls.length > 0 ? [formatCalls(calls)] : []),
    ...(missing > 0 ? [`and ${missing} more calls, which are no longer recorded`] : []),
    ...(snapshots.length > 0 ? ['Later automatic snapshots:', formatSnapshots(snapshots)] : []),
  ]
}

const formatCalls = (calls: Undone['calls']) =>
  table(
    ['by', 'id', 'time', 'call'],
    calls.map(({ kind, id, real_at, method, path }) => [BY[kind], id, real_at, `${method} ${path}`]),
  )

const only = (count: number): string =>
  count === 1 ? 'is only one automatic snapshot' : `are only ${count} automatic snapshots`
