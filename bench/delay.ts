import fs, { writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import Sqlite from 'better-sqlite3'

// Loaded into a server before it starts (`--import bench/delay.ts?report=<file>`): at each SIGUSR2 it writes how long
// the loop was busy with one turn since the last one, how often was committed, and how often the disk was waited for.

/** Ms from one turn to the next. */
export interface Delays {
  longest: number
  p99: number
  /** Of the turn that worked longest, what it was on a core: others may have had that meanwhile. */
  longestCpu: number
  /** Transactions that wrote. */
  commits: number
  /** Waits for the log of a kept world to be on the disk. */
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
  const told: Delays = { longest, p99, longestCpu, commits, syncs }
  turns = []
  longestCpu = 0
  commits = 0
  syncs = 0
  writeFileSync(report, JSON.stringify(told))
})
