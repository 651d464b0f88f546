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
import { formatMegabytes, withProgress } from '../../lib/cli/progress.ts'
import type { AnswerOf } from '../../lib/types.ts'

type List = AnswerOf<'GET /checkpoints'>
type Checkpoint = List['results'][number]
/** What is taken back, with the checkpoints. */
type Undone = AnswerOf<'GET /undo'> & { checkpoints: Checkpoint[] }

const MAX_CALLS = 1000

export const undoCommand = defineCommand<List | Undone>({
  name: 'undo',
  description: 'Go back to the state before the latest change',
  args: [['[n]', 'how many checkpoints to go back; default: 1', integer(1)]],
  flags: [
    { flags: '--to <id>', description: 'go back to this checkpoint', parse: integer(0) },
    { flags: '--list', description: 'list the checkpoints instead' },
    { flags: '--dry-run', description: 'list what would be taken back, and change nothing' },
  ],
  examples: ['undo', 'undo 3 --dry-run', 'undo --list', 'undo --to 17'],
  async run({ client, args: [n], flags: { to, list, dryRun } }) {
    if (n !== undefined && to !== undefined) throw usageError('give either [n] or --to')
    const all: List = await client.call('GET /checkpoints?limit=1000')
    if (list) return all
    const id = to ?? stepsBack(all.results, n ?? 1)
    const undone = await withProgress('undo', () => undo(client, id, dryRun))
    return { ...undone, checkpoints: all.results.filter((one) => one.id > undone.restored.id) }
  },
  format: (answer, { client, flags: { dryRun } }) =>
    'results' in answer ? formatCheckpoints(answer.results) : formatUndone(answer, client.world, dryRun),
})

/** The checkpoint that lies some steps back; undefined if there is none at all, which the server explains. */
function stepsBack(newestFirst: Checkpoint[], n: number): number | undefined {
  if (n > newestFirst.length && newestFirst.length > 0)
    throw new CliError(`there ${only(newestFirst.length)}; see \`mercadito undo --list\``)
  return newestFirst[n - 1]?.id
}

const undo = (client: Client, id: number | undefined, dryRun: boolean | undefined): Promise<AnswerOf<'GET /undo'>> =>
  dryRun ? client.get('/undo', { id, limit: MAX_CALLS }) : client.call('POST /undo', { id, limit: MAX_CALLS })

const BY = { request: 'program', control: 'control', program: 'program' }

const formatCheckpoints = (checkpoints: Checkpoint[]): Output =>
  table(
    ['id', 'by', 'before', 'taken', 'world time', 'size'],
    checkpoints.map(({ id, kind, label, real_at, now, bytes }) => [
      ...[id, BY[kind], label, real_at, now, formatMegabytes(bytes)],
    ]),
  )

function formatUndone({ restored, removed, calls, checkpoints }: Undone, world: number, dryRun?: boolean): Output {
  const { requests, changes, control_calls } = removed
  const missing = requests + control_calls - calls.length
  return [
    `world ${world} ${dryRun ? 'would be' : 'is'} as it was before: ${printable(restored.label)} (${restored.now})`,
    fields({
      'writes of programs': requests,
      changes,
      'control calls': control_calls,
      'later checkpoints': removed.checkpoints,
    }),
    ...(calls.length > 0 ? [formatCalls(calls)] : []),
    ...(missing > 0 ? [`and ${missing} more calls, which are no longer recorded`] : []),
    ...(checkpoints.length > 0 ? ['Later checkpoints:', formatCheckpoints(checkpoints)] : []),
  ]
}

const formatCalls = (calls: Undone['calls']) =>
  table(
    ['by', 'id', 'time', 'call'],
    calls.map(({ kind, id, real_at, method, path }) => [BY[kind], id, real_at, `${method} ${path}`]),
  )

const only = (count: number): string => (count === 1 ? 'is only one checkpoint' : `are only ${count} checkpoints`)
