import { type Argument, defineCommand, type Output, path, type Setting, table } from '../../domains/shared/commands.ts'
import { formatMegabytes, readServerProgress, withProgress } from '../../lib/cli/progress.ts'
import type { Schemas } from '../../lib/types.ts'

const NEW_NAME: Argument = ['<name>', '1 to 64 lower-case letters, digits, - and _']
const NAME: Argument = ['<name>', 'as `snapshot list` shows it']

const KEEP_FLAG: Setting = { flags: '--keep-requests', description: 'the journal of calls continues, with a mark' }
const bodyOf = (keepsRequests: boolean | undefined) => (keepsRequests ? { keep_requests: true } : undefined)

export type Snapshot = Schemas['Snapshot']

export const formatSnapshots = (snapshots: Snapshot[]): Output =>
  table(
    ['name', 'stored', 'size', 'world time', 'label'],
    snapshots.map(({ name, automatic, created_at, bytes, now, label }) => [
      ...[name, created_at ?? '-', formatMegabytes(bytes), now ?? '-'],
      automatic ? `before: ${label} (${automatic})` : (label ?? '-'),
    ]),
  )

export const snapshotCommands = [
  defineCommand({
    name: 'reset',
    description: 'Restore the start of the world',
    flags: [KEEP_FLAG],
    examples: ['reset', 'reset --url http://127.0.0.1:4400/w/2'],
    run: ({ client, flags: { keepRequests } }) => client.call('POST /reset', bodyOf(keepRequests)),
    format: (_, { client }) => `world ${client.world} is back at its start`,
  }),
  defineCommand<{ name: string }>({
    name: 'snapshot create',
    description: 'Store the state of the world under a name; replaces a snapshot of this name',
    args: [NEW_NAME],
    flags: [{ flags: '--label <text>', description: 'what it is, for people' }],
    // An empty name, too: the server says what a name is.
    impliedBy: /^/,
    examples: ['snapshot before-checkout', 'snapshot create step-2 --label "Before the checkout"'],
    run: ({ client, args: [name], flags: { label } }) => client.call('POST /snapshots', { name, label }),
    format: ({ name }) => `stored as ${name}; restore it with \`mercadito snapshot restore ${name}\``,
  }),
  defineCommand<{ results: Snapshot[] }>({
    name: 'snapshot list',
    description: 'List the snapshots, also the automatic ones before calls',
    isDefault: true,
    examples: ['snapshot', 'snapshot list --json'],
    run: ({ client }) => client.call('GET /snapshots?limit=1000'),
    format: ({ results }) => formatSnapshots(results),
  }),
  defineCommand({
    name: 'snapshot delete',
    description: 'Delete a snapshot',
    args: [NAME],
    examples: ['snapshot delete before-checkout'],
    run: ({ client, args: [name] }) => client.call(path`DELETE /snapshots/${name}`),
    format: (_, { args: [name] }) => `${name} is deleted`,
  }),
  defineCommand({
    name: 'snapshot restore',
    description: 'Replace the state of the world by a snapshot: data, clock and tokens',
    args: [NAME],
    flags: [KEEP_FLAG],
    examples: ['snapshot restore before-checkout', 'snapshot restore before-checkout --keep-requests'],
    run: ({ client, args: [name], flags: { keepRequests } }) =>
      withProgress('restore', () => client.call(path`POST /snapshots/${name}/restore`, bodyOf(keepRequests)), {
        read: readServerProgress(client, 'restore'),
      }),
    format: (_, { client, args: [name] }) => `world ${client.world} is restored to ${name}`,
  }),
]
