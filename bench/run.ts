import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { WorldInfo } from '../control/worlds/world_info.ts'
import { buildAll } from '../tools/build.ts'
import { buildExecutable } from '../tools/executable.ts'
import { casesOf } from './cases.ts'
import { measureCluster } from './cluster.ts'
import { measureCommits } from './commit.ts'
import { compare, comparisonTable, ROUNDS, type Row } from './comparison.ts'
import { measureConsole } from './console.ts'
import { measureImport } from './import.ts'
import { durationsTable, measureInProcess } from './in_process.ts'
import { measureLists } from './lists.ts'
import { type Measurement, measurementsTable } from './measurements.ts'
import { measureMixed } from './mixed.ts'
import { measureNotifications } from './notifications.ts'
import { measurePeers } from './peers.ts'
import { folder, ourServer, progress, residentMegabytes } from './processes.ts'
import { measureScale } from './scale.ts'
import { measureStarts, STARTS, startTable } from './starts.ts'
import { whole } from './tables.ts'
import { measureWorlds } from './worlds.ts'

// `npm run bench` compares our server with minimal.ts and measures the rest; `npm run bench -- question start` only
// these. `-- peers` compares it with other servers and writes BENCHMARKS.md, in ten minutes or, with `--quick`, in two;
// `-- commit` compares how commits reach the disk; `-- mixed`, `-- scale`, `-- lists` and `-- console` are for reads beside
// writes, for sizes, for long lists and for the console in a browser; `-- cluster` for servers that share worlds in PostgreSQL.

const SUITES: Record<string, (args: string[]) => Promise<string>> = {
  peers: (args) => measurePeers({ quick: args.includes('--quick'), command: ['peers', ...args].join(' ') }),
  mixed: measureMixed,
  commit: measureCommits,
  scale: measureScale,
  lists: measureLists,
  console: measureConsole,
  cluster: measureCluster,
}

const print = (text: string) => process.stdout.write(text)

async function main([suite = '', ...args]: string[]): Promise<void> {
  if (availableParallelism() < 2) throw new Error('two cores are needed: one for the server, one for the load')
  const start = performance.now()
  progress('building')
  await buildAll()
  const run = SUITES[suite]
  if (run) return void print(await run(args))
  await measureParts([suite, ...args].filter(Boolean))
  progress(`${whole((performance.now() - start) / 1000)} s`)
}

/** Measures the named parts, or all. */
async function measureParts(names: string[]): Promise<void> {
  const data = join(folder, 'world')
  const { world, stop } = await ourServer(data)
  await stop()
  const base = join(data, 'world-1.sqlite')
  const cases = casesOf(world, base)
  const parts = partsOf(data, base, world)
  const known = [...cases.map(({ name }) => name), ...Object.keys(parts)]
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Error(`no case ${unknown}; there are ${known.join(', ')}`)
  const isWanted = (name: string) => names.length === 0 || names.includes(name)

  const rows: Row[] = []
  for (const test of cases) if (isWanted(test.name)) rows.push(...(await compare(test, base)))
  if (rows.length > 0) print(`\nOurs / minimal, medians of ${ROUNDS} interleaved rounds\n\n${comparisonTable(rows)}`)
  for (const [name, measure] of Object.entries(parts)) {
    if (!isWanted(name)) continue
    progress(`measuring ${name}`)
    print(`\n${await measure()}`)
  }
}

function partsOf(data: string, base: string, world: WorldInfo): Record<string, () => Promise<string>> {
  const titled = (title: string, measurements: Measurement[]) => `${title}\n\n${measurementsTable(measurements)}`
  return {
    async worlds() {
      const server = await ourServer(undefined)
      const measurements = await measureWorlds(server.world.url, () => residentMegabytes(server.pid))
      await server.stop()
      return titled('Worlds, medians as a client sees them', measurements)
    },
    import: async () => titled('Import, as a client sees it', await measureImport()),
    notifications: async () =>
      titled('Notifications, from a server on its own core', await measureNotifications(base, world)),
    async start() {
      const executable = await buildExecutable()
      const table = startTable(await measureStarts(data, executable))
      const { starts, parts } = await measureInProcess(folder, STARTS)
      return `Spawn to first 200, ${STARTS} starts each\n\n${table}\n${durationsTable('in a test’s process', starts)}\n${durationsTable('of a start', parts)}`
    },
  }
}

await main(process.argv.slice(2))
