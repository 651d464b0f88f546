import { writeFileSync } from 'node:fs'

// Loaded into a server before it starts (`--import bench/delay.ts?report=<file>`): at each SIGUSR2 it writes how long the
// loop was busy with one turn since the last one.

/** Ms from one turn to the next. */
export interface Delays {
  longest: number
  p99: number
  /** Of the turn that worked longest, what it was on a core: others may have had that meanwhile. */
  longestCpu: number
}

const report = new URL(import.meta.url).searchParams.get('report')!
let turns: number[] = []
let longestCpu = 0
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

process.on('SIGUSR2', () => {
  turns.sort((a, b) => a - b)
  const told: Delays = { longest: turns.at(-1) ?? 0, p99: turns[Math.floor(turns.length * 0.99)] ?? 0, longestCpu }
  turns = []
  longestCpu = 0
  writeFileSync(report, JSON.stringify(told))
})
