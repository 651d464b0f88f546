import type { Command } from 'commander'
import type { ClusterNodes } from '../../cluster/commands/index.ts'
import { type Output, type Setting, type Terminal, table } from '../../domains/shared/commands.ts'
import { formatMegabytes } from '../../lib/cli/progress.ts'
import { addExamples, addSubcommand } from '../command.ts'
import { useDatabase } from '../database.ts'
import { formatJson, formatOutput } from '../output.ts'
import { createOption, database as DATABASE, JSON_FLAG } from '../settings.ts'
import { formatSpan } from './world.ts'

const WORLDS: Setting = { flags: '--worlds', description: 'also list the worlds, with the servers that have them' }

export function addCluster(program: Command, terminal: Terminal): void {
  const subcommand = addSubcommand(program, { name: 'status cluster' })
    .description('List the servers that share a database, and whether they are alive')
    .allowExcessArguments(false)
  const databaseFlag = { ...DATABASE, description: 'the PostgreSQL database that the servers share' }
  for (const setting of [databaseFlag, JSON_FLAG]) subcommand.addOption(createOption(setting))
  subcommand.addOption(createOption(WORLDS, 'status cluster'))
  addExamples(subcommand, [
    'status cluster --database postgres://mercadito@db/mercadito',
    'status cluster --worlds --database postgres://mercadito@db/mercadito',
  ])
  subcommand.action(async () => {
    const flags = subcommand.opts()
    const cluster = await useDatabase(flags.database, ({ readCluster }, url) => readCluster(url, flags.worlds ?? false))
    terminal.out(`${flags.json ? formatJson(present(cluster)) : formatOutput(format(cluster))}\n`)
  })
}

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

function format({ nodes, worlds }: ClusterNodes): Output {
  const nodeTable = table(
    ['url', 'state', 'last seen', 'lease', 'worlds', 'format', 'id'],
    nodes.map(({ url, isAlive, age, leaseMs, worlds, format, id }) => [
      url ?? '-',
      isAlive ? 'alive' : 'dead',
      formatSpan(age),
      formatSpan(leaseMs),
      worlds,
      format,
      id,
    ]),
  )
  if (!worlds) return nodeTable
  const worldTable = table(
    ['world', 'server', 'log entries', 'log', 'size', 'format'],
    worlds.map(({ id, node, url, entries, logBytes, bytes, format }) => [
      id,
      url ?? node ?? '-',
      entries,
      formatMegabytes(logBytes),
      formatMegabytes(bytes),
      format,
    ]),
  )
  return [nodeTable, '', worldTable]
}
