import type { ClusterNodes } from '../../cluster/commands/index.ts'
import { type Output, table } from '../../domains/shared/commands.ts'
import { formatMegabytes } from '../../lib/cli/progress.ts'
import { localCommand } from '../command.ts'
import { useDatabase } from '../database.ts'
import { database as DATABASE } from '../settings.ts'
import { formatSpan } from './world.ts'

export const addCluster = localCommand<ReturnType<typeof present>>({
  name: 'status cluster',
  description: 'List the servers that share a database, and whether they are alive',
  settings: [{ ...DATABASE, description: 'the PostgreSQL database that the servers share' }],
  flags: [{ flags: '--worlds', description: 'also list the worlds, with the servers that have them' }],
  examples: [
    'status cluster --database postgres://mercadito@db/mercadito',
    'status cluster --worlds --database postgres://mercadito@db/mercadito',
  ],
  run: ({ flags: { database, worlds = false } }) =>
    useDatabase(database, async ({ readCluster }, url) => present(await readCluster(url, worlds))),
  format,
})

const present = ({ nodes, worlds }: ClusterNodes) => ({
  nodes: nodes.map(({ id, url, isAlive, age, leaseMs, worlds, format }) => ({
    ...{ id, url, alive: isAlive, age_ms: age, lease_ms: leaseMs, worlds, format },
  })),
  ...(worlds && {
    worlds: worlds.map(({ id, node, url, entries, logBytes, bytes, format }) => ({
      ...{ id, node, url, log_entries: entries, log_bytes: logBytes, bytes, format },
    })),
  }),
})

function format({ nodes, worlds }: ReturnType<typeof present>): Output {
  const nodeTable = table(
    ['url', 'state', 'last seen', 'lease', 'worlds', 'format', 'id'],
    nodes.map(({ url, alive, age_ms, lease_ms, worlds, format, id }) => [
      ...[url ?? '-', alive ? 'alive' : 'dead', formatSpan(age_ms), formatSpan(lease_ms), worlds, format, id],
    ]),
  )
  if (!worlds) return nodeTable
  const worldTable = table(
    ['world', 'server', 'log entries', 'log', 'size', 'format'],
    worlds.map(({ id, node, url, log_entries, log_bytes, bytes, format }) => [
      ...[id, url ?? node ?? '-', log_entries, formatMegabytes(log_bytes), formatMegabytes(bytes), format],
    ]),
  )
  return [nodeTable, '', worldTable]
}
