import fs, { writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import Sqlite from 'better-sqlite3'

// Preloaded into a server (`--import bench/delay.ts?report=<file>`). At each SIGUSR2 it writes a report on the time since
// the last one.

/** Turns of the event loop, ms. */
export interface LoopReport {
  longest: number
  p99: number
  /** The most CPU time of one turn; other processes may have had the core during the longest one. */
  longestCpu: number
  /** Transactions that wrote. */
  commits: number
  /** Waits until the log of a kept world is on the disk. */
  syncs: number
}

const report = new URL(import.meta.url).searchParams.get('report')!
let turns: number[] = []
let longestCpu = 0
let commits = 0
let syncs = 0
let last = performance.now()
let lastCpu = process.threadCpuUsage()
setInterval(() => {
  const now = performance.now()
  const { user, system } = process.threadCpuUsage(lastCpu)
  turns.push(now - last)
  longestCpu = Math.max(longestCpu, (user + system) / 1000)
  last = now
  lastCpu = process.threadCpuUsage()
}, 1).unref()

const { prepare } = Sqlite.prototype
Sqlite.prototype.prepare = function (this: Sqlite.Database, sql: string) {
  const statement = prepare.call(this, sql)
  if (sql !== 'BEGIN IMMEDIATE') return statement
  const run = statement.run.bind(statement)
  statement.run = () => {
    commits++
    return run({})
  }
  return statement
} as typeof prepare

const { fdatasync } = fs
fs.fdatasync = Object.assign((descriptor: number, done: fs.NoParamCallback) => {
  syncs++
  fdatasync(descriptor, done)
}, fdatasync)
syncBuiltinESMExports()

process.on('SIGUSR2', () => {
  turns.sort((a, b) => a - b)
  const [longest, p99] = [turns.at(-1) ?? 0, turns[Math.floor(turns.length * 0.99)] ?? 0]
  const loop: LoopReport = { longest, p99, longestCpu, commits, syncs }
  turns = []
  longestCpu = 0
  commits = 0
  syncs = 0
  writeFileSync(report, JSON.stringify(loop))
})
