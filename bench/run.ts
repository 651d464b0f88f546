import { compareBefore } from './before.ts'
import { measureCluster } from './cluster.ts'
import { measureGrowth } from './growth.ts'
import { compareRequests } from './peers/compare.ts'
import { progress } from './processes.ts'
import { measureStarts } from './starts.ts'
import { whole } from './tables.ts'

// `npm run bench -- NAME` runs one benchmark and prints its tables; BENCHMARKS.md has copies of them.

const BENCHMARKS: Record<string, [what: string, measure: (args: string[]) => Promise<string>]> = {
  before: ['REV [--rounds N]: this tree against an earlier revision, in three to five minutes', compareBefore],
  requests: ['[--peers] [--rounds N]: against the least that could answer, and other mock servers', compareRequests],
  start: ['ways to start, and memory', measureStarts],
  growth: ['the same reads of a small and of a large world', measureGrowth],
  cluster: ['servers that share their worlds; needs PostgreSQL', measureCluster],
}

async function main([name = '', ...args]: string[]): Promise<void> {
  const [, measure] = BENCHMARKS[name] ?? []
  if (!measure) {
    const names = Object.entries(BENCHMARKS).map(([name, [what]]) => `  ${name.padEnd(10)}${what}\n`)
    process.stdout.write(`usage: npm run bench -- NAME\n\n${names.join('')}`)
    process.exitCode = name === '' ? 0 : 2
    return
  }
  const start = performance.now()
  process.stdout.write(`\n${await measure(args)}`)
  progress(`${whole((performance.now() - start) / 1000)} s`)
}

await main(process.argv.slice(2))
